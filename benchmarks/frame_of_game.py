"""CPU time of a game's frames, still, playing, and with the panel."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec

from benchmarks.measure import frame_times
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.recent_messages import RecentMessages
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend

EXTENT = (160, 90)
"""The work of the CPU does not depend on it."""
PANEL_EXTENT = (640, 480)
"""Room for the panel: what does not fit is not drawn."""
SETTLING = 30
"""Frames before those that count."""


@dataclass(frozen=True)
class GameFrames:
    """CPU seconds of the render thread for each of some frames: of a ``still`` game, and of one that plays, which are
    those of its ``steps`` and of what ``rendered`` them. ``panel`` is a still game with the panel open, nothing without
    the panel's library."""

    still: Sequence[float]
    panel: Sequence[float]
    steps: Sequence[float]
    rendered: Sequence[float]


def measure_game(backend: Backend, name: str, frames: int) -> GameFrames:
    """Frames of a game with its own plugins. The device has finished before each."""
    game = find_game(name)
    clock = FixedStepClock(game.step, frame=game.step)
    with (
        closing(backend.create_target(EXTENT)) as target,
        closing(Session(game, backend, EXTENT, clock=clock)) as session,
    ):
        for _ in range(SETTLING):
            session.step()
            session.render(target)
        steps, rendered, still = [], [], []
        for _ in range(frames):
            backend.wait_idle()
            start = time.thread_time()
            session.step()
            stepped = time.thread_time()
            session.render(target)
            steps.append(stepped - start)
            rendered.append(time.thread_time() - stepped)
        for _ in range(frames):
            backend.wait_idle()
            start = time.thread_time()
            session.render(target)
            still.append(time.thread_time() - start)
        panel = _with_panel(session, frames) if find_spec("slimgui") is not None else []
    return GameFrames(still, panel, steps, rendered)


def _with_panel(session: Session, frames: int) -> Sequence[float]:
    from renderwright.engine.panel.panel import Panel

    panel_of_session = Panel(session, str, RecentMessages())
    with closing(session.backend.create_target(PANEL_EXTENT)) as target, closing(panel_of_session) as panel:

        def frame() -> None:
            panel.update(PANEL_EXTENT, session.runner.game.step)
            report = session.render(target)
            if report is not None:
                panel.see(report)

        panel.switch(PANEL_EXTENT)
        for _ in range(SETTLING):
            frame()
        return frame_times(frame, session.backend.wait_idle, frames)
