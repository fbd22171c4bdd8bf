"""A plan with everything that it needs on the device, and its frames, lowered when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from render.backend.protocol import Backend, Pipeline
from render.compiler.partial import PartialPlans
from render.compiler.plan import Plan
from render.graph.frame_graph import FrameGraph
from render.graph.handles import BlobCell
from render.runtime.lowering import Externals, LoweredFrame, Lowering
from render.runtime.rates import PlanRates
from render.runtime.resources import PlanResources
from render.runtime.uniforms import UniformMemory

MAX_LOWERED = 16
"""Lowered frames kept of one choice of running nodes: one for each slot and set of external resources."""

MAX_CHOICES = 16
"""Choices of running nodes whose frames are kept."""


class LoweredFrames:
    """Lowered frames in which the same nodes run."""

    def __init__(self, lower: Callable[[int, Externals], LoweredFrame], memory: UniformMemory) -> None:
        self._lower = lower
        self._memory = memory
        self._known: dict[tuple[object, ...], LoweredFrame] = {}

    def get(self, slot: int, externals: Externals, backend: Backend) -> LoweredFrame:
        """The frame of a slot with these external resources."""
        key = (slot, *externals.physicals.values())
        lowered = self._known.get(key)
        if lowered is None:
            if len(self._known) >= MAX_LOWERED:
                oldest = next(iter(self._known))
                self._known.pop(oldest).destroy(backend)
            lowered = self._known[key] = self._lower(slot, externals)
        return lowered

    def destroy(self, backend: Backend) -> None:
        """Give everything back."""
        for lowered in self._known.values():
            lowered.destroy(backend)
        self._known.clear()
        self._memory.destroy()


class RunningPlan:
    """A plan on the device.

    ``started`` says that its first frame has begun; until then ``prologue_from`` is what that frame takes over from.
    """

    def __init__(
        self,
        plan: Plan,
        graph: FrameGraph,
        resources: PlanResources,
        pipelines: Mapping[tuple[str, int], Pipeline],
        backend: Backend,
    ) -> None:
        self.plan = plan
        self.resources = resources
        self.pipelines = pipelines
        self.rates = PlanRates(plan, graph)
        self.external_cells: dict[str, BlobCell] = {}
        self.started = False
        self.prologue_from: tuple[Plan, PlanResources] | None = None
        self._graph = graph
        self._backend = backend
        self._partial = PartialPlans(plan)
        self._frames: dict[frozenset[str], LoweredFrames] = {}
        self._early: LoweredFrames | None = None

    def lowered(self, resting: frozenset[str], slot: int, externals: Externals) -> LoweredFrame:
        """The frame of a slot in which the ``resting`` nodes do not run, without the early nodes."""
        frames = self._frames.pop(resting, None)
        if frames is None:
            if len(self._frames) >= MAX_CHOICES:
                self._frames.pop(next(iter(self._frames))).destroy(self._backend)
            memory = UniformMemory(self._backend)
            frames = LoweredFrames(self._lowering(self._partial.plan(resting), memory).lower, memory)
        self._frames[resting] = frames  # the last one of the dictionary is the one last used
        return frames.get(slot, externals, self._backend)

    def early(self, slot: int, externals: Externals) -> LoweredFrame:
        """The early nodes, ready to run in a slot."""
        if self._early is None:
            memory = UniformMemory(self._backend)
            self._early = LoweredFrames(self._lowering(self.plan, memory).lower_early, memory)
        return self._early.get(slot, externals, self._backend)

    def _lowering(self, plan: Plan, memory: UniformMemory) -> Lowering:
        early = self.rates.early_names
        return Lowering(plan, self._graph, self.resources, self.pipelines, memory, self._backend, early)

    def retire(self) -> None:
        """Give back everything but the resources."""
        for frames in (*self._frames.values(), *([self._early] if self._early else [])):
            frames.destroy(self._backend)
        self._frames.clear()
        self._early = None
