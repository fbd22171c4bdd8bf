"""What looks at the frames of a game that is played."""

from __future__ import annotations

from typing import Protocol

from renderwright.engine.session import Session
from renderwright.render.backend.target import Target
from renderwright.render.runtime.frame_report import FrameReport


class FrameWatcher(Protocol):
    """Looks at frames, and reports at the end. Each method may raise ``UsageError``, which ends the game."""

    def begin(self, session: Session, target: Target) -> None:
        """Called before the first frame."""

    def see(self, session: Session, report: FrameReport) -> None:
        """Called behind each frame that was rendered."""

    def finish(self, session: Session) -> None:
        """Called behind the last frame."""
