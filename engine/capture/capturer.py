"""Captures a frame of a game that is played."""

from __future__ import annotations

from typing import Any

from renderwright.engine.capture.files import write_json, write_page
from renderwright.engine.capture.measured import MeasuredTimes
from renderwright.engine.capture.planned import plugin_options, title_of
from renderwright.engine.capture.played import played_capture
from renderwright.engine.messages import say
from renderwright.engine.options import CaptureOptions, PlayOptions
from renderwright.engine.session import Session
from renderwright.render.backend.target import Target
from renderwright.render.errors import UsageError
from renderwright.render.runtime.frame_capture import CapturedFrame
from renderwright.render.runtime.frame_report import FrameReport


class Capturer:
    """A ``FrameWatcher`` that captures one frame, and writes files at the end.

    The game ends when there is nothing more to see.
    """

    def __init__(self, wanted: CaptureOptions, options: PlayOptions) -> None:
        self._wanted = wanted
        self._options = options
        self._times = MeasuredTimes()
        self._captured: CapturedFrame | None = None
        self._resting: frozenset[str] = frozenset()

    def begin(self, session: Session, target: Target) -> None:
        """Have the GPU's times read, and the first frame captured if it is the one."""
        session.runtime.times.every = 1
        self._ask(session, next_frame=session.runtime.frame)

    def see(self, session: Session, report: FrameReport) -> None:
        """Collect times, and have the right frame captured."""
        session.runtime.times.every = 1  # there is another runtime after a device loss
        captured = self._captured
        self._times.see(report, captured.frame if captured is not None else None)
        if captured is not None and captured.frame == report.frame:
            self._resting = report.resting
        if captured is not None and self._times.measured:
            session.context.request_quit()
        self._ask(session, next_frame=report.frame + 1)

    def _ask(self, session: Session, *, next_frame: int) -> None:
        if self._captured is None and next_frame >= self._wanted.frame:
            session.runtime.capture.ask(self._take)

    def _take(self, captured: CapturedFrame) -> None:
        self._captured = captured

    def finish(self, session: Session) -> None:
        """Write the files. Raises ``UsageError`` if the game has ended before the frame."""
        require_played(session, self._wanted.frame)
        assert self._captured is not None
        document = played_capture(
            session,
            self._captured,
            self._resting,
            self._times,
            title=title_of(self._options.game),
            options=told_options(self._options),
            pixels=self._wanted.pixels,
        )
        write_files(self._wanted, document, f"Frame {self._captured.frame}")


def require_played(session: Session, frame: int) -> None:
    """Raises ``UsageError`` if a session has ended before a frame."""
    if session.runtime.frame <= frame:
        raise UsageError(
            f"frame {frame} was not captured: the game ended after {session.runtime.frame} frames",
            hint="frames count from 0; give an earlier one by --frame",
        )


def write_files(wanted: CaptureOptions, document: dict[str, Any], what: str) -> None:
    """Write a capture as its options say, and tell of each file. ``what`` was captured."""
    for file, write in ((wanted.page, write_page), (wanted.json, write_json)):
        if file is not None:
            size = write(file, document)
            nodes, pictures = len(document["plan"]["nodes"]), len(document["pictures"])
            say(f"{what} is in {file}: {nodes} nodes, {pictures} pictures, {size}.")


def told_options(options: PlayOptions) -> dict[str, Any]:
    """The options of play that a frame depends on."""
    return {
        "views": options.players,
        "order": options.order,
        "queues": list(options.queues),
        "multiview": options.multiview,
        "fullscreen": options.fullscreen.value,
        "alias": options.alias,
        "seed": options.seed or 0,
        "replay": options.replay.name if options.replay is not None else None,
        **plugin_options(options.plugins),
    }
