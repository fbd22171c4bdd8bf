"""Graphs that run in slices beside the frames: long work that no frame waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from renderwright.render.backend.capabilities import Capabilities
from renderwright.render.backend.command_buffers import CommandBuffer, QueuedCommands
from renderwright.render.backend.protocol import Backend, BackgroundWork, Recorder
from renderwright.render.backend.target import Target
from renderwright.render.compiler.queues.eligibility import fits_compute_queue
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import GraphError
from renderwright.render.graph.external import ExternalContext, ExternalProvider
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.memory.copies_out import copied_texture
from renderwright.render.runtime.on_demand import find_resource
from renderwright.render.runtime.plans.running import RunningPlan
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.physical import Physical, TextureInfo
from renderwright.render.types.usages import Usage

_BUFFER_USAGES = frozenset(
    {Usage.STORAGE, Usage.STORAGE_READ, Usage.UNIFORM, Usage.VERTEX, Usage.INDEX, Usage.INDIRECT, Usage.COPY_SRC}
)


class Background:
    """Runs a graph repeatedly beside the frames of a runtime. Readers get the results of the last finished run.

    ``start`` records a run. Each pass of the graph is a slice, and each ``advance`` submits ``slices`` of them: call it
    once a frame, between frames. If the device has a spare queue, slices run beside the frames at the lowest priority,
    a compute-only graph on a compute queue. Otherwise they run between frames, and the longest slice bounds how much
    longer a frame can take.

    ``keep`` names the textures and buffers to keep. Each run copies them into resources of their own, which replace
    the previous ones when the run has finished; no frame waits for that. Textures stay in the layout of sampled
    textures. Raises ``GraphError`` for a name that the graph does not make.
    """

    def __init__(self, runtime: Runtime, graph: FrameGraph, keep: Sequence[str], *, slices: int = 1) -> None:
        if not keep or slices < 1:
            raise GraphError(
                f"a background graph keeps {len(keep)} results and submits {slices} slices at once",
                hint="both must be at least 1",
            )
        for name in keep:
            graph.add_sink(name)
        self._backend = runtime.backend
        self._keep = tuple(keep)
        self._slices = slices
        self._beside = _Beside(runtime.backend)
        self._runtime = runtime.beside(graph, _fail, cast(Backend, self._beside))
        self._newest: Mapping[str, Physical] = {}
        self._making: dict[str, Physical] | None = None
        self._sent = 0
        self._again = False
        self.runs = 0
        try:
            self._check(self._runtime.plan)
            self._beside.work = runtime.backend.background(compute=fits_compute_queue(self._runtime.plan.graph))
        except BaseException:
            self._runtime.close()
            raise

    @property
    def running(self) -> bool:
        """Whether a run has begun and is not finished."""
        return self._making is not None

    def newest(self, name: str) -> Physical | None:
        """The result of the last finished run; None before the first. ``runs`` counts finished runs."""
        return self._newest.get(name)

    def provider(self, name: str) -> ExternalProvider:
        """A provider of the newest result for ``FrameGraph.set_external``. A frame before the first result waits."""
        if name not in self._keep:
            raise GraphError(f'the background graph does not keep "{name}"', hint=f"it keeps: {', '.join(self._keep)}")

        def provide(context: ExternalContext) -> Physical:
            if not self._newest:
                self.wait()
            return self._newest[name]

        return provide

    def start(self) -> None:
        """Begin a run, or request another one after the current run."""
        if self._making is not None:
            self._again = True
            return
        self._making, self._sent = {}, 0
        try:
            self._runtime.render(None, finish=self._copy)
        except BaseException:
            self._forget()
            raise
        if not self._beside.slices:
            self._forget()  # out of memory; the next start may succeed

    def advance(self) -> bool:
        """Submit the next slices; True if the run has finished."""
        if self._making is None:
            return False
        slices, work = self._beside.slices, self._beside.work
        assert work is not None
        if self._sent < len(slices):
            self._sent = min(self._sent + self._slices, len(slices))
            work.submit(self._beside.slot, slices[: self._sent])
            if self._sent == len(slices):
                self._beside.destroy_unwanted()
            return False
        if not work.finished():
            return False
        self._finish()
        return True

    def wait(self) -> None:
        """Finish the current run, or a new one, with a bounded wait."""
        if self._making is None:
            self.start()
        if self._making is None:
            raise GraphError("out of memory for the background graph", hint="make its resources smaller")
        work = self._beside.work
        assert work is not None
        work.submit(self._beside.slot, self._beside.slices)
        self._beside.destroy_unwanted()
        work.wait()
        self._finish()

    def close(self) -> None:
        """Release everything, including results. Slices that were not submitted are dropped."""
        self._forget()
        for physical in self._newest.values():
            self._backend.destroy(physical)
        self._newest = {}
        self._runtime.close()
        if self._beside.work is not None:
            self._backend.destroy(self._beside.work)
            self._beside.work = None

    def abandon(self) -> None:
        """End without releasing anything: the device is lost."""
        self._runtime.abandon()

    def _check(self, plan: Plan) -> None:
        items = {item.id: item for item in plan.graph.resources}
        for name in self._keep:
            item = find_resource(plan, name)
            if items[item.id].resource.desc.kind == "blob":
                raise GraphError(f'"{name}" is a blob, which is not kept', hint="keep textures and buffers")

    def _finish(self) -> None:
        work = self._beside.work
        assert work is not None
        assert self._making is not None
        work.publish()
        before, self._newest = self._newest, self._making
        self._making = None
        self._beside.slices = []
        self.runs += 1
        for physical in before.values():
            self._backend.destroy(physical)
        if self._again:
            self._again = False
            self.start()

    def _forget(self) -> None:
        """Drop the current run."""
        for physical in (self._making or {}).values():
            self._backend.destroy(physical)
        self._making = None
        self._beside.slices = []
        self._beside.destroy_unwanted()

    def _copy(self, recorder: Recorder, running: RunningPlan) -> None:
        """Record the copies of all kept resources, as the last slice."""
        assert self._making is not None
        for name in self._keep:
            item = find_resource(running.plan, name)
            slot = self._beside.recording
            source = running.resources.physicals[running.resources.written_in(item.id, self._runtime.frame)]
            if isinstance(source.info, TextureInfo):
                key = item.id, slot
                made = copied_texture(key, source, running.plan, name, recorder, self._backend)
                self._making[name] = made
            else:
                buffer = self._backend.create_buffer(replace(source.info, usages=_BUFFER_USAGES), name)
                self._making[name] = buffer
                recorder.full_barrier()
                recorder.copy_buffer(source, buffer)


def _fail(failure: NodeFailure) -> None:
    raise GraphError(str(failure)) from failure.error


@dataclass
class _Beside:
    """A backend whose frames are background work.

    ``slices`` are those of the last recorded run, in slot ``slot``. What is destroyed from its beginning on is
    ``unwanted``, but its slices may use it, and frames come to an end before they are submitted.
    """

    backend: Backend
    work: BackgroundWork | None = None
    slices: Sequence[QueuedCommands] = field(default_factory=list)
    slot: int = 0
    recording: int = 0
    unwanted: list[Any] = field(default_factory=list)
    in_run: bool = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.backend, name)

    @property
    def capabilities(self) -> Capabilities:
        """One queue, no timestamps."""
        return replace(self.backend.capabilities, queues=(GRAPHICS,), timestamps=False)

    def recorder(self, slot: int, queue: str = GRAPHICS) -> Recorder:
        """The recorder of a slot."""
        assert self.work is not None
        return self.work.recorder(slot)

    def create_commands(self, slot: int, queue: str, name: str) -> CommandBuffer:
        """A command buffer of a slot."""
        assert self.work is not None
        return self.work.create_commands(slot, name)

    def begin_frame(self, slot: int) -> None:
        """Begin a run."""
        assert self.work is not None
        self.recording, self.in_run = slot, True
        self.work.begin(slot)

    def destroy(self, resource: Any) -> None:
        """Destroy it, after the run's last slice was submitted."""
        if self.in_run:
            self.unwanted.append(resource)
        else:
            self.backend.destroy(resource)

    def destroy_unwanted(self) -> None:
        """All slices of the run have been submitted, or the others never will be."""
        self.in_run = False
        for resource in self.unwanted:
            self.backend.destroy(resource)
        self.unwanted.clear()

    def end_frame(self, slot: int, submissions: Sequence[QueuedCommands], target: Target | None) -> bool:
        """Keep the recorded run; ``Background.advance`` submits it."""
        assert self.work is not None
        if submissions:
            self.work.follow_frames()
        self.slot, self.slices = slot, list(submissions)
        return True

    def timestamps(self, slot: int) -> Sequence[int]:
        """Empty: background work is not timed."""
        return ()
