"""Input scripts of games that a program plays: an autopilot, or a guide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass

from renderwright.engine.game import Game, GameContext, GameRunner, NoHud
from renderwright.engine.input import InputState
from renderwright.engine.input.recorder import Recorder
from renderwright.engine.players import check_players
from renderwright.engine.scene.entity_values import shortened
from renderwright.render.errors import UsageError
from renderwright.render.graph.source import function_location

Player = Callable[[InputState], Iterator[None]]
"""Presses keys and sets axes, and yields once for each step; the game is over for it when it returns."""


def recorded(game: Game, play: Player, seed: int | None = None, players: int | None = None) -> str:
    """Play a game without a window, and return its input script as a text, for ``renderwright play --replay``.

    ``play`` is called with the game's input state. It is a generator function, which presses keys, sets axes and yields
    once for each fixed step; behind a ``yield`` it sees the game as it is after that step. Without a ``seed`` or
    ``players`` the script has none, and the game has the seed 0 and as few players as it is for. Raises ``UsageError``
    if ``play`` is no generator function, or if the game is not for so many players or has been played before.
    """
    if not callable(play):
        raise UsageError(
            f"`play` is a {type(play).__name__}, which cannot be called",
            hint="pass the generator function itself, of one argument, the input state: recorded(game, play)",
        )
    if players is not None:
        check_players(game, players)
    seats = game.min_players if players is None else players
    huds = tuple(NoHud() for _ in range(seats))
    context = GameContext(hud=huds[0], huds=huds, seed=seed or 0, players=seats)
    recorder = _RecorderOf(Recorder(game.step, seed, players), players)
    with closing(GameRunner(game, context, watcher=recorder)) as runner:
        runner.start()
        for _ in _steps_of(play, context.input):
            runner.frame(game.step)
    return recorder.recorder.text()


def _steps_of(play: Player, state: InputState) -> Iterator[None]:
    steps = play(state)
    if not isinstance(steps, Iterator):
        raise UsageError(
            f"`play` returns {shortened(steps)} instead of a generator",
            hint="write `yield` in it, once for each step",
            where=function_location(play),
        )
    return steps


@dataclass(frozen=True)
class _RecorderOf:
    """Records the input of a game whose number of players stays."""

    recorder: Recorder
    players: int | None

    def watch(self, state: InputState, step: int) -> None:
        self.recorder.watch(state, step, self.players)
