"""The frame loop: keeps a plan up to date with its graph, and runs it once a frame."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from render.backend.protocol import FRAMES_IN_FLIGHT, Backend, OpList, Physical, PhysicalTexture, Pipeline, Target
from render.compiler.pipeline import Compiler
from render.compiler.plan import Plan
from render.compiler.snapshot import CompileOptions
from render.errors import BackendError, FramewrightError, GraphError
from render.graph.frame_graph import ExternalContext, FrameGraph
from render.graph.handles import BlobCell
from render.graph.resources import Blob
from render.runtime.failures import FailureHandler, FailurePhase, NodeFailure, NodesFailedError
from render.runtime.history import start_histories
from render.runtime.lowering import Externals, LoweredFrame, Lowering
from render.runtime.pipelines import PipelineCache
from render.runtime.resources import PlanResources, create_resources
from render.runtime.uniforms import UniformMemory
from render.shaders.library import ShaderLibrary

log = logging.getLogger("framewright.runtime")

MAX_LOWERED = 16


@dataclass
class RunningPlan:
    """A plan with everything that it needs on the device."""

    plan: Plan
    resources: PlanResources
    pipelines: Mapping[tuple[str, int], Pipeline]
    memory: UniformMemory
    lowering: Lowering
    lowered: dict[tuple[object, ...], LoweredFrame] = field(default_factory=dict)
    external_cells: dict[str, BlobCell] = field(default_factory=dict)
    started: bool = False
    prologue_from: tuple[Plan, PlanResources] | None = None


@dataclass(frozen=True)
class FrameReport:
    """What one frame did. ``gpu_times`` are seconds by node instance of an earlier, finished frame."""

    frame: int
    plan: Plan
    cpu_seconds: float
    gpu_times: Mapping[str, float]


class Runtime:
    """Runs a frame graph on a backend.

    ``target_texture`` is what the current frame is for; the provider of an external resource can hand it on.
    ``on_failure`` is told of every node that raised; the node is then removed from the graph unless the handler has
    changed the graph itself. A handler that raises ends the frame with its exception.
    """

    def __init__(
        self,
        graph: FrameGraph,
        backend: Backend,
        library: ShaderLibrary,
        *,
        options: CompileOptions | None = None,
        on_failure: FailureHandler | None = None,
    ) -> None:
        self.graph = graph
        self.backend = backend
        self.frame = 0
        self.target_texture: PhysicalTexture | None = None
        self.options = options or CompileOptions()
        self._on_failure = on_failure or (lambda failure: log.error("%s", failure))
        self._compiler = Compiler(backend)
        self._pipelines = PipelineCache(backend, library)
        self._running: RunningPlan | None = None
        self._revision = -1
        self._timed: list[tuple[str, ...]] = [()] * FRAMES_IN_FLIGHT

    # plans ----------------------------------------------------------------------------------------------------------

    @property
    def plan(self) -> Plan:
        """The plan that runs; compiled now if the graph has changed."""
        return self._up_to_date().plan

    @property
    def heap_bytes(self) -> int:
        """Device memory of the running plan's transient heaps, in bytes."""
        return self._up_to_date().resources.heap_bytes

    def _up_to_date(self) -> RunningPlan:
        while self._running is None or self.graph.revision != self._revision:
            revision = self.graph.revision
            failures = [
                NodeFailure(f.source.name, f.source.plugin, FailurePhase.DECLARE, f.error) for f in self.graph.declare()
            ]
            if not failures:
                try:
                    self._running = self._recompile()
                except NodesFailedError as error:
                    failures = error.failures
                except FramewrightError as error:
                    if self._running is None:
                        raise
                    log.error("the graph has no new plan; the old one keeps running: %s", error)
            if failures:
                self._report(failures)
            else:
                self._revision = revision
        return self._running

    def _report(self, failures: list[NodeFailure]) -> None:
        for failure in failures:
            self._on_failure(failure)
            if failure.node in self.graph.node_names:
                self.graph.remove_node(failure.node)

    def _recompile(self) -> RunningPlan:
        old = self._running
        plan = self._compiler.compile(self.graph.snapshot(), self.graph.sizes(), self.options)
        if old is None or plan is not old.plan:
            for problem in plan.problems:
                log.log(logging.ERROR if problem.severity == "error" else logging.DEBUG, "%s", problem)
        pipelines = self._pipelines.load(plan, self.graph)
        same_memory = old is not None and plan.placement is old.plan.placement
        resources = old.resources if old is not None and same_memory else create_resources(plan, self.backend)
        memory = UniformMemory(self.backend)
        lowering = Lowering(plan, self.graph, resources, pipelines, memory, self.backend)
        running = RunningPlan(plan, resources, pipelines, memory, lowering)
        if old is not None:
            if same_memory:
                running.started, running.prologue_from = old.started, old.prologue_from
            else:
                running.prologue_from = (old.plan, old.resources) if old.started else old.prologue_from
            self._retire(old, keep_resources=same_memory or old.started)
        return running

    def _retire(self, old: RunningPlan, *, keep_resources: bool) -> None:
        for lowered in old.lowered.values():
            lowered.destroy(self.backend)
        old.memory.destroy()
        if not keep_resources:
            old.resources.destroy(self.backend)

    # frames ---------------------------------------------------------------------------------------------------------

    def render(self, target: Target, prepare: Callable[[int], None] | None = None) -> FrameReport | None:
        """Render one frame to the target; None if nothing can be shown now (a minimised window).

        ``prepare`` is called with the frame slot once the GPU has left it: the time to write that slot's mapped memory.
        """
        running = self._up_to_date()
        start = time.perf_counter()
        slot = self.frame % FRAMES_IN_FLIGHT
        self.backend.begin_frame(slot)
        gpu_times = self._gpu_times(slot)
        image = target.acquire(slot)
        if image is None:
            self.backend.end_frame(slot, [], None)
            return None
        self.target_texture = image
        if prepare is not None:
            prepare(slot)
        lists: list[OpList] = []
        if not running.started:
            lists.append(self._prologue(running, slot))
        failures = self._play(running, slot, lists)
        fits = self.backend.end_frame(slot, lists, target)
        for placed in running.plan.placement.resources:
            if placed.history:
                running.resources.valid.add((placed.id, slot))
        self.frame += 1
        if failures:
            self._report(failures)
        if not fits:
            target.resize(target.extent)
        return FrameReport(self.frame - 1, running.plan, time.perf_counter() - start, gpu_times)

    def _prologue(self, running: RunningPlan, slot: int) -> OpList:
        recorder = self.backend.recorder(slot)
        old = running.prologue_from
        start_histories(running.plan, running.resources, 1 - slot, recorder, old)
        running.started = True
        running.prologue_from = None
        if old is not None:
            old[1].destroy(self.backend)
        return recorder.take()

    def _play(self, running: RunningPlan, slot: int, lists: list[OpList]) -> list[NodeFailure]:
        lowered = self._lowered(running, slot)
        failures = list(lowered.failures)
        for bound, key in lowered.histories:
            bound.valid = key in running.resources.valid
        for item in lowered.items:
            if isinstance(item, OpList):
                lists.append(item)
                continue
            try:
                recorded = item.run(self.frame)
            except Exception as error:
                declaration = item.instance.declaration
                failures.append(NodeFailure(declaration.name, declaration.plugin, FailurePhase.EXECUTE, error))
                continue
            if recorded is not None:
                lists.append(recorded)
        self._timed[slot] = lowered.timed
        return failures

    def _lowered(self, running: RunningPlan, slot: int) -> LoweredFrame:
        externals = self._externals(running, slot)
        key = (slot, *externals.physicals.values())
        lowered = running.lowered.get(key)
        if lowered is None:
            if len(running.lowered) >= MAX_LOWERED:
                oldest = next(iter(running.lowered))
                running.lowered.pop(oldest).destroy(self.backend)
            lowered = running.lowered[key] = running.lowering.lower(slot, externals)
        return lowered

    def _externals(self, running: RunningPlan, slot: int) -> Externals:
        physicals: dict[str, Physical] = {}
        for instance in running.plan.graph.resources:
            if not instance.resource.external:
                continue
            name = instance.resource.root
            provider = self.graph.providers.get(name)
            if provider is None:
                raise GraphError(
                    f'nobody provides the external resource "{name}"',
                    hint=f'call graph.set_external("{name}", provider)',
                    where=instance.resource.source,
                )
            provided = provider(ExternalContext(dict(instance.index), self.frame, slot))
            if isinstance(instance.resource.desc, Blob):
                running.external_cells.setdefault(instance.id, BlobCell()).value = provided
            else:
                physicals[instance.id] = provided
        return Externals(physicals, running.external_cells)

    def _gpu_times(self, slot: int) -> dict[str, float]:
        stamps = self.backend.timestamps(slot)
        return {
            name: (stamps[2 * number + 1] - stamps[2 * number]) * 1e-9
            for number, name in enumerate(self._timed[slot])
            if 2 * number + 1 < len(stamps)
        }

    # looking at resources -------------------------------------------------------------------------------------------

    def resource(self, name: str) -> Physical:
        """The physical resource that held ``name`` (a resource instance's id) in the last frame."""
        running = self._up_to_date()
        key = (name, (self.frame - 1) % FRAMES_IN_FLIGHT)
        if key not in running.resources.physicals:
            known = sorted({resource for resource, _ in running.resources.physicals})
            raise BackendError(f'there is no GPU resource "{name}" in the plan', hint=f"there are: {', '.join(known)}")
        return running.resources.physicals[key]

    def close(self) -> None:
        """Give back everything the runtime holds on the device."""
        if self._running is not None:
            self._retire(self._running, keep_resources=False)
            if self._running.prologue_from is not None:
                self._running.prologue_from[1].destroy(self.backend)
            self._running = None
        self._pipelines.destroy()
