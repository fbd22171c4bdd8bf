"""Captures a frame of a game in a window, while it goes on."""

from __future__ import annotations

from pathlib import Path

from renderwright.engine.capture.files import check_capture_file, write_page
from renderwright.engine.capture.measured import MeasuredTimes
from renderwright.engine.capture.played import played_capture
from renderwright.engine.messages import say
from renderwright.engine.session import Session
from renderwright.render.runtime.frame_capture import CapturedFrame
from renderwright.render.runtime.frame_report import FrameReport

MEASURED = 12
"""Frames whose times are read before the one that is captured."""


class WindowCapture:
    """Measures some frames, captures the next one, and writes its page to ``file``.

    ``done`` is true once that has happened. Raises ``UsageError`` for a file that cannot be written.
    """

    def __init__(self, session: Session, file: Path) -> None:
        check_capture_file(file, (".html",))
        self.done = False
        self._file = file
        self._times = MeasuredTimes()
        self._left = MEASURED
        self._captured: CapturedFrame | None = None
        self._sampled = session.runtime.times.every
        session.runtime.times.every = 1

    def see(self, session: Session, report: FrameReport) -> None:
        """Look at a frame that was shown."""
        captured = self._captured
        if captured is not None:
            self._finish(session, captured, report.resting)
            return
        self._times.see(report, None)
        self._left -= 1
        if self._left <= 0:
            session.runtime.capture.ask(self._take)  # also of another runtime after a device loss

    def _take(self, captured: CapturedFrame) -> None:
        self._captured = captured

    def _finish(self, session: Session, captured: CapturedFrame, resting: frozenset[str]) -> None:
        session.runtime.times.every = self._sampled
        self.done = True
        title = session.runner.game.title
        options = {"views": session.context.players}
        document = played_capture(session, captured, resting, self._times, title=title, options=options)
        size = write_page(self._file, document)
        say(f"Frame {captured.frame} is in {self._file}: {len(document['pictures'])} pictures, {size}.")
