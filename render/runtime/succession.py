"""How one plan takes the place of another on the device."""

from __future__ import annotations

from renderwright.render.backend.protocol import Backend
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.device_memory import DeviceMemory
from renderwright.render.runtime.heap_pool import is_loose
from renderwright.render.runtime.prepared_plan import PreparedPlan
from renderwright.render.runtime.resources import PlanResources
from renderwright.render.runtime.running import RunningPlan, same_places

SETTLED_FRAMES = 120
"""A plan that has run for so many frames gives back what its heaps have too much."""


class Succession:
    """Puts the plans of one graph on the device, one after another.

    A plan takes the heaps of the one before it where these are large enough, and new ones only where they are not. The
    old plan's own heaps go when the new plan's first frame has been recorded and the GPU is done with them: nobody
    waits. Heaps that are larger than they have to be are kept for ``SETTLED_FRAMES``, because what was switched off may
    be switched on again; after that the plan moves into heaps of its own size.
    """

    def __init__(self, graph: FrameGraph, backend: Backend, memory: DeviceMemory) -> None:
        self._graph = graph
        self._backend = backend
        self._memory = memory

    def next(self, prepared: PreparedPlan, old: RunningPlan | None, *, tight: bool = False) -> RunningPlan:
        """The plan ready to run and to take over the old one's histories; the old one stays as it is if this raises.

        ``tight``: in no heap that is larger than planned.
        """
        plan = prepared.plan
        if old is None:
            return self._running(prepared, self._memory.provide(plan))
        # With other barriers, the first frame would not wait for all that the old plan's last frame did.
        alike = plan.program == old.plan.program and plan.sync.images == old.plan.sync.images
        if same_places(plan, old.plan) and alike and not tight:
            resources = self._memory.resize(old.resources, plan)
            running = self._running(prepared, resources)
            running.take_over(old)
            return running
        near = [*old.resources.heaps, *(old.remains.resources.heaps if old.remains is not None else ())]
        running = self._running(prepared, self._memory.provide(plan, near, tight=tight))
        left = old.retire()
        if old.started:
            running.remains = left
        else:
            running.remains = old.remains
            left.give_back(self._memory)
        return running

    def is_wasteful(self, running: RunningPlan) -> bool:
        """Whether a plan that has just settled has heaps that are larger than it needs."""
        heaps = zip(running.plan.placement.heaps, running.resources.heaps, strict=True)
        return running.frames == SETTLED_FRAMES and any(is_loose(plan, heap) for plan, heap in heaps)

    def _running(self, prepared: PreparedPlan, resources: PlanResources) -> RunningPlan:
        try:
            providers = self._graph.providers_of(prepared.request.declared)
            return RunningPlan(prepared, providers, resources, self._backend, self._memory)
        except BaseException:
            self._memory.give_back(resources)
            raise
