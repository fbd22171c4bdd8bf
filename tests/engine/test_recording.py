"""Input scripts of games that a program plays: replayed, they give the same game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from renderwright.engine.game import Game, GameContext, GameRunner
from renderwright.engine.input import InputMap, InputState
from renderwright.engine.input.replay import ReplaySource, load_replay
from renderwright.engine.recording import recorded


class Dice(Game):
    """A place that an axis moves, and throws of a die."""

    controls = {"axes": {"move": {"positive": ["d"]}}, "actions": {"throw": ["space"]}}  # noqa: RUF012
    step = 1.0 / 60.0

    def setup(self, context: GameContext) -> None:
        self.place, self.thrown, self.steps, self.closed = 0.0, [], 0, False

    def update(self, dt: float) -> None:
        self.steps += 1
        self.place += dt * self.context.input.axis("move")
        if self.context.input.pressed("throw"):
            self.thrown.append(self.context.random.randint(1, 6))

    def close(self) -> None:
        self.closed = True


def test_a_replay_of_the_script_is_the_game_that_was_played(tmp_path: Path) -> None:
    game = Dice()

    def play(state: InputState) -> Iterator[None]:
        while game.place < 0.5:
            state.set_axis("move", 1.0 - game.place)
            yield
        state.set_axis("move", 0.0)
        while len(game.thrown) < 3 or game.thrown[-1] != 6:
            state.press("space")
            state.release("space")
            yield

    script = tmp_path / "script.yaml"
    script.write_text(recorded(game, play, seed=11))
    assert game.closed
    replay = load_replay(script, InputMap.from_dict(Dice.controls))
    assert replay.seed == 11
    again = Dice()
    runner = GameRunner(again, GameContext(seed=11), source=ReplaySource(replay, Dice.step))
    for _ in range(game.steps):
        runner.frame(Dice.step)
    assert (again.place, again.thrown) == (game.place, game.thrown)
    assert again.thrown[-1] == 6


def test_without_a_seed_the_script_has_none() -> None:
    game = Dice()

    def play(state: InputState) -> Iterator[None]:
        yield from [None] * 3

    assert "seed" not in recorded(game, play)
    assert game.steps == 3
