"""Plays a game to the frames of a job, and renders of them what the frames need."""

from __future__ import annotations

from collections.abc import Callable

from renderwright.engine.farm.carried import LEAD, carried_over
from renderwright.engine.farm.stage import Stage, in_words
from renderwright.engine.farm.work import CarriedError, PieceFailedError
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.errors import RenderwrightError
from renderwright.render.runtime.frame_report import FrameReport


class Player:
    """Renders frames of a stage by number.

    ``lead`` is how many frames are rendered before the first one of a run; those before them are played without being
    rendered. None renders all frames from 0 on. With ``exact``, ``CarriedError`` is raised where the lead is not enough
    for the bytes of a run from frame 0 on. ``begin`` is called before the first frame that a session renders.
    """

    def __init__(
        self, stage: Stage, *, lead: int | None = LEAD, exact: bool = True, begin: Callable[[], None] | None = None
    ) -> None:
        self._stage = stage
        self._lead = lead
        self._exact = exact
        self._begin = begin
        # The frame that is played next, the first one since which none was left out, and the session that has begun.
        self._next = 0
        self._since: int | None = None
        self._shown: Session | None = None

    def show(self, frame: int) -> None:
        """Render the frame. Raises ``PieceFailedError`` for a reason that is known, and what game and device raise."""
        if frame < self._next:
            self._stage.begin_again()
            self._next, self._since = 0, None
        first = self._first(frame)
        if self._since is None or self._next < first:
            self._leave_out_until(first)
            self._check(self._play())
        while self._next <= frame:
            self._play()

    def _leave_out_until(self, first: int) -> None:
        while self._next < first:
            self._step()
            self._next += 1
        # Nodes that look at the frame's number see the one that they have in a run from frame 0 on.
        self._stage.session.runtime.frame = first
        self._since = first

    def _play(self) -> FrameReport:
        """Play and render the next frame."""
        self._step()
        session = self._stage.session
        if self._shown is not session:
            self._shown = session
            if self._begin is not None:
                self._begin()
        report = session.render(self._stage.target)
        if report is None:
            raise PieceFailedError("there was not enough memory for the frame")
        self._next += 1
        return report

    def _first(self, frame: int) -> int:
        """The frame from which on frames are rendered, to show ``frame``."""
        wanted = 0 if self._lead is None else frame - self._lead
        if self._since is None:
            return max(0, wanted)
        gap = wanted - self._next
        # Plans differ for even and odd frames, so one follows the other also across a gap.
        return self._next + gap // FRAMES_IN_FLIGHT * FRAMES_IN_FLIGHT if gap > 0 else self._next

    def _step(self) -> None:
        session = self._stage.session
        if session.context.quit_requested:
            raise PieceFailedError(f"the game ended at frame {self._next - 1}", final=True, beyond=True)
        try:
            session.step()
        except RenderwrightError:
            raise
        except Exception as error:
            raise PieceFailedError(f"frame {self._next} cannot be played: {in_words(error)}", beyond=True) from error

    def _check(self, report: FrameReport) -> None:
        carried = carried_over(report.plan)
        if carried and self._exact and self._since != 0:
            raise CarriedError(carried)
