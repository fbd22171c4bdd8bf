"""Fills in the source scopes of first-use barriers, which depend on the placement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from renderwright.render.compiler.sync.batching import Batches
from renderwright.render.compiler.sync.byte_ranges import ByteOverlaps
from renderwright.render.compiler.sync.program_points import ProgramPoints, pass_of
from renderwright.render.compiler.sync.semaphore_coverage import SemaphoreCoverage
from renderwright.render.compiler.sync.source_scopes import (
    MemoryUse,
    last_passes_before,
    memory_use,
    source_scopes,
)
from renderwright.render.compiler.sync.steady_state import SteadyStates
from renderwright.render.sync.barriers import Barrier, BarrierBatch, BarrierReason, Frames
from renderwright.render.sync.derive import SourceScope
from renderwright.render.sync.flags import Access, Stage
from renderwright.render.sync.images import ImageReuse


@dataclass(frozen=True)
class FrameMemory:
    """How frames of so many ``passes``, their end among them, use memory: the ``uses`` by resource id; ``coverage`` is
    that of the semaphores between queues.

    Frames are ``periodic`` if all of them run the same nodes, with textures in the general layout: then the barriers of
    every second frame are the same.
    """

    uses: Mapping[str, MemoryUse]
    coverage: SemaphoreCoverage | None
    periodic: bool
    passes: int


def frame_memory(
    steady: SteadyStates,
    owned: Set[str],
    coverage: SemaphoreCoverage | None,
    points: ProgramPoints,
    *,
    periodic: bool,
) -> FrameMemory:
    """How frames use the memory of the resources that are ``owned`` by the graph. Frames without any are not taken for
    periodic, although their barriers may be."""
    accesses = {name: each for name, each in steady.accesses.items() if name in owned}
    periodic = periodic and bool(accesses)
    return FrameMemory(
        {name: memory_use(each, any_last=steady.may_skip_nodes) for name, each in accesses.items()},
        coverage,
        periodic,
        pass_of(points.length),
    )


def alias(
    batches: Batches, memory: FrameMemory, overlaps: ByteOverlaps, image_reuse: ImageReuse, *, coalesced: bool
) -> Frames:
    """The batches of both frames with the sources of first-use barriers, without batches of which nothing is left.

    A first use starts from undefined contents and brings a texture into its layout, unless the image stays in that. Its
    barrier is left out if it has nothing to wait for and no layout to change, or if an earlier one implies it. Where
    barriers are ``coalesced`` after this, that leaves out those that others imply, and keeps what they rely on.
    """
    first_uses = batches.first_uses
    scopes = source_scopes(overlaps, memory.uses, first_uses, memory.coverage)
    if memory.periodic:
        waited = last_passes_before(overlaps, memory.uses, memory.passes, first_uses)
    else:
        waited = [batches.frames[use.parity][use.batch].waited[use.index] for use in first_uses]
    issued = _IssuedFirstUses(), _IssuedFirstUses()
    filled: defaultdict[tuple[int, int], dict[int, _Filled]] = defaultdict(dict)
    for use, scope, last_pass in zip(first_uses, scopes, waited, strict=True):
        pending = batches.frames[use.parity][use.batch].barriers[use.index]
        if use.copy in image_reuse.keep_layout:
            pending = pending._replace(old_layout=pending.new_layout)
        barrier = _with_source(pending, scope)
        if barrier is not None and not coalesced:
            if issued[use.parity].imply(barrier, use.queue):
                barrier = None
            else:
                issued[use.parity].add(barrier, use.queue)
        filled[use.parity, use.batch][use.index] = barrier, last_pass
    even, odd = (
        [_with_first_uses(batch, filled.get((parity, number), {})) for number, batch in enumerate(frame)]
        for parity, frame in enumerate(batches.frames)
    )
    return _with_content(even), _with_content(odd)


_Filled = tuple[Barrier | None, int]
"""A first-use barrier, None if it is not needed, and the pass that it waits for last."""


def _with_first_uses(batch: BarrierBatch, first_uses: Mapping[int, _Filled]) -> BarrierBatch:
    """The batch with these first-use barriers, by their indices."""
    if not first_uses:
        return batch
    rows: list[_Filled] = list(zip(batch.barriers, batch.waited, strict=True))
    for index, row in first_uses.items():
        rows[index] = row
    barriers = tuple([barrier for barrier, _ in rows if barrier is not None])
    waited = tuple([waited for barrier, waited in rows if barrier is not None])
    return batch._replace(barriers=barriers, waited=waited, issued=barriers)


def _with_content(batches: Iterable[BarrierBatch]) -> tuple[BarrierBatch, ...]:
    return tuple([batch for batch in batches if batch.barriers or batch.clears])


def _with_source(barrier: Barrier, source: SourceScope) -> Barrier | None:
    """A first-use barrier with its source scope; None if it has nothing to wait for and no layout to change."""
    keeps_layout = barrier.old_layout is barrier.new_layout
    stages = source.stages
    if not stages:
        if keeps_layout:
            return None
        # Where no access on this queue had the memory, a semaphore was waited for; any stage carries its effect on.
        stages = barrier.dst_stages or Stage.ALL_COMMANDS
    sees = source.unseen_writes or not keeps_layout
    dst_access = barrier.dst_access if sees else Access.NONE
    return barrier._replace(src_stages=stages, src_access=source.access, dst_access=dst_access, reason=source.reason)


class _IssuedFirstUses:
    """The first-use barriers of a frame so far, by queue: their source and destination stages."""

    def __init__(self) -> None:
        # As plain integers: operations of flags take long.
        self._stages: dict[str, dict[tuple[int, int], None]] = {}

    def imply(self, barrier: Barrier, queue: str) -> bool:
        """Whether one of them implies the barrier.

        A barrier that makes nothing visible only waits for earlier frames, all of whose commands an earlier barrier of
        the same stages has waited for as well.
        """
        only_waits = barrier.reason is BarrierReason.ACTIVATE and barrier.is_plain
        if not only_waits or int(barrier.src_access) or int(barrier.dst_access):
            return False
        src_stages, dst_stages = int(barrier.src_stages), int(barrier.dst_stages)
        return any(
            src_stages & src == src_stages and dst_stages & dst == dst_stages
            for src, dst in self._stages.get(queue, {})
        )

    def add(self, barrier: Barrier, queue: str) -> None:
        """The barrier is issued."""
        self._stages.setdefault(queue, {})[int(barrier.src_stages), int(barrier.dst_stages)] = None
