"""Follows a game that is played, and writes what it did and when."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from renderwright.engine.capture.files import check_capture_file, write_json
from renderwright.engine.messages import say
from renderwright.engine.node_owners import ENGINE
from renderwright.engine.session import Session
from renderwright.engine.trace.events import TraceEvents
from renderwright.render.backend.target import Target
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.inspect.capture.hiding import Hiding
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.times.gpu_clock import GpuInterval
from renderwright.render.sync.queues import ALL_QUEUES

MAIN = "main thread"

TRACE = "a timeline"


class Tracer:
    """A ``FrameWatcher`` that collects frames, nodes, compiles, uploads and calls of hooks, and writes one file.

    The clock of the GPU is laid beside that of the CPU so that no frame begins on the GPU before it was submitted.
    """

    def __init__(self, file: Path) -> None:
        check_capture_file(file, (".json",), TRACE)
        self._file = file
        self._events = TraceEvents(time.perf_counter())
        self._hiding = Hiding()
        self._plan: Plan | None = None
        self._owners: dict[str, tuple[str, str]] = {}
        self._submitted: dict[int, float] = {}
        self._gpu: list[tuple[int, float, dict[str, GpuInterval]]] = []
        self._main = threading.current_thread().name

    def begin(self, session: Session, target: Target) -> None:
        """Have the times read, and spans kept."""
        session.runtime.times.every = 1
        session.runtime.spans.kept = True
        self._hooks(session)

    def see(self, session: Session, report: FrameReport) -> None:
        """Take in a frame."""
        session.runtime.times.every = 1  # there is another runtime after a device loss
        session.runtime.spans.kept = True
        self._follow(session, report)
        events = self._events
        events.slice(MAIN, f"frame {report.frame}", report.begin, report.cpu_seconds, "frame", {"frame": report.frame})
        for node, seconds in report.node_seconds.items():
            plugin, source = self._owners.get(node, (ENGINE, ""))
            events.slice(MAIN, node, report.node_begins[node], seconds, plugin, {"plugin": plugin, "source": source})
        for span in session.runtime.spans.take():
            thread = MAIN if span.thread == self._main else span.thread
            events.slice(thread, span.what, span.begin, span.end - span.begin, span.what)
        self._hooks(session)
        self._submitted[report.frame] = report.begin + report.cpu_seconds
        if report.gpu_intervals:
            self._gpu.append((report.measured_frame, report.gpu_start, dict(report.gpu_intervals)))

    def finish(self, session: Session) -> None:
        """Write the file. Raises ``UsageError``."""
        self._add_gpu()
        able = session.backend.capabilities
        order = [MAIN, *(f"{queue} queue" for queue in ALL_QUEUES)]
        other = {"device": able.device, "backend": able.backend, "driver": able.driver}
        document = self._events.document(f"{session.runner.game.title} on {able.device}", order, other)
        write_json(self._file, document, TRACE)
        say(
            f"The timeline is in {self._file}: {len(document['traceEvents'])} events; ui.perfetto.dev or "
            "chrome://tracing opens it."
        )

    def _follow(self, session: Session, report: FrameReport) -> None:
        """Note another plan, and what its frames take."""
        if report.plan is self._plan:
            return
        self._plan = report.plan
        for node in report.plan.graph.nodes:
            plugin = node.declaration.plugin or ENGINE
            self._owners[node.id] = plugin, self._hiding.text(str(node.declaration.source))
        nodes, heap = len(report.plan.graph.nodes), session.runtime.heap_bytes
        self._events.mark(MAIN, "another plan", report.begin, "plan", {"nodes": nodes, "heap bytes": heap})
        self._events.counter("transient memory", report.begin, {"bytes": heap})
        self._events.counter("nodes", report.begin, {"nodes": nodes})

    def _hooks(self, session: Session) -> None:
        """Take in the calls of plugins' hooks since the last time."""
        calls = session.plugins.hook_times.calls
        while calls:
            call = calls.popleft()
            name = f"{call.plugin}: {call.hook}"
            self._events.slice(MAIN, name, call.begin, call.seconds, "hook", {"plugin": call.plugin})

    def _add_gpu(self) -> None:
        """Slices of the queues, once all frames are known."""
        gaps = [start - self._submitted[frame] for frame, start, _ in self._gpu if frame in self._submitted]
        offset = min(gaps, default=0.0)
        for frame, start, intervals in self._gpu:
            for node, one in intervals.items():
                plugin, source = self._owners.get(node, (ENGINE, ""))
                more = {"plugin": plugin, "source": source, "frame": frame}
                self._events.slice(f"{one.queue} queue", node, start - offset + one.begin, one.seconds, plugin, more)
