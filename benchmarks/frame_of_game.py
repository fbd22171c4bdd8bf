"""CPU time of a game's frames, still and playing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend

EXTENT = (160, 90)
"""The work of the CPU does not depend on it."""
SETTLING = 30
"""Frames before those that count."""


@dataclass(frozen=True)
class GameFrames:
    """CPU seconds of the render thread for each of some frames: of a ``still`` game, and of one that plays, which are
    those of its ``steps`` and of what ``rendered`` them."""

    still: Sequence[float]
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
    return GameFrames(still, steps, rendered)
