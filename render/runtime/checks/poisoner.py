"""Records poison fills in the heaps on the device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.render.backend.protocol import Backend, Heap, Recorder
from renderwright.render.compiler.values.operations import Op
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.runtime.checks.poison import Poison, PoisonOp, gaps, poisoned
from renderwright.render.types.physical import PhysicalBuffer


class Poisoner:
    """Fills bytes of heaps through buffers that cover a whole heap and alias the resources placed there."""

    def __init__(self, kind: Poison, backend: Backend) -> None:
        self.kind = kind
        self._backend = backend
        self._covers: dict[int, PhysicalBuffer] = {}

    def record(self, op: PoisonOp, heaps: Sequence[Heap], recorder: Recorder) -> None:
        """Record the fills, between full barriers."""
        # A dedicated heap has no memory of its own; its resource owns the allocation.
        fills = [fill for fill in op.fills if not heaps[fill.heap].dedicated]
        if not fills:
            return
        recorder.full_barrier()
        for fill in fills:
            cover = self._cover(heaps[fill.heap])
            end = min(fill.end, cover.info.size)
            if fill.start < end:
                recorder.fill_buffer(cover, fill.word, fill.start, end - fill.start)
        recorder.full_barrier()

    def record_gaps(self, heaps: Sequence[Heap], taken: Sequence[tuple[int, int, int]], recorder: Recorder) -> None:
        """Fill all bytes except the ``taken`` ranges (number of the heap, start, end)."""
        self.record(gaps([heap.size for heap in heaps], taken, self.kind), heaps, recorder)

    def forget(self, heap: Heap) -> None:
        """Destroy the buffer that covers a heap, before the heap is destroyed."""
        cover = self._covers.pop(id(heap), None)
        if cover is not None:
            self._backend.destroy(cover)

    def _cover(self, heap: Heap) -> PhysicalBuffer:
        if id(heap) not in self._covers:
            self._covers[id(heap)] = self._backend.cover_heap(heap, "poison")
        return self._covers[id(heap)]


@dataclass(frozen=True)
class PlanPoison:
    """The poison of one plan's frames; ``whole`` is the plan with all its nodes."""

    poisoner: Poisoner
    whole: Plan

    def woven(self, ops: Sequence[Op], plan: Plan, parity: int) -> Sequence[Op | PoisonOp]:
        """The operations of an even (0) or odd (1) frame with fills; ``plan`` is ``whole`` or a partial plan of it."""
        return poisoned(ops, plan, self.whole, parity, self.poisoner.kind)
