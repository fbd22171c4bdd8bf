"""Replaces one plan by another on the device."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from renderwright.render.backend.protocol import Backend, Heap
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.lowering.leaving_frames import LeavingFrames
from renderwright.render.runtime.memory.device_memory import DeviceMemory
from renderwright.render.runtime.memory.heap_pool import is_loose
from renderwright.render.runtime.memory.resources import PlanResources
from renderwright.render.runtime.plans.prepared_plan import PreparedPlan, same_places
from renderwright.render.runtime.plans.running import RunningPlan
from renderwright.render.steps import all_of

SETTLED_FRAMES = 120
"""Frames after which a plan moves out of heaps that are larger than it needs."""


class Succession:
    """Puts the plans of one graph on the device, one after another.

    A plan reuses the heaps of the previous one where these are large enough. The previous plan's other heaps are
    released after the new plan's first frame has been recorded and the GPU is done with them; nothing waits. Heaps
    larger than planned are kept for ``SETTLED_FRAMES``, because plugins are often switched on again; after that the
    plan moves into heaps of its own size.
    """

    def __init__(self, graph: FrameGraph, backend: Backend, memory: DeviceMemory) -> None:
        self._graph = graph
        self._backend = backend
        self._memory = memory
        self._leaving = LeavingFrames(backend)

    def making(
        self, prepared: PreparedPlan, old: RunningPlan | None, *, tight: bool = False
    ) -> Generator[None, None, RunningPlan]:
        """The plan on the device, in steps, beside the ``old`` one, which may go on until ``replace``. The heaps are
        there at once.

        ``tight`` rejects heaps larger than planned.
        """
        near: list[Heap] = []
        if old is not None:
            near = [*old.resources.heaps, *(old.remains.resources.heaps if old.remains is not None else ())]
        steps = self._steps(prepared, near, tight=tight)
        next(steps)
        return steps

    def make(self, prepared: PreparedPlan, old: RunningPlan | None, *, tight: bool = False) -> RunningPlan:
        """The plan on the device, perhaps with the resources of the ``old`` one."""
        if old is not None and _takes_over(prepared, old, tight=tight):
            return self._running(prepared, self._memory.resize(old.resources, prepared.plan))
        return all_of(self.making(prepared, old, tight=tight))

    def redeclare(self, running: RunningPlan, prepared: PreparedPlan) -> None:
        """Let a plan execute nodes that are declared anew. The others keep their commands."""
        running.redeclare(prepared, self._graph.providers_of(prepared.request.declared))

    def replace(self, old: RunningPlan, running: RunningPlan) -> None:
        """Retire the old plan, whose histories the next frame carries over. ``running`` was made beside it."""
        running.follow(old)
        if running.shares_resources(old):
            running.take_over(old)
            return
        left = old.retire()
        if old.started:
            running.remains = left
        else:
            running.remains = old.remains
            left.give_back(self._memory)

    def go_on(self, *, all_at_once: bool) -> None:
        """Behind a frame: destroy some or all of the lowered frames of earlier plans."""
        if all_at_once:
            self._leaving.finish()
        else:
            self._leaving.go_on()

    def drop(self, running: RunningPlan | None) -> None:
        """Release a plan, if there is one, that no other one replaces; its lowered frames behind later ones."""
        if running is not None:
            running.close()

    def is_wasteful(self, running: RunningPlan) -> bool:
        """Whether a plan has heaps larger than it needs, in one of ``SETTLED_FRAMES`` frames: a move that was dropped,
        or for which there was no memory, is tried again."""
        if not running.frames or running.frames % SETTLED_FRAMES:
            return False
        heaps = zip(running.plan.placement.heaps, running.resources.heaps, strict=True)
        return any(is_loose(plan, heap) for plan, heap in heaps)

    def _steps(
        self, prepared: PreparedPlan, near: Sequence[Heap], *, tight: bool
    ) -> Generator[None, None, RunningPlan]:
        resources = yield from self._memory.provide(prepared.plan, near, tight=tight)
        return self._running(prepared, resources)

    def _running(self, prepared: PreparedPlan, resources: PlanResources) -> RunningPlan:
        try:
            providers = self._graph.providers_of(prepared.request.declared)
            return RunningPlan(prepared, providers, resources, self._backend, self._memory, self._leaving)
        except BaseException:
            self._memory.give_back(resources)
            raise


def _takes_over(prepared: PreparedPlan, old: RunningPlan, *, tight: bool) -> bool:
    """Whether a plan uses the resources of the old one.

    With other barriers, the first frame might not wait for all accesses of the old plan's last frame.
    """
    plan = prepared.plan
    alike = plan.program == old.plan.program and plan.sync.image_reuse == old.plan.sync.image_reuse
    return same_places(plan, old.plan) and alike and not tight
