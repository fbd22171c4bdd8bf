"""When each resource is used, by node number: what lifetimes, passes and barriers are derived from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import chain, repeat
from typing import NamedTuple

from renderwright.render.columns import rows_of
from renderwright.render.compiler.resources.accesses import Stretch, in_one_layout, loose, stretches
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.uses import Use, meeting
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.scopes import Scope, scope_of
from renderwright.render.types.parts import Part, cells
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage


class NodeAccess(NamedTuple):
    """All that one node does with one resource, as one scope (``touches.Touch``)."""

    node: int
    scope: Scope
    usages: frozenset[Usage]


StretchAccess = tuple[int, int, Scope, frozenset[Usage]]
"""The same of each of some neighbours: the numbers of the first and of the last one, scope and usages."""


class Cell(NamedTuple):
    """The accesses to one of the parts of a texture that its users tell apart."""

    part: Part
    own: tuple[NodeAccess, ...] = ()
    history: tuple[NodeAccess, ...] = ()


class Timeline(NamedTuple):
    """The accesses to one GPU resource in the order of the nodes, neighbours that do the same taken as one.

    ``own_stretches`` touch the frame's own copy, ``history_stretches`` the copy of the previous frame. ``mentions`` are
    (first, last) numbers of neighbours that mention the own copy and touch nothing (they rename or present it).
    ``presented`` says whether the resource is handed to the display. ``cells`` have the same accesses for each part of
    a texture of which parts are used; the others then have no layout that means anything.
    """

    own_stretches: tuple[StretchAccess, ...] = ()
    history_stretches: tuple[StretchAccess, ...] = ()
    mentions: tuple[tuple[int, int], ...] = ()
    presented: bool = False
    cells: tuple[Cell, ...] = ()

    @property
    def own(self) -> tuple[NodeAccess, ...]:
        """``own_stretches`` node by node; there can be very many."""
        return tuple(_singly(self.own_stretches))

    @property
    def history(self) -> tuple[NodeAccess, ...]:
        """``history_stretches`` node by node."""
        return tuple(_singly(self.history_stretches))

    @property
    def spans(self) -> list[tuple[int, int]]:
        """(first, last) numbers of neighbours that mention the own copy, also of those that touch nothing."""
        spans = [(first, last) for first, last, _, _ in self.own_stretches]
        return sorted([*spans, *self.mentions]) if self.mentions else spans

    @property
    def nodes(self) -> tuple[int, ...]:
        """``spans`` node by node."""
        return tuple(chain.from_iterable([range(first, last + 1) for first, last in self.spans]))


def _singly(accesses: Iterable[StretchAccess]) -> Iterable[NodeAccess]:
    for first, last, scope, usages in accesses:
        for node in range(first, last + 1):
            yield NodeAccess(node, scope, usages)


def as_stretches(accesses: Iterable[NodeAccess]) -> Sequence[StretchAccess]:
    """Each access as a stretch of one node."""
    return [(node, node, scope, usages) for node, scope, usages in accesses]


def timelines(
    graph: InstanceGraph, alike: Sequence[Stretch] | None = None, *, whole: InstanceGraph | None = None
) -> Mapping[str, Timeline]:
    """The timeline of every texture and buffer, by resource id, in the graph's order of resources.

    ``alike`` are the ``stretches`` of the graph, for those who have them already. ``whole`` is the graph with the nodes
    that do not run in this frame: these tell parts apart, too.
    """
    alike = stretches(graph) if alike is None else alike
    gpu = [item.id for item in graph.resources if item.resource.desc.kind != "blob"]
    own: dict[str, list[StretchAccess]] = {name: [] for name in gpu}
    history: dict[str, list[StretchAccess]] = {}
    mentions: dict[str, list[tuple[int, int]]] = {}
    presented: set[str] = set()
    for first, last, touches in alike:
        for name, (scope, usages) in touches.own:
            own[name].append((first, last, scope, usages))
        for name in touches.mentioned:
            mentions.setdefault(name, []).append((first, last))
        for name, (scope, usages) in touches.history:
            history.setdefault(name, []).append((first, last, scope, usages))
        if touches.presented:
            presented.update(touches.presented)
    parted: dict[str, list[Part]] = {}
    parts = [node.parted for node in whole.nodes] if whole else [touches.parted for _, _, touches in alike]
    for name, part in chain.from_iterable(parts):
        parted.setdefault(name, []).append(part)
    cut = _cells(graph, parted) if parted else {}
    none = repeat(())
    found = rows_of(
        Timeline,
        map(tuple, own.values()),
        map(tuple, map(history.get, own, none)),
        map(tuple, map(mentions.get, own, none)),
        map(presented.__contains__, own),
        map(cut.get, own, none),
    )
    return dict(zip(own, found, strict=True))


def _cells(graph: InstanceGraph, parted: Mapping[str, Sequence[Part]]) -> Mapping[str, tuple[Cell, ...]]:
    """The cells of the textures of which parts are used, by id; none of one that no part cuts."""
    result = {}
    for item in graph.resources:
        desc = item.resource.desc
        if item.id not in parted or not isinstance(desc, Texture):
            continue
        found = cells(parted[item.id], desc.mips, desc.layers)
        if len(found) > 1:
            own, history = (_by_cell(graph.nodes, item.id, past, found) for past in (False, True))
            result[item.id] = tuple(Cell(part, own[part], history[part]) for part in found)
    return result


def _by_cell(
    nodes: Sequence[NodeInstance], name: str, history: bool, found: Sequence[Part]
) -> Mapping[Part, tuple[NodeAccess, ...]]:
    """What the nodes do with each cell of one copy of a texture."""
    accesses: dict[Part, list[NodeAccess]] = {part: [] for part in found}
    for number, node in enumerate(nodes):
        if not any(use.touches_gpu and use.history == history and name in use.resources for use in node.uses):
            continue
        for part in found:
            near = meeting(node.uses, name, history, part)
            if near:
                layout = _layout(node, name, near)
                own = [use for use in near if use.request.part.meets(part)]
                scopes = [scope_of(use.usage, use.stage) for use in own if use.usage is not None]
                scope = reduce(loose, scopes)
                usages = frozenset(use.usage for use in own if use.usage is not None)
                accesses[part].append(NodeAccess(number, Scope(scope.stages, scope.access, layout), usages))
    return {part: tuple(own) for part, own in accesses.items()}


def _layout(node: NodeInstance, name: str, uses: Sequence[Use]) -> Layout:
    """The layout of a part of a texture while a node uses it in all these ways."""
    scope: Scope | None = None
    usages: set[Usage] = set()
    for use in uses:
        assert use.usage is not None
        own = scope_of(use.usage, use.stage)
        scope = own if scope is None else in_one_layout(node, name, use.usage, scope, usages, own)
        usages.add(use.usage)
    assert scope is not None, "a part that nobody uses"
    return scope.layout


def touches_gpu(use: Use) -> bool:
    """Whether the device sees the use: no blob, no mere rename, no presentation."""
    return use.touches_gpu


def records(node: NodeInstance) -> bool:
    """Whether the node may record commands; one that does not can stand anywhere, even inside a render pass."""
    return node.records
