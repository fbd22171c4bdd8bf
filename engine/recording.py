"""Input scripts of games that a program plays: an autopilot, or a guide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

from renderwright.engine.game import Game, GameContext, GameRunner
from renderwright.engine.input import InputState
from renderwright.engine.input.recorder import Recorder

Player = Callable[[InputState], Iterator[None]]
"""Presses keys and sets axes, and yields once for each step; the game is over for it when it returns."""


def recorded(game: Game, play: Player, seed: int | None = None) -> str:
    """Play a game without a window, and return its input script: ``renderwright play --replay`` does the same.

    ``play`` sees the game as it is after the last step. Without a ``seed`` the script has none.
    """
    context = GameContext() if seed is None else GameContext(seed=seed)
    recorder = Recorder(game.step, seed)
    with closing(GameRunner(game, context, watcher=recorder)) as runner:
        runner.start()
        for _ in play(context.input):
            runner.frame(game.step)
    return recorder.text()
