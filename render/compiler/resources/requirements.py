"""What is known of every resource before sizes are: how it is used, how long it lives, what outlasts a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple

from renderwright.render.columns import named
from renderwright.render.compiler.queues.ownership import belongs_to_all
from renderwright.render.compiler.rates import kept_resources
from renderwright.render.compiler.resources.access_history import StretchAccess, Timeline
from renderwright.render.compiler.resources.transient import lives_in_one_pass
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance, ResourceInstance
from renderwright.render.errors import CompileError
from renderwright.render.graph.requests import FirstFrame
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Blob, Texture
from renderwright.render.types.usages import ATTACHMENTS, Usage

Arc = tuple[int, int]

_NEVER: tuple[Arc, Arc] = ((0, 0), (0, 0))

Windows = Sequence[tuple[int, int]]

_STRICTEST_FIRST = (FirstFrame.CLEAR, FirstFrame.INVALID, FirstFrame.DISCARD)
_LOAD_CLEARS = frozenset({Usage.COLOR, Usage.DEPTH, Usage.RESOLVE})
_COPIES = frozenset({Usage.COPY_SRC, Usage.COPY_DST})

_usages = itemgetter(3)  # of a StretchAccess


class Outlined(NamedTuple):
    """A resource but for its size. ``owned`` says that it takes memory of the graph's.

    ``arcs`` are the lives of the even and of the odd copy, half-open, on the circle of two frames of as many slots each
    as there are nodes. ``usages`` are all that the physical resource must allow. The contents of a ``transient``
    texture need never leave a render pass. A ``shared`` resource belongs to all queues. Its history is read ``age``
    frames later; for each one more than the first there is another copy, and nothing else can use their memory.
    """

    item: ResourceInstance
    owned: bool
    arcs: tuple[Arc, Arc]
    usages: frozenset[Usage]
    history: bool
    first: FirstFrame
    kept: bool
    transient: bool = False
    shared: bool = False
    age: int = 1


@dataclass(frozen=True)
class Outline:
    """All resources in the graph's order. ``period`` is the length of the circle of two frames."""

    resources: tuple[Outlined, ...]
    period: int

    @cached_property
    def lasting(self) -> frozenset[str]:
        """Those (by id) whose contents are wanted after the frame: by the next one's history readers, or by frames in
        which their makers rest."""
        return frozenset(each.item.id for each in self.resources if each.history or each.kept)


def outline(
    graph: InstanceGraph, times: Mapping[str, Timeline], windows: Windows, queues: Sequence[str] = ()
) -> Outline:
    """Everything that ``place`` needs of the graph; ``CompileError`` for the history of an external resource.

    ``windows`` are the slots during which each node may be running (``QueuePlan.windows``), ``queues`` the queues that
    they run on; all on the graphics queue if there are none.
    """
    readers = [node for node in graph.nodes if node.past]
    policies = _first_frames(readers)
    ages = _ages(graph, readers)
    kept = kept_resources(graph)
    count = len(graph.nodes)
    sinks = frozenset(graph.sinks)
    several = queues.count(GRAPHICS) < len(queues)
    span = _spans(windows) if several else _in_turn
    # There are few sorts, and equal ones are the same object.
    unions: dict[_Sort, _Union] = {}
    plainly = FirstFrame.DISCARD
    rows: list[tuple[Any, ...]] = []
    for item in graph.resources:
        name, external = item.id, item.resource.external
        if external and name in policies and not isinstance(item.resource.desc, Blob):
            raise CompileError(
                f'"{name}" comes from outside the frame and has no history',
                hint="copy it to a resource of the graph and read the history of that",
                where=item.resource.source,
            )
        time = times.get(name)
        past, keeps = name in policies, name in kept
        first = policies.get(name, plainly)
        if time is None:
            rows.append((item, False, _NEVER, frozenset(), past, first, keeps, False, False, 1))
            continue
        own, history, mentions, presented, _ = time
        cleared = item.resource.clear is not None and needs_clear_command(item, time)
        others = tuple(map(_usages, history)) if history else ()
        sort = tuple(map(_usages, own)), others, presented, keeps, cleared
        union = unions.get(sort)
        if union is None:
            union = unions[sort] = _union(*sort)
        usages, host, attached = union
        sink = name in sinks
        owned = bool(own or mentions) and not external
        if not owned:
            arcs = _NEVER
        elif keeps or name in ages:
            arcs = (0, 2 * count), (0, 2 * count)
        else:
            arcs = _arcs(time.spans if mentions else own, history, span, count, sink, host)
        lasts = past or keeps or sink
        transient = attached and owned and not lasts and lives_in_one_pass(graph.nodes, time)
        shared = several and belongs_to_all(time, queues, lasts=lasts)
        rows.append((item, owned, arcs, usages, past, first, keeps, transient, shared, ages.get(name, 1)))
    return Outline(tuple(named(Outlined, rows)), 2 * count)


def needs_clear_command(item: ResourceInstance, time: Timeline) -> bool:
    """Whether the texture's first user is no attachment whose load could give it the value that its creator wants."""
    if item.resource.clear is None or item.resource.external or not isinstance(item.resource.desc, Texture):
        return False
    if time.cells:
        return bool(cells_to_clear(item, time))
    return bool(time.own_stretches) and not _usages(time.own_stretches[0]) & _LOAD_CLEARS


def cells_to_clear(item: ResourceInstance, time: Timeline) -> frozenset[Part]:
    """The cells of a texture of which that is true, and those that only the next frame reads.

    An attachment's load clears all that is attached or nothing, so what a node renders to is cleared by a command
    unless all of it is new.
    """
    if item.resource.clear is None or item.resource.external:
        return frozenset()
    old = {access.node for cell in time.cells for access in cell.own[1:] if access.usages & _LOAD_CLEARS}
    return frozenset(
        cell.part
        for cell in time.cells
        if (cell.own and (not cell.own[0].usages & _LOAD_CLEARS or cell.own[0].node in old))
        or (cell.history and not cell.own)
    )


_Usages = tuple[frozenset[Usage], ...]

_Sort = tuple[_Usages, _Usages, bool, bool, bool]
"""What the users of a resource do, those of its history, and whether it is presented, is kept, and is cleared by a
command."""

_Union = tuple[frozenset[Usage], bool, bool]
"""All usages of a resource; whether the host reads the frame's own copy, and whether it is only an attachment."""


def _union(own: _Usages, history: _Usages, presented: bool, kept: bool, cleared: bool) -> _Union:
    usages = frozenset[Usage]().union(*own, *history)
    if presented:
        usages |= {Usage.PRESENT}
    if history or kept:
        # What a frame left behind is carried over when the plan changes, and cleared when there is nothing to carry.
        usages |= _COPIES
    if cleared:
        usages |= {Usage.COPY_DST}
    host = any(Usage.HOST_READ in each for each in own)
    return usages, host, bool(usages) and usages <= ATTACHMENTS


def _first_frames(readers: Iterable[NodeInstance]) -> Mapping[str, FirstFrame]:
    """The strictest first-frame policy among the history readers of each resource that has any."""
    asked: dict[str, set[FirstFrame]] = {}
    for node in readers:
        for name, first in node.past:
            asked.setdefault(name, set()).add(first)
    return {name: next(policy for policy in _STRICTEST_FIRST if policy in asked[name]) for name in asked}


def _ages(graph: InstanceGraph, readers: Iterable[NodeInstance]) -> Mapping[str, int]:
    """How many frames later the histories are read that are not read in the next one; ``CompileError`` for one that is
    read at different times, or is a value."""
    found: dict[str, int] = {}
    uses = [(use, node) for node in readers for use in node.uses if use.history]
    if all(use.request.frames == 1 for use, _ in uses):
        return {}
    blobs = {item.id for item in graph.resources if isinstance(item.resource.desc, Blob)}
    for use, node in uses:
        for name in use.resources:
            age = use.request.frames
            if found.setdefault(name, age) != age or (age > 1 and name in blobs):
                why = "values are kept for one frame" if name in blobs else f"another node reads it {found[name]} later"
                raise CompileError(
                    f'node "{node.id}" reads the history of "{name}" {age} frames later, and {why}',
                    hint="let all read it equally late; copy what another node needs at another time",
                    where=use.request.source,
                    node=node.declaration.name,
                )
    return {name: age for name, age in found.items() if age > 1}


_Neighbours = Sequence[StretchAccess] | Sequence[tuple[int, int]]

Span = Callable[[_Neighbours], tuple[int, int]]
"""The slots from the first to the last in which any of some nodes may be running: first and last numbers of
neighbours, in order."""


def _in_turn(spans: _Neighbours) -> tuple[int, int]:
    """On one queue a node runs in its own slot."""
    return spans[0][0], spans[-1][1] + 1


def _spans(windows: Windows) -> Span:
    begins, ends = map(list, zip(*windows, strict=True)) if windows else ([], [])
    if begins == sorted(begins) and ends == sorted(ends):
        return lambda spans: (begins[spans[0][0]], ends[spans[-1][1]])
    return lambda spans: (
        min([min(begins[span[0] : span[1] + 1]) for span in spans]),
        max([max(ends[span[0] : span[1] + 1]) for span in spans]),
    )


def _arcs(own: _Neighbours, history: _Neighbours, span: Span, count: int, sink: bool, host: bool) -> tuple[Arc, Arc]:
    """The lives of both copies of what is used by some nodes in its own frame and by others in the next one, in a frame
    of ``count`` nodes; ``host`` says that the host reads them."""
    first, end = span(own)
    if sink and end < count:
        end = count
    if history:
        end = max(end, count + span(history)[1])
    if host:
        # It reads after the frame's fence; it has until this copy's turn comes round again.
        end = 2 * count
    if end > first + 2 * count:
        # Late work may read a history until the copy is written anew, by somebody who waits for it.
        end = first + 2 * count
    return (first, end), (count + first, count + end)
