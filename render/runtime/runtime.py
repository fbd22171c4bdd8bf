"""The frame loop: keeps a plan up to date with its graph, and runs it once a frame."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from render.backend.protocol import FRAMES_IN_FLIGHT, Backend, OpList, Physical, PhysicalTexture, Recorder, Target
from render.compiler.pipeline import Compiler
from render.compiler.plan import Plan
from render.compiler.snapshot import CompileOptions
from render.errors import BackendError, CompileError, FramewrightError, GraphError
from render.graph.frame_graph import ExternalContext, FrameGraph
from render.graph.handles import BlobCell
from render.graph.resources import Blob
from render.runtime.failures import FailureHandler, FailurePhase, NodeFailure, NodesFailedError
from render.runtime.history import start_histories
from render.runtime.lowering import Externals, LoweredFrame, NodeRun
from render.runtime.measured_costs import MeasuredCosts
from render.runtime.pipelines import PipelineCache
from render.runtime.rates import LastRun
from render.runtime.resources import create_resources
from render.runtime.running import RunningPlan
from render.shaders.library import ShaderLibrary

log = logging.getLogger("framewright.runtime")

FinishFrame = Callable[[Recorder, RunningPlan], None]


@dataclass(frozen=True)
class FrameReport:
    """What one frame did. ``gpu_times`` are seconds by node instance of an earlier, finished frame.

    ``resting`` are the node instances that did not run, because of their rates.
    """

    frame: int
    plan: Plan
    cpu_seconds: float
    gpu_times: Mapping[str, float]
    resting: frozenset[str] = frozenset()


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
        first_frame: int = 0,
        pipelines: PipelineCache | None = None,
    ) -> None:
        self.graph = graph
        self.backend = backend
        self.frame = first_frame
        self.target_texture: PhysicalTexture | None = None
        self.options = options or CompileOptions()
        self._on_failure = on_failure or (lambda failure: log.error("%s", failure))
        self._compiler = Compiler(backend)
        self._library = library
        self._pipelines = pipelines or PipelineCache(backend, library)
        self._owns_pipelines = pipelines is None
        self._running: RunningPlan | None = None
        self._revision = -1
        self._timed: list[tuple[str, ...]] = [()] * FRAMES_IN_FLIGHT
        self._measured = MeasuredCosts()
        self._last_runs: dict[str, LastRun] = {}
        self._in_frame = False

    # plans ----------------------------------------------------------------------------------------------------------

    @property
    def plan(self) -> Plan:
        """The plan that runs; compiled now if the graph has changed."""
        return self._up_to_date().plan

    @property
    def heap_bytes(self) -> int:
        """Device memory of the running plan's transient heaps, in bytes."""
        return self._up_to_date().resources.heap_bytes

    def adopt_measured_costs(self) -> bool:
        """Order the nodes by the GPU times of the frames so far, from the next frame on; True if these are news.

        Nothing calls this by itself: a run that never does has the same plan in every frame and on every machine.
        """
        costs = self._measured.costs(self.plan.graph.nodes, self.options.costs)
        if costs == self.options.costs:
            return False
        self.options = replace(self.options, costs=costs)
        self._revision = -1  # the plan that runs is not up to date
        return True

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
                    failures = self._blame(error)
                    if not failures:
                        if self._running is None:
                            raise
                        log.error("the graph has no new plan; the old one keeps running: %s", error)
            if failures:
                self._report(failures)
            else:
                self._revision = revision
        return self._running

    def _blame(self, error: FramewrightError) -> list[NodeFailure]:
        """The node whose request makes a plan impossible, where the error names one."""
        name = error.node if isinstance(error, CompileError) else ""
        if name not in self.graph.node_names:
            return []
        plugin = self.graph.declared(name).source.plugin
        return [NodeFailure(name, plugin, FailurePhase.COMPILE, error)]

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
        running = RunningPlan(plan, self.graph, resources, pipelines, self.backend)
        self._last_runs = {name: run for name, run in self._last_runs.items() if name in running.rates.nodes}
        if old is not None:
            if same_memory:
                running.started, running.prologue_from = old.started, old.prologue_from
            else:
                running.prologue_from = (old.plan, old.resources) if old.started else old.prologue_from
            self._retire(old, keep_resources=same_memory or old.started)
        self._measured.keep(node.id for node in plan.graph.nodes)
        self._trim_pipelines(running)
        return running

    def _trim_pipelines(self, running: RunningPlan) -> None:
        if self._owns_pipelines:
            self._pipelines.trim(running.pipelines.values())

    def _retire(self, old: RunningPlan, *, keep_resources: bool) -> None:
        old.retire()
        if not keep_resources:
            old.resources.destroy(self.backend)

    # frames ---------------------------------------------------------------------------------------------------------

    def render(
        self, target: Target | None, prepare: Callable[[int], None] | None = None, finish: FinishFrame | None = None
    ) -> FrameReport | None:
        """Render one frame to the target; None if nothing can be shown now (a minimised window).

        Without a target the frame's results stay in its resources. ``prepare`` is called with the frame slot once the
        GPU has left it: the time to write that slot's mapped memory. ``finish`` may record what comes after all nodes.
        """
        running = self._up_to_date()
        self._in_frame = True
        try:
            return self._render(running, target, prepare, finish)
        finally:
            self._in_frame = False

    def _render(
        self,
        running: RunningPlan,
        target: Target | None,
        prepare: Callable[[int], None] | None,
        finish: FinishFrame | None,
    ) -> FrameReport | None:
        start = time.perf_counter()
        slot = self.frame % FRAMES_IN_FLIGHT
        self.backend.begin_frame(slot)
        gpu_times = self._gpu_times(slot)
        self._measured.add(gpu_times)
        image = target.acquire(slot) if target is not None else None
        if image is None and target is not None:
            self.backend.end_frame(slot, [], None)
            return None
        self.target_texture = image
        if prepare is not None:
            prepare(slot)
        lists: list[OpList] = []
        if not running.started:
            lists.append(self._prologue(running, slot))
        failures: list[NodeFailure] = []
        resting = self._play(running, slot, lists, failures)
        if finish is not None:
            recorder = self.backend.recorder(slot)
            finish(recorder, running)
            lists.append(recorder.take())
        fits = self.backend.end_frame(slot, lists, target)
        for placed in running.plan.placement.resources:
            if placed.history:
                running.resources.valid.add((placed.id, slot))
        self.frame += 1
        if failures:
            self._report(failures)
        if not fits and target is not None:
            target.resize(target.extent)
        return FrameReport(self.frame - 1, running.plan, time.perf_counter() - start, gpu_times, resting)

    def beside(self, graph: FrameGraph, on_failure: FailureHandler) -> Runtime:
        """A runtime of another graph that shares this one's pipelines and begins in the slot of its next frame.

        Close it before this one has another plan.
        """
        if self._running is not None:
            self._trim_pipelines(self._running)
        return Runtime(
            graph,
            self.backend,
            self._library,
            options=self.options,
            on_failure=on_failure,
            first_frame=self.frame % FRAMES_IN_FLIGHT,
            pipelines=self._pipelines,
        )

    def spare_slot(self) -> int:
        """The slot of the next frame, for a submission before it; ``GraphError`` while a frame is being recorded."""
        if self._in_frame:
            raise GraphError(
                "a frame is being recorded, and nothing else can be submitted until it is done",
                hint="call this between frames, not from a node's execute function",
            )
        slot = self.frame % FRAMES_IN_FLIGHT
        self._timed[slot] = ()  # the times measured there will not be a frame's
        return slot

    def _prologue(self, running: RunningPlan, slot: int) -> OpList:
        recorder = self.backend.recorder(slot)
        old = running.prologue_from
        start_histories(running.plan, running.resources, 1 - slot, recorder, old)
        running.started = True
        running.prologue_from = None
        if old is not None:
            old[1].destroy(self.backend)
        return recorder.take()

    def _play(
        self, running: RunningPlan, slot: int, lists: list[OpList], failures: list[NodeFailure]
    ) -> frozenset[str]:
        """Records the frame; gives the nodes that do not run in it."""
        externals = self._externals(running, slot)
        resting: frozenset[str] = frozenset()
        if running.rates:
            early = running.early(slot, externals)
            failures += early.failures
            nodes = {item.instance.id: item for item in early.items if isinstance(item, NodeRun)}
            self._mark_valid(running, early)

            def run(node: str) -> None:
                if node in nodes:
                    self._run(nodes[node], lists, failures)

            def value(blob: str) -> object:
                cell = externals.cells.get(blob) or running.resources.cells[blob, slot]
                return cell.value

            resting = running.rates.resting(self.frame, self._last_runs, running.resources.valid, run, value)
        lowered = running.lowered(resting, slot, externals)
        failures += lowered.failures
        self._mark_valid(running, lowered)
        for item in lowered.items:
            if isinstance(item, OpList):
                lists.append(item)
            else:
                self._run(item, lists, failures)
        if running.rates:
            self._note_runs(running, resting, {failure.node for failure in failures}, value)
        self._timed[slot] = lowered.timed
        return resting

    def _run(self, item: NodeRun, lists: list[OpList], failures: list[NodeFailure]) -> None:
        try:
            recorded = item.run(self.frame)
        except Exception as error:
            declaration = item.instance.declaration
            failures.append(NodeFailure(declaration.name, declaration.plugin, FailurePhase.EXECUTE, error))
            return
        if recorded is not None:
            lists.append(recorded)

    def _mark_valid(self, running: RunningPlan, lowered: LoweredFrame) -> None:
        for bound, key in lowered.histories:
            bound.valid = key in running.resources.valid

    def _note_runs(
        self, running: RunningPlan, resting: frozenset[str], failed: set[str], value: Callable[[str], object]
    ) -> None:
        """Remember which rated nodes have run, and that what they keep has contents."""
        for node in running.rates.nodes.values():
            if node.id not in resting and node.declaration.name not in failed:
                self._last_runs[node.id] = running.rates.last_run(node.id, value)
                running.resources.valid |= {(name, copy) for name in running.rates.results(node.id) for copy in (0, 1)}

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

    def blob(self, name: str) -> Any:
        """The CPU value that ``name`` (a resource instance's id) had in the last frame."""
        running = self._up_to_date()
        key = (name, (self.frame - 1) % FRAMES_IN_FLIGHT)
        cell = running.external_cells.get(name) or running.resources.cells.get(key)
        if cell is None:
            known = sorted({resource for resource, _ in running.resources.cells})
            raise BackendError(f'there is no blob "{name}" in the plan', hint=f"there are: {', '.join(known)}")
        return cell.value

    def close(self) -> None:
        """Give back everything the runtime holds on the device."""
        if self._running is not None:
            self._retire(self._running, keep_resources=False)
            if self._running.prologue_from is not None:
                self._running.prologue_from[1].destroy(self.backend)
            self._running = None
        if self._owns_pipelines:
            self._pipelines.destroy()
