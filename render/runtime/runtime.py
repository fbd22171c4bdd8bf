"""The frame loop: keeps a plan up to date with its graph, and runs it once a frame."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend, OpList, Recorder, Target
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import (
    BackendError,
    DeviceLostError,
    GraphError,
    OutOfMemoryError,
)
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.handles import BlobCell
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.beside import Worker
from renderwright.render.runtime.current_plan import CurrentPlan
from renderwright.render.runtime.device_memory import DeviceMemory
from renderwright.render.runtime.externals import ask_providers
from renderwright.render.runtime.failures import FailureHandler, FailurePhase, NodeFailure
from renderwright.render.runtime.frame_lists import FrameLists
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.gpu_clock import TimedNode, gpu_intervals
from renderwright.render.runtime.lowered import Given, NodeRun
from renderwright.render.runtime.measured_costs import MeasuredCosts
from renderwright.render.runtime.out_of_memory import Shortage, hopeless
from renderwright.render.runtime.pipelines import PipelineCache
from renderwright.render.runtime.planner import Judge, Planner
from renderwright.render.runtime.poison import Poison
from renderwright.render.runtime.rates import LastRun
from renderwright.render.runtime.running import RunningPlan
from renderwright.render.runtime.succession import Succession
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS
from renderwright.render.types.physical import Physical, PhysicalTexture
from renderwright.render.types.resources import Extent

log = logging.getLogger("renderwright.runtime")

FinishFrame = Callable[[Recorder, RunningPlan], None]


class Runtime:
    """Runs a frame graph on a backend.

    ``target_texture`` is what the current frame is for; the provider of an external resource can hand it on.
    ``on_failure`` is told of every node that raised; the node is then removed from the graph unless the handler has
    changed the graph itself. A handler that raises ends the frame with its exception.

    Of the queues that ``options`` name, those are used that the device has, by default all. The first plan is packed as
    ``options`` say, by default ``BALANCED``; what changes in mid-run is packed ``FAST``, and with ``repack`` a thread
    looks for a better packing, which takes over between two frames: pictures stay the same, but which frame has which
    plan depends on the machine. ``judge`` is shown every new plan. ``poison`` fills memory whenever a life in it ends.
    With a ``worker`` changes of structure are compiled beside the frames (docs/plans-beside-frames.md), so that which
    frame has which plan depends on the machine, too; without, each frame waits for its plan.
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
        repack: bool = False,
        judge: Judge | None = None,
        poison: Poison | None = None,
        worker: Worker | None = None,
    ) -> None:
        self.graph = graph
        self.backend = backend
        self.frame = first_frame
        self.target_texture: PhysicalTexture | None = None
        options = options or CompileOptions(packing=PackPolicy.BALANCED, queues=ALL_QUEUES)
        here = backend.capabilities.queues if poison is None else (GRAPHICS,)
        able = backend.capabilities
        options = options.on_device(here, able.views, unified_layouts=able.unified_layouts)
        # Memory that is filled between two lives belongs to no image any more.
        options = options if poison is None else replace(options, keep_images=False)
        self._library = library
        self._pipelines = pipelines or PipelineCache(backend, library)
        self._owns_pipelines = pipelines is None
        self._memory = DeviceMemory(backend, poison)
        self._planner = Planner(backend, self._pipelines, repack=repack, judge=judge, worker=worker)
        self._shortage = Shortage(first_frame)
        self._current = CurrentPlan(
            graph,
            self._planner,
            Succession(graph, backend, self._memory),
            options,
            self._shortage,
            on_failure or (lambda failure: log.error("%s", failure)),
            self._switched,
        )
        self._timed: list[tuple[TimedNode, ...]] = [()] * FRAMES_IN_FLIGHT
        self._measured = MeasuredCosts()
        self._last_runs: dict[str, LastRun] = {}
        self._in_frame = False

    # plans ----------------------------------------------------------------------------------------------------------

    @property
    def plan(self) -> Plan:
        """The plan that runs; compiled now if the graph has changed, unless that is done beside the frames."""
        return self._up_to_date().plan

    @property
    def heap_bytes(self) -> int:
        """Device memory of the running plan's transient heaps, in bytes."""
        return self._up_to_date().resources.heap_bytes

    @property
    def options(self) -> CompileOptions:
        """How plans are compiled, from the next one on."""
        return self._current.options

    @options.setter
    def options(self, options: CompileOptions) -> None:
        self._current.options = options

    @property
    def behind(self) -> bool:
        """Whether the plan that runs does not know the last edits of the graph, since their plan is not ready.

        Call ``update`` before.
        """
        return self._current.behind

    def update(self) -> None:
        """Bring the plan up to date between frames, as the next frame does at the latest.

        A change is compiled now, or beside the frames where there is a worker; what has been compiled takes over.
        """
        self._up_to_date()

    def hold(self, sizes: Mapping[str, Extent]) -> None:
        """Let a plan that is ``behind`` have other sizes than the graph, by the resolutions' names.

        They are those of the nodes that it executes still. The new plan has the graph's.
        """
        self._current.held = sizes

    def when_shown(self, action: Callable[[], None]) -> None:
        """Call ``action`` when frames show all edits so far.

        Now, or between two frames when a plan takes over that knows these edits, or when the runtime ends. Until then
        nodes that have been removed are executed: give back what they use in an action.
        """
        self._current.when_shown(action)

    def adopt_measured_costs(self) -> bool:
        """Order the nodes by the GPU times of the frames so far, from the next frame on; True if these are news.

        Nothing calls this by itself: a run that never does has the same plan in every frame and on every machine.
        """
        costs = self._measured.costs(self.plan.graph.nodes, self.options.costs)
        if costs == self.options.costs:
            return False
        self.options = replace(self.options, costs=costs)
        self._current.decide_again()
        return True

    def _up_to_date(self) -> RunningPlan:
        running = self._current.running
        return running if running is not None and self._in_frame else self._current.update()

    def _switched(self, running: RunningPlan) -> None:
        """Another plan is about to run."""
        self._last_runs = {name: run for name, run in self._last_runs.items() if name in running.rates.nodes}
        self._measured.keep(node.id for node in running.plan.graph.nodes)
        self._trim_pipelines(running)

    def _trim_pipelines(self, running: RunningPlan) -> None:
        if self._owns_pipelines:
            self._pipelines.trim(running.prepared.pipelines.values())

    def finish_compile(self) -> None:
        """Wait for the compile beside the frames, if there is one; the next frame has its plan."""
        self._planner.finish()

    def finish_repacking(self) -> None:
        """Wait for the search for a better packing, if there is one; the next frame has what it has found."""
        self._planner.finish_repacking()

    # frames ---------------------------------------------------------------------------------------------------------

    def render(
        self, target: Target | None, prepare: Callable[[int], None] | None = None, finish: FinishFrame | None = None
    ) -> FrameReport | None:
        """Render one frame to the target; None if nothing can be shown now (a minimised window).

        Without a target the frame's results stay in its resources. ``prepare`` is called with the frame slot once the
        GPU has left it: the time to write that slot's mapped memory. ``finish`` may record what comes after all nodes.
        """
        self._current.save_memory()
        self._current.update()
        running = self._current.follow_sizes()
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
        try:
            self.backend.begin_frame(slot)
        except OutOfMemoryError as error:
            self._shortage.frame(self.frame, error)
            return None
        began, intervals = gpu_intervals(self._timed[slot], self.backend.timestamps(slot))
        self._measured.add({node: interval.seconds for node, interval in intervals.items()})
        image = target.acquire(slot) if target is not None else None
        if image is None and target is not None:
            self.backend.end_frame(slot, [], None)
            return None
        self.target_texture = image
        if prepare is not None:
            prepare(slot)
        lists = FrameLists()
        failures: list[NodeFailure] = []
        try:
            carried = running.prepare(slot, lists.opening)
            resting = self._play(running, slot, lists, failures)
        except OutOfMemoryError as error:
            self.backend.recorder(slot).take()
            self.backend.end_frame(slot, lists.opened(), None)
            self._shortage.frame(self.frame, error)
            return None
        if finish is not None:
            recorder = self.backend.recorder(slot, buffer=lists.closing_buffer)
            finish(recorder, running)
            lists.closing.append(recorder.take())
        try:
            fits = self.backend.end_frame(slot, lists.queued(), target)
        except OutOfMemoryError as error:
            raise hopeless(error) from error
        running.end_frame(self.frame)
        self.frame += 1
        if self._current.settled:
            self._shortage.over()
        if failures:
            self._current.report(failures, while_running=True)
        if not fits and target is not None:
            target.resize(target.extent)
        seconds = time.perf_counter() - start
        return FrameReport(self.frame - 1, running.plan, seconds, intervals, resting, carried.moved_bytes, began)

    def beside(self, graph: FrameGraph, on_failure: FailureHandler, backend: Backend | None = None) -> Runtime:
        """A runtime of another graph. It shares this one's pipelines and begins in the slot of its next frame: close it
        before this one has another plan. With a ``backend`` it lives on that one, apart, and its frames are sliced.
        """
        if self._current.running is not None:
            self._trim_pipelines(self._current.running)
        return Runtime(
            graph,
            backend or self.backend,
            self._library,
            options=replace(self.options, packing=PackPolicy.FAST, queues=(GRAPHICS,), sliced=backend is not None),
            on_failure=on_failure,
            first_frame=self.frame % FRAMES_IN_FLIGHT,
            pipelines=self._pipelines if backend is None else None,
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

    def _play(self, running: RunningPlan, slot: int, lists: FrameLists, failures: list[NodeFailure]) -> frozenset[str]:
        """Records the frame; gives the nodes that do not run in it."""
        given = self._given(running, slot)
        resting: frozenset[str] = frozenset()
        if running.rates:
            early = running.early(slot, given)
            failures += early.failures
            nodes = {run.instance.id: run for run in early.runs}
            early.mark_valid(running.resources.valid_in(self.frame))

            def run(node: str) -> None:
                if node in nodes:
                    self._run(nodes[node], lists.opening, failures)

            def value(blob: str) -> object:
                cell = given.cells.get(blob) or running.resources.cells[blob, slot]
                return cell.value

            resting = running.rates.resting(self.frame, self._last_runs, running.resources.valid, run, value)
        lowered = running.lowered(resting, slot, given)
        failures += lowered.failures
        lowered.mark_valid(running.resources.valid_in(self.frame))
        lists.submissions = lowered.queued(lambda node, queued: self._run(node, queued, failures), running.frames > 0)
        if running.rates:
            self._note_runs(running, resting, {failure.node for failure in failures}, value)
        self._timed[slot] = lowered.timed
        return resting

    def _run(self, item: NodeRun, lists: list[OpList], failures: list[NodeFailure]) -> None:
        try:
            recorded = item.run(self.frame)
        except DeviceLostError:
            raise  # no node is to blame
        except Exception as error:
            declaration = item.instance.declaration
            failures.append(NodeFailure(declaration.name, declaration.plugin, FailurePhase.EXECUTE, error))
            return
        if recorded is not None:
            lists.append(recorded)

    def _note_runs(
        self, running: RunningPlan, resting: frozenset[str], failed: set[str], value: Callable[[str], object]
    ) -> None:
        """Remember which rated nodes have run, and that what they keep has contents."""
        for node in running.rates.nodes.values():
            if node.id not in resting and node.declaration.name not in failed:
                self._last_runs[node.id] = running.rates.last_run(node.id, value)
                names = running.rates.results(node.id)
                running.resources.valid.update((name, copy) for name in names for copy in (0, 1))

    def _given(self, running: RunningPlan, slot: int) -> Given:
        physicals, values = ask_providers(running.plan, running.providers, self.frame, slot)
        for name, value in values.items():
            running.external_cells.setdefault(name, BlobCell()).value = value
        return Given(physicals, running.external_cells, running.last.instead(running.resources, self.frame))

    # looking at resources -------------------------------------------------------------------------------------------

    def resource(self, name: str) -> Physical:
        """The physical resource that held ``name`` (a resource instance's id) in the last frame."""
        running = self._up_to_date()
        key = running.resources.written_in(name, self.frame - 1)
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

    def abandon(self) -> None:
        """End without giving anything back: the device is lost, and with it all that was on it."""
        self._current.end()

    def close(self) -> None:
        """Give back everything the runtime holds on the device."""
        self._current.end()
        if self._current.running is not None:
            self._current.running.close(self._memory)
            self._current.running = None
        if self._owns_pipelines:
            self._pipelines.destroy()
