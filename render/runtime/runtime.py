"""The frame loop: keeps a plan up to date with its graph, and runs it once a frame."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from renderwright.render.backend.command_buffers import QueuedCommands
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend, Recorder
from renderwright.render.backend.target import Target
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import GraphError, OutOfMemoryError
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.checks.frame_check import FrameCheck
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.checks.texel_counter import TexelCounter
from renderwright.render.runtime.failures import FailureHandler, NodesFailedError
from renderwright.render.runtime.frame_capture import FrameCapture
from renderwright.render.runtime.frame_lists import FrameEnds, FrameLists
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.memory.device_memory import DeviceMemory
from renderwright.render.runtime.node_runner import NodeRunner
from renderwright.render.runtime.out_of_memory import HopelessError, OutOfMemoryLog
from renderwright.render.runtime.pipelines import PipelineCache
from renderwright.render.runtime.plans.beside import Worker
from renderwright.render.runtime.plans.current_plan import CurrentPlan
from renderwright.render.runtime.plans.planner import Judge, Planner
from renderwright.render.runtime.plans.running import RunningPlan
from renderwright.render.runtime.plans.succession import Succession
from renderwright.render.runtime.plans.trial import Trial
from renderwright.render.runtime.recording import Recording
from renderwright.render.runtime.right_of_way import RightOfWay
from renderwright.render.runtime.skipping.rates import LastRun
from renderwright.render.runtime.spans import Spans
from renderwright.render.runtime.times.gpu_times import GpuTimes
from renderwright.render.runtime.times.node_notices import NodeNotices
from renderwright.render.runtime.verification.recordings import Recordings
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS
from renderwright.render.types.physical import Physical, PhysicalTexture

FinishFrame = Callable[[Recorder, RunningPlan], None]


class Runtime:
    """Runs a frame graph on a backend.

    ``target_texture`` is the image that the current frame renders to; the provider of an external resource can return
    it. ``on_failure`` is called for every node that raised; the node then leaves the graph unless the handler has
    removed it. Without it, failures and errors of plans are logged. ``on_notice`` is called once for an oddity of a
    node that goes on, which is logged by default. An exception of a handler ends the frame.

    The runtime uses the queues of ``options`` that the device has, by default all. The first plan uses the packing
    policy of ``options``, by default ``BALANCED``; later plans are packed ``FAST``, and with ``repack`` a thread
    searches for a better packing and a better order, which take over between two frames. Pictures do not change, but
    the frame in which a plan takes over depends on the machine. ``judge`` checks every new plan. ``poison`` fills the
    bytes of a copy when its live range ends. With a ``worker``, changes of structure are compiled beside the frames
    (docs/plans-beside-frames.md), so the frame in which a plan takes over depends on the machine, too; without one,
    each frame waits for its plan. ``check`` judges the commands of every node, and counts texels if
    asked to, on a single queue. ``recording`` says whether commands are kept. ``trial`` holds edits that are taken back
    if a node fails. ``times`` reads the GPU's times in some of the frames, ``capture`` copies the textures of one.
    """

    def __init__(
        self,
        graph: FrameGraph,
        backend: Backend,
        library: ShaderLibrary,
        *,
        options: CompileOptions | None = None,
        on_failure: FailureHandler | None = None,
        on_notice: FailureHandler | None = None,
        first_frame: int = 0,
        pipelines: PipelineCache | None = None,
        repack: bool = False,
        judge: Judge | None = None,
        poison: Poison | None = None,
        worker: Worker | None = None,
        check: FrameCheck | None = None,
        recording: Recording = Recording.KEPT,
        trial: Trial | None = None,
    ) -> None:
        self.graph = graph
        self.backend = backend
        self.frame = first_frame
        self.target_texture: PhysicalTexture | None = None
        options = options or CompileOptions(packing=PackPolicy.BALANCED, queues=ALL_QUEUES)
        self._check = check
        self._counter = TexelCounter(backend, library) if check is not None and check.texels else None
        able = backend.capabilities
        here = able.queues if poison is None and self._counter is None else (GRAPHICS,)
        options = options.on_device(able, here)
        # Fills between two live ranges destroy the contents of images that would be reused.
        options = options if poison is None else replace(options, keep_images=False)
        options = options if self._counter is None else replace(options, merge=False)
        self._library = library
        self._pipelines = pipelines or PipelineCache(backend, library)
        self._owns_pipelines = pipelines is None
        self._memory = DeviceMemory(backend, poison, self._counter)
        self._right_of_way = RightOfWay()
        if worker is not None:
            self._right_of_way = worker.right_of_way
            backend.waiting = worker.right_of_way.waiting
        self.spans = Spans()
        self._planner = Planner(backend, self._pipelines, self.spans, repack=repack, judge=judge, worker=worker)
        self._out_of_memory_log = OutOfMemoryLog(first_frame)
        self._current = CurrentPlan(
            graph,
            self._planner,
            Succession(graph, backend, self._memory),
            options,
            self._out_of_memory_log,
            on_failure,
            self._switched,
            trial or Trial(),
        )
        self._notices = NodeNotices(on_notice)
        self.recordings = Recordings(recording, self._notices.add)
        self.times = GpuTimes(backend, self._notices)
        self.capture = FrameCapture(backend)
        self._ends = FrameEnds(backend)
        self._last_runs: dict[str, LastRun] = {}
        self._in_frame = False

    # plans ----------------------------------------------------------------------------------------------------------

    @property
    def plan(self) -> Plan:
        """The running plan; without a worker, compiled now if the graph has changed."""
        return self._up_to_date().plan

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of instances by dimension that the running plan is for; 1 where absent."""
        return dict(self._up_to_date().prepared.request.snapshot.counts)

    @property
    def heap_bytes(self) -> int:
        """Device memory of the running plan's transient heaps, in bytes."""
        return self._up_to_date().resources.heap_bytes

    @property
    def options(self) -> CompileOptions:
        """Compile options, for the next plan on."""
        return self._current.options

    @options.setter
    def options(self, options: CompileOptions) -> None:
        self._current.options = options

    @property
    def behind(self) -> bool:
        """Whether the running plan lacks edits of the graph because their plan is not ready. Call ``update`` first."""
        return self._current.behind

    def update(self) -> None:
        """Compile changes, now or with a worker beside the frames, and switch to a plan that is ready; the next frame
        does so otherwise."""
        self._up_to_date()

    def hold(self, resolutions: Sequence[ResolutionRule]) -> None:
        """Override resolutions of the graph for the nodes of a plan that is ``behind``; a new plan uses the graph's."""
        self._current.held = resolutions

    def when_shown(self, action: Callable[[], None]) -> None:
        """Call ``action`` when frames show all edits so far.

        That is now, or between two frames when a plan with these edits takes over, or when the runtime ends. Until then
        removed nodes are still executed: release their resources in an action.
        """
        self._current.when_shown(action)

    def adopt_measured_costs(self) -> bool:
        """Use measured GPU times as costs for the order of nodes from the next plan on; True if costs have changed.

        The runtime never calls this itself: plans do not depend on the machine unless the application calls it.
        """
        costs = self.times.costs.costs(self.plan.graph.nodes, self.options.costs)
        if costs == self.options.costs:
            return False
        self.options = replace(self.options, costs=costs)
        self._current.decide_again()
        return True

    def _up_to_date(self) -> RunningPlan:
        running = self._current.running
        return running if running is not None and self._in_frame else self._current.update()

    def _switched(self, running: RunningPlan) -> None:
        """Called when another plan takes over."""
        self._last_runs = {name: run for name, run in self._last_runs.items() if name in running.rates.nodes}
        self.times.costs.keep(node.id for node in running.plan.graph.nodes)
        self._trim_pipelines()

    def _trim_pipelines(self) -> None:
        if self._owns_pipelines and self._current.present:
            self._pipelines.trim([one for plan in self._current.present for one in plan.pipelines.values()])

    def finish_compile(self) -> None:
        """Wait for the compile beside the frames, if any; the next frame has its plan."""
        self._current.finish()

    def finish_repacking(self) -> None:
        """Wait for the search for a smaller plan, if any; the next frame adopts its result."""
        self._planner.finish_repacking()

    # frames ---------------------------------------------------------------------------------------------------------

    def render(
        self, target: Target | None, prepare: Callable[[int], None] | None = None, finish: FinishFrame | None = None
    ) -> FrameReport | None:
        """Render one frame to the target; None if the frame is dropped (minimised window, out of memory).

        Without a target the frame's results stay in its resources. ``prepare`` is called with the frame slot once the
        GPU has finished with it and its mapped memory can be written. ``finish`` may record commands after all nodes.
        """
        with self._right_of_way.frame():
            self._current.save_memory()
            self._current.update()
            while True:
                running = self._current.follow_sizes()
                self._in_frame = True
                try:
                    report = self._render(running, target, prepare, finish)
                    if report is None:
                        self._current.drop_frame()
                    return report
                except NodesFailedError as error:
                    failures = error.failures
                finally:
                    self._in_frame = False
                    self.capture.end()
                self._current.report(failures, while_running=True)
                self._current.update()

    def _render(
        self,
        running: RunningPlan,
        target: Target | None,
        prepare: Callable[[int], None] | None,
        finish: FinishFrame | None,
    ) -> FrameReport | None:
        start, slot = time.perf_counter(), self.frame % FRAMES_IN_FLIGHT
        try:
            self.backend.begin_frame(slot)
            self._ends.reserve(slot)
        except OutOfMemoryError as error:
            self._out_of_memory_log.frame(self.frame, error)
            return None
        reading = self.times.begin_frame(slot, running.plan.graph.nodes)
        image = target.acquire(slot) if target is not None else None
        if image is None and target is not None:
            self.backend.end_frame(slot, [], None)
            return None
        self.target_texture = image
        if prepare is not None:
            self.spans.call("uploads", prepare, slot)
        lists = FrameLists(slot, self._ends)
        runner = NodeRunner(self.frame, self._check, self._notices, self.recordings)
        try:
            carried = running.prepare(slot, lists.opening)
            skipped = self._play(running, slot, lists, runner)
            if finish is not None:
                recorder = self.backend.recorder(slot)
                finish(recorder, running)
                lists.closing.append(recorder.take())
            submissions = lists.queued()
        except HopelessError:
            self.backend.end_frame(slot, [], None)
            raise
        except (NodesFailedError, OutOfMemoryError) as error:
            self._drop(slot, lists)
            if isinstance(error, NodesFailedError):
                raise
            self._out_of_memory_log.frame(self.frame, error)
            return None
        fits = self._submit(slot, submissions, target)
        running.end_frame(self.frame)
        self.capture.submitted(self.frame, running)
        self.frame += 1
        self._current.end_frame(runner.failures)
        self._notices.end_frame()
        if self._check is not None:
            counts = self._counter.read() if self._counter is not None else None
            self._check.end_frame(self.frame - 1, running.plan, skipped, runner.failed, counts)
        if not fits and target is not None:
            target.resize(target.extent)
        seen = reading.intervals, skipped, carried.moved_bytes, reading.start, runner.seconds, start, runner.begins
        return FrameReport(self.frame - 1, running.plan, time.perf_counter() - start, *seen, running.prepared.pipelines)

    def _drop(self, slot: int, lists: FrameLists) -> None:
        """End a frame of which only the opening can be submitted."""
        self.backend.recorder(slot).take()
        try:
            opened = lists.opened()
        except HopelessError:
            self.backend.end_frame(slot, [], None)
            raise
        self._submit(slot, opened, None)

    def _submit(self, slot: int, submissions: Sequence[QueuedCommands], target: Target | None) -> bool:
        try:
            return self.backend.end_frame(slot, submissions, target)
        except OutOfMemoryError as error:
            raise HopelessError(error) from error

    def beside(self, graph: FrameGraph, on_failure: FailureHandler, backend: Backend | None = None) -> Runtime:
        """A runtime of another graph.

        It shares this runtime's pipelines and begins in the slot of the next frame: close it before this runtime
        changes its plan. With a ``backend`` it runs there with pipelines of its own, and its frames are sliced.
        """
        self._trim_pipelines()
        return Runtime(
            graph,
            backend or self.backend,
            self._library,
            options=self.options.beside(sliced=backend is not None),
            on_failure=on_failure,
            first_frame=self.frame % FRAMES_IN_FLIGHT,
            pipelines=self._pipelines if backend is None else None,
            recording=self.recordings.mode,
        )

    def spare_slot(self) -> int:
        """The slot of the next frame, for a submission before it. Raises ``GraphError`` while recording a frame."""
        if self._in_frame:
            raise GraphError(
                "a frame is being recorded; nothing else can be submitted until it is finished",
                hint="call this between frames, not from a node's execute function",
            )
        slot = self.frame % FRAMES_IN_FLIGHT
        self.times.end_frame(slot, ())
        return slot

    def _play(self, running: RunningPlan, slot: int, lists: FrameLists, runner: NodeRunner) -> frozenset[str]:
        """Record the frame; returns the skipped nodes."""
        given = running.given(self.frame, slot)
        skipped: frozenset[str] = frozenset()
        if running.rates:
            early = running.early(slot, given)
            runner.failures += early.failures
            early.mark_valid(running.resources.valid_in(self.frame))

            def run(node: str) -> None:
                if node in early.runs:
                    runner.run(early.runs[node], lists.opening)

            def cell_of(blob: str) -> BlobCell:
                return given.cells.get(blob) or running.resources.cells[blob, slot]

            skipped = running.rates.skipped(self.frame, self._last_runs, running.resources.valid, run, cell_of)
            skipped = running.skipped_at_hand(skipped, slot, given) if self._planner.seconds_a_frame else skipped
        lowered = self.capture.lowered(running, skipped, slot, given)
        runner.failures += lowered.failures
        lowered.mark_valid(running.resources.valid_in(self.frame))
        runner.update(lowered, self.backend)
        self._current.trial.judge(runner.failures)
        lists.submissions = lowered.queued(follows=running.frames > 0)
        if running.rates:
            running.rates.note_runs(self._last_runs, skipped, runner.failed, running.resources.valid, cell_of)
        self.times.end_frame(slot, lowered.timed)
        return skipped

    # looking at resources -------------------------------------------------------------------------------------------

    def resource(self, name: str) -> Physical:
        """The physical resource that held ``name`` (a resource instance's id) in the last frame."""
        return self._up_to_date().resources.physical(name, self.frame - 1)

    def blob(self, name: str) -> Any:
        """The CPU value that ``name`` (a resource instance's id) had in the last frame."""
        return self._up_to_date().cells.value(name, self.frame - 1)

    def unfinished(self) -> tuple[NodeInstance, ...]:
        """The nodes that the device is working on, of the oldest frame that it has not finished."""
        running = self._current.running
        return self.times.unfinished(running.plan, self.frame) if running is not None else ()

    def abandon(self) -> None:
        """End without releasing anything: the device and all its objects are lost."""
        self._current.abandon()

    def close(self) -> None:
        """Release everything that the runtime holds on the device."""
        self._current.close()
        self._memory.arrays.keep_only(())
        self._memory.constants.destroy()
        self._ends.destroy()
        if self._counter is not None:
            self._counter.close()
        if self._owns_pipelines:
            self._pipelines.destroy()
