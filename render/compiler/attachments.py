"""What a node renders to, and what happens to it when a render pass begins and ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from render.compiler.memo import Parts
from render.compiler.stages import (
    Attachment,
    InstanceGraph,
    Load,
    NodeInstance,
    Placement,
    StatePlan,
    Store,
)
from render.compiler.timeline import Timeline
from render.compiler.uses import Attached
from render.graph.requests import ClearValue
from render.graph.resources import Extent
from render.memory.physical import TextureInfo, mip_extent
from render.sync.ranges import Part
from render.sync.usages import Usage

_NO_CLEAR: ClearValue = (0.0, 0.0, 0.0, 0.0)


Mark = tuple[bool, bool, ClearValue | None]
"""Whether nobody has used anything of a target before its pass, whether it is wanted behind it, and what it is cleared
to if it is new."""


def attachments_of(node: NodeInstance) -> tuple[Attached, ...]:
    """What the node renders to, colours in the order of the requests and depth last."""
    return node.attached


def pass_extents(state: StatePlan, placement: Placement) -> tuple[Extent | None, ...]:
    """The part that all attachments of a pass have; None without attachments."""
    extents = {each.id: each.info.extent for each in placement.resources if isinstance(each.info, TextureInfo)}
    return tuple(
        _shared_extent([mip_extent(extents[each.resource], each.part) for each in item.attachments])
        for item in state.passes
    )


def _shared_extent(extents: Sequence[Extent]) -> Extent | None:
    if len(extents) < 2:
        return extents[0] if extents else None
    return min([width for width, _ in extents]), min([height for _, height in extents])


class LoadStore:
    """Decides the load and store operations of attachments."""

    def __init__(
        self, graph: InstanceGraph, times: Mapping[str, Timeline], lasting: Set[str], parts: Parts | None = None
    ) -> None:
        self._clears = {item.id: item.resource.clear for item in graph.resources}
        self._times = times
        self._stored = {
            *lasting,
            *graph.sinks,
            *(item.id for item in graph.resources if item.resource.external),
            *(name for name, time in times.items() if time.presented),
        }
        self._attachments = (parts or Parts()).of(_attachments)

    def attachments(
        self, names: Sequence[str], targets: Sequence[Sequence[Attached]], spans: Iterable[tuple[int, int]]
    ) -> Sequence[tuple[Attachment, ...]]:
        """The attachments of passes with these targets and (first, last) nodes, of which the first have the
        ``names``."""
        marks = [
            tuple([self._marks(name, part, first, last) for name, _, part in those])
            for those, (first, last) in zip(targets, spans, strict=True)
        ]
        return self._attachments.all(names, targets, marks)

    def _marks(self, name: str, part: Part, first: int, last: int) -> Mark:
        """Of what is attached."""
        time = self._times[name]
        if time.cells:
            own = [cell.own for cell in time.cells if cell.part.meets(part)]
            begins = [accesses[0].node for accesses in own]
            new, end = first <= min(begins) <= max(begins) <= last, max([accesses[-1].node for accesses in own])
        else:
            new, end = first <= time.own_stretches[0].first <= last, time.own_stretches[-1].last
        return new, end > last or name in self._stored, self._clears[name]


def _attachments(targets: Sequence[Attached], marks: Sequence[Mark]) -> tuple[Attachment, ...]:
    return tuple(
        [
            Attachment(
                name, usage, _load(usage, clear, new=new), _store(usage, wanted=wanted), clear or _NO_CLEAR, part
            )
            for (name, usage, part), (new, wanted, clear) in zip(targets, marks, strict=True)
        ]
    )


def _load(usage: Usage, clear: ClearValue | None, *, new: bool) -> Load:
    if usage is Usage.DEPTH_READ:
        return Load.LOAD
    if usage is Usage.RESOLVE:
        return Load.DISCARD  # every texel is overwritten
    if not new:
        return Load.LOAD
    return Load.DISCARD if clear is None else Load.CLEAR


def _store(usage: Usage, *, wanted: bool) -> Store:
    if usage is Usage.DEPTH_READ:
        return Store.NONE
    return Store.STORE if wanted else Store.DISCARD
