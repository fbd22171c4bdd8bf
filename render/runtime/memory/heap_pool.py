"""Heaps shared by plans: a new plan reuses the old plan's heaps if they are large enough."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.backend.protocol import Backend, Heap
from renderwright.render.compiler.values.placement import HeapPlan


class HeapPool:
    """Reference counts of heaps. ``release`` returns the heaps that have lost their last user."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._users: dict[int, int] = {}

    def lease(self, plans: Sequence[HeapPlan], near: Sequence[Heap] = (), *, tight: bool = False) -> tuple[Heap, ...]:
        """A heap for each of the plans.

        Takes the smallest heap of ``near`` that has the memory class and the size, else a new one. ``tight`` rejects
        heaps larger than planned. Raises ``OutOfMemoryError`` if an allocation fails; nothing is leased then.
        """
        left = list({id(heap): heap for heap in near}.values())
        heaps: list[Heap] = []
        try:
            for number, plan in enumerate(plans):
                fitting = [heap for heap in left if _fits(plan, heap) and not (tight and is_loose(plan, heap))]
                if fitting:
                    heap = min(fitting, key=lambda heap: heap.size)
                    left.remove(heap)
                else:
                    heap = self._backend.create_heap(plan.memory_class, plan.size, f"heap {number}")
                heaps.append(heap)
                self._users[id(heap)] = self._users.get(id(heap), 0) + 1
        except BaseException:
            for heap in self.release(heaps):
                self._backend.destroy(heap)
            raise
        return tuple(heaps)

    def share(self, heaps: Sequence[Heap]) -> None:
        """Add a user to leased heaps."""
        for heap in heaps:
            self._users[id(heap)] += 1

    def release(self, heaps: Sequence[Heap]) -> list[Heap]:
        """Remove a user; returns the heaps that have none left, which the caller destroys."""
        unused = []
        for heap in heaps:
            self._users[id(heap)] -= 1
            if not self._users[id(heap)]:
                del self._users[id(heap)]
                unused.append(heap)
        return unused


def is_loose(plan: HeapPlan, heap: Heap) -> bool:
    """Whether a heap is larger than planned."""
    return plan.size < heap.size


def _fits(plan: HeapPlan, heap: Heap) -> bool:
    return heap.memory_class == plan.memory_class and heap.size >= plan.size
