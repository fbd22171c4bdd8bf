"""When each resource is used, by node number: what lifetimes, passes and barriers are derived from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from itertools import repeat
from typing import NamedTuple

from render.compiler.memo import Parts
from render.compiler.stages import InstanceGraph, NodeInstance, Use
from render.compiler.uses import meeting
from render.errors import CompileError
from render.graph.resources import Texture
from render.sync.flags import Layout
from render.sync.merge import merge_scopes, without_layout
from render.sync.ranges import Part, cells
from render.sync.usages import Scope, ShaderStage, Usage, scope_of


class NodeAccess(NamedTuple):
    """All that one node does with one resource, as one scope (without a layout for buffers).

    The scope's layout is the one that a texture is in while the node runs.
    """

    node: int
    scope: Scope
    usages: frozenset[Usage]


class Cell(NamedTuple):
    """The accesses to one of the parts of a texture that its users tell apart."""

    part: Part
    own: tuple[NodeAccess, ...] = ()
    history: tuple[NodeAccess, ...] = ()


@dataclass(frozen=True)
class Timeline:
    """The accesses to one GPU resource in the order of the nodes.

    ``own`` touch the frame's own copy, ``history`` the copy of the previous frame. ``nodes`` are all nodes that
    mention the own copy, also those that touch nothing (they rename or present it). ``presented`` says whether the
    resource is handed to the display. ``cells`` have the same accesses for each part of a texture of which parts are
    used; the others then have no layout that means anything.
    """

    own: tuple[NodeAccess, ...] = ()
    history: tuple[NodeAccess, ...] = ()
    nodes: tuple[int, ...] = ()
    presented: bool = False
    cells: tuple[Cell, ...] = ()

    @cached_property
    def own_usages(self) -> frozenset[Usage]:
        """All usages of the frame's own copy."""
        return frozenset().union(*{access.usages for access in self.own})


def timelines(
    graph: InstanceGraph, parts: Parts | None = None, *, whole: InstanceGraph | None = None
) -> Mapping[str, Timeline]:
    """The timeline of every texture and buffer, by resource id, in the graph's order of resources.

    ``whole`` is the graph with the nodes that do not run in this frame: these tell parts apart, too.
    Raises ``CompileError`` for a node that uses a texture in two ways that exclude each other.
    """
    parts = parts or Parts()
    kinds = {item.id: item.resource.desc.kind for item in graph.resources}
    gpu = [name for name, kind in kinds.items() if kind != "blob"]
    buffers = parts.of(frozenset[str])("buffers", tuple([name for name in gpu if kinds[name] == "buffer"]))
    own: dict[str, list[NodeAccess]] = {name: [] for name in gpu}
    history: dict[str, list[NodeAccess]] = {name: [] for name in gpu}
    nodes: dict[str, list[int]] = {name: [] for name in kinds}
    presented: set[str] = set()
    parted: dict[str, list[Part]] = {}
    touches = parts.of(_touches).all([node.id for node in graph.nodes], graph.nodes, repeat(buffers))
    for number, touch in enumerate(touches):
        for name, (scope, usages) in zip(touch.own, touch.own_accesses, strict=True):
            own[name].append(NodeAccess(number, scope, usages))
        for name in touch.mentioned:
            nodes[name].append(number)
        if touch.history:
            for name, (scope, usages) in zip(touch.history, touch.history_accesses, strict=True):
                history[name].append(NodeAccess(number, scope, usages))
        if touch.presented:
            presented.update(touch.presented)
    for node in (whole or graph).nodes:
        for name, part in node.parted:
            parted.setdefault(name, []).append(part)
    cut = _cells(graph, parted) if parted else {}
    return {
        name: Timeline(tuple(own[name]), tuple(history[name]), tuple(nodes[name]), name in presented, cut.get(name, ()))
        for name in gpu
    }


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
                scope = reduce(_loose, scopes)
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
        scope = own if scope is None else _both(node, name, use.usage, scope, usages, own)
        usages.add(use.usage)
    assert scope is not None, "a part that nobody uses"
    return scope.layout


def touches_gpu(use: Use) -> bool:
    """Whether the device sees the use: no blob, no mere rename, no presentation."""
    return use.touches_gpu


def records(node: NodeInstance) -> bool:
    """Whether the node may record commands; one that does not can stand anywhere, even inside a render pass."""
    return node.records


@cache
def _single_use(usage: Usage, stage: ShaderStage, texture: bool) -> tuple[Scope, frozenset[Usage]]:
    scope = scope_of(usage, stage)
    return scope if texture else without_layout(scope), frozenset({usage})


Touch = tuple[Scope, frozenset[Usage]]
"""All that one node does with one copy of a resource."""


class _Touches(NamedTuple):
    """The resources (by id) whose own copies a node touches, and how; those whose history it touches, and how; all that
    it mentions (blobs too) other than by history, and those that it hands to the display."""

    own: Sequence[str]
    own_accesses: Sequence[Touch]
    history: Sequence[str]
    history_accesses: Sequence[Touch]
    mentioned: Sequence[str]
    presented: Sequence[str]


def _touches(node: NodeInstance, buffers: Set[str]) -> _Touches:
    own: dict[str, Touch] = {}
    history: dict[str, Touch] = {}
    mentioned: list[str] = []
    presented: list[str] = []
    parted = {name for name, _ in node.parted}
    for use in node.uses:
        usage, names = use.usage, use.resources
        if not use.history:
            mentioned += names
        if usage is None:
            continue
        if usage is Usage.PRESENT:
            presented += () if use.history else names
            continue
        touched = history if use.history else own
        for name in names:
            touch = _single_use(usage, use.stage, name not in buffers)
            before = touched.get(name)
            if before is not None:
                scope, usages = before
                both = _loose(scope, touch[0]) if name in parted else _both(node, name, usage, *before, touch[0])
                touch = both, usages | touch[1]
            touched[name] = touch
    return _Touches(
        tuple(own), tuple(own.values()), tuple(history), tuple(history.values()), tuple(mentioned), tuple(presented)
    )


def _loose(first: Scope, second: Scope) -> Scope:
    """Uses of parts that need have no layout in common."""
    layout = first.layout if first.layout == second.layout else Layout.GENERAL
    return Scope(first.stages | second.stages, first.access | second.access, layout)


def _both(
    node: NodeInstance, name: str, usage: Usage, earlier: Scope, earlier_usages: Set[Usage], scope: Scope
) -> Scope:
    try:
        return merge_scopes(earlier, scope)
    except ValueError:
        others = ", ".join(sorted(earlier_usages))
        raise CompileError(
            f'node "{node.id}" uses "{name}" as {usage} and as {others} at once; no layout allows both',
            hint="let an earlier node copy what has to be read, or read it in a later node",
            where=node.declaration.source,
            node=node.declaration.name,
        ) from None
