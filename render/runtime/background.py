"""Graphs that are made beside the frames, bit by bit: long work that no frame waits for, and its newest results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from renderwright.render.backend.capabilities import Capabilities
from renderwright.render.backend.protocol import Backend, BackgroundWork, QueuedLists, Recorder, Target
from renderwright.render.compiler.queues.eligibility import fits_compute_queue
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import GraphError
from renderwright.render.graph.external import ExternalContext, ExternalProvider
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.copies_out import copied_texture
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.on_demand import find_resource
from renderwright.render.runtime.running import RunningPlan
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.physical import Physical, TextureInfo
from renderwright.render.types.usages import Usage

_BUFFER_USAGES = frozenset(
    {Usage.STORAGE, Usage.STORAGE_READ, Usage.UNIFORM, Usage.VERTEX, Usage.INDEX, Usage.INDIRECT, Usage.COPY_SRC}
)


class Background:
    """Runs a graph again and again beside the frames of a runtime, whose readers take what it has finished last.

    A run is recorded by ``start`` and goes to the device in slices, one for each pass of the graph, ``slices`` of them
    with each ``advance``: call that once a frame, between frames. Where the device has a queue left, slices run beside
    the frames at the lowest priority, a graph of compute alone on a compute queue; otherwise they run between frames,
    so that the longest slice is what a frame may take longer.

    ``keep`` are the textures and buffers that are wanted. What a run makes of them are copies of their own, which
    replace the ones before when the run has finished; no frame waits for that. Textures are then in the layout of
    sampled ones for good. Raises ``GraphError`` for a name that the graph does not make.
    """

    def __init__(self, runtime: Runtime, graph: FrameGraph, keep: Sequence[str], *, slices: int = 1) -> None:
        if not keep or slices < 1:
            raise GraphError(
                f"{len(keep)} results of a graph, {slices} slices of it at once", hint="give one or more of either"
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
        """What the last finished run has made; None before the first one. ``runs`` counts them."""
        return self._newest.get(name)

    def provider(self, name: str) -> ExternalProvider:
        """Gives the newest result to a frame graph (``FrameGraph.set_external``); a frame that comes before there is
        any waits for it."""
        if name not in self._keep:
            raise GraphError(f'"{name}" is not kept of the graph', hint=f"kept are: {', '.join(self._keep)}")

        def provide(context: ExternalContext) -> Physical:
            if not self._newest:
                self.wait()
            return self._newest[name]

        return provide

    def start(self) -> None:
        """Begin a run; if there is one already, another one follows it."""
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
            self._forget()  # there was no memory for it; the next start may fare better

    def advance(self) -> bool:
        """Go on; whether a run has finished by now."""
        if self._making is None:
            return False
        slices, work = self._beside.slices, self._beside.work
        assert work is not None
        if self._sent < len(slices):
            self._sent = min(self._sent + self._slices, len(slices))
            work.submit(self._beside.slot, slices[: self._sent])
            return False
        if not work.finished():
            return False
        self._finish()
        return True

    def wait(self) -> None:
        """Finish the run that there is, or a new one, and wait (bounded) for it."""
        if self._making is None:
            self.start()
        if self._making is None:
            raise GraphError("there was no memory for work in the background", hint="make it smaller")
        work = self._beside.work
        assert work is not None
        work.submit(self._beside.slot, self._beside.slices)
        work.wait()
        self._finish()

    def close(self) -> None:
        """Give everything back, the results too; what was not submitted is not done."""
        self._forget()
        for physical in self._newest.values():
            self._backend.destroy(physical)
        self._newest = {}
        self._runtime.close()
        if self._beside.work is not None:
            self._backend.destroy(self._beside.work)
            self._beside.work = None

    def abandon(self) -> None:
        """End without giving anything back: the device is lost."""
        self._runtime.abandon()

    def _check(self, plan: Plan) -> None:
        items = {item.id: item for item in plan.graph.resources}
        for name in self._keep:
            item = find_resource(plan, name)
            if items[item.id].resource.desc.kind == "blob":
                raise GraphError(f'"{name}" is a value, and values are there at once', hint="keep textures and buffers")

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
        """The run that has begun comes to nothing."""
        for physical in (self._making or {}).values():
            self._backend.destroy(physical)
        self._making = None
        self._beside.slices = []

    def _copy(self, recorder: Recorder, running: RunningPlan) -> None:
        """Record copies of all that is kept, as the last slice."""
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
    """A backend whose frames are background work: ``slices`` are those of the last one, of slot ``slot``."""

    backend: Backend
    work: BackgroundWork | None = None
    slices: Sequence[QueuedLists] = field(default_factory=list)
    slot: int = 0
    recording: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.backend, name)

    @property
    def capabilities(self) -> Capabilities:
        """What is recorded knows of one queue."""
        return replace(self.backend.capabilities, queues=(GRAPHICS,), timestamps=False)

    def recorder(self, slot: int, queue: str = GRAPHICS, buffer: int = 0) -> Recorder:
        """That of a slice."""
        assert self.work is not None
        return self.work.recorder(slot, buffer)

    def begin_frame(self, slot: int) -> None:
        """A run begins."""
        assert self.work is not None
        self.recording = slot
        self.work.begin(slot)

    def end_frame(self, slot: int, submissions: Sequence[QueuedLists], target: Target | None) -> bool:
        """A run is recorded, and not submitted yet."""
        assert self.work is not None
        if submissions:
            self.work.record(slot, submissions)
        self.slot, self.slices = slot, list(submissions)
        return True

    def timestamps(self, slot: int) -> Sequence[int]:
        """None."""
        return ()
