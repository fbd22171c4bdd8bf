"""Input scripts of games that a program plays: replayed, they give the same game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from renderwright.engine.game import Game, GameContext, GameRunner
from renderwright.engine.input import InputState
from renderwright.engine.recording import recorded
from renderwright.engine.replays import replay_of
from renderwright.engine.scene import Camera
from renderwright.engine.testing import PlayedGame
from renderwright.render.backend.null import NullBackend
from renderwright.render.errors import UsageError


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
    source = replay_of(Dice, script)
    assert source.replay.seed == 11
    again = Dice()
    runner = GameRunner(again, GameContext(seed=11), source=source)
    for _ in range(game.steps):
        runner.frame(Dice.step)
    assert (again.place, again.thrown) == (game.place, game.thrown)
    assert again.thrown[-1] == 6


def test_the_script_is_as_long_as_the_game_was_played() -> None:
    def play(state: InputState) -> Iterator[None]:
        state.press("d")
        yield from [None] * 240

    source = replay_of(Dice, recorded(Dice(), play))
    assert (source.last_step, source.length) == (0, 240)


def test_without_a_seed_the_script_has_none() -> None:
    game = Dice()

    def play(state: InputState) -> Iterator[None]:
        yield from [None] * 3

    assert "seed" not in recorded(game, play)
    assert game.steps == 3


class Race(Dice):
    """Each player has an axis, and a place that it moves."""

    max_players = 2
    plugins = ()
    controls = {"axes": {f"move_{number}": {"positive": [key]} for number, key in enumerate("dl")}}  # noqa: RUF012

    def setup(self, context: GameContext) -> None:
        self.places, self.steps = [0.0] * context.players, 0
        context.scene.cameras = [Camera(), Camera()]

    def update(self, dt: float) -> None:
        self.steps += 1
        for number in range(len(self.places)):
            self.places[number] += dt * self.context.input.axis(f"move_{number}")

    def draw(self, alpha: float) -> None:
        for hud, place in zip(self.context.huds, self.places, strict=False):
            hud.text(0, 0, f"{place:.2f}")


def test_a_script_for_two_has_the_input_of_both(tmp_path: Path) -> None:
    game = Race()

    def play(state: InputState) -> Iterator[None]:
        state.press("d")
        while game.places[0] < 0.4:
            yield
        state.press("l")
        while game.places[1] < 0.2:
            yield

    text = recorded(game, play, players=2)
    assert "\nplayers: 2\n" in text
    assert "players" not in text.partition("steps:")[2]
    (tmp_path / "race.yaml").write_text(text)
    for script in (text, tmp_path / "race.yaml", str(tmp_path / "race.yaml")):
        with PlayedGame(Race, replay=script, size=(32, 18), backend=NullBackend()) as again:
            while again.session.runner.clock.steps < game.steps:
                again.picture()
            assert again.session.context.players == 2
            assert again.game.places == pytest.approx(game.places)


def test_a_played_replay_has_its_seed_and_may_change_the_players() -> None:
    text = "version: 1\nseed: 5\nplayers: 1\nsteps:\n  - {step: 2, players: 2}\n"
    with PlayedGame(Race, replay=text, size=(32, 18), backend=NullBackend()) as game:
        assert (game.session.context.seed, game.session.context.players) == (5, 1)
        game.picture(3)
        assert game.session.context.players == 2


def test_a_test_presses_keys_in_a_played_game() -> None:
    with PlayedGame(Race, size=(32, 18), backend=NullBackend()) as game:
        game.input.press("d")
        game.picture(30)
        assert game.game is game.session.runner.game
        assert game.game.places == pytest.approx([0.5])


def test_mistakes_of_a_player_are_told() -> None:
    def play(state: InputState) -> Iterator[None]:
        yield

    with pytest.raises(UsageError, match="`play` is a generator, which cannot be called") as caught:
        recorded(Dice(), play(InputState()))  # type: ignore[arg-type]
    assert "recorded(game, play)" in caught.value.hint
    with pytest.raises(UsageError, match="does not support 2 players"):
        recorded(Dice(), play, players=2)


def test_a_player_without_yield_is_told() -> None:
    def play(state: InputState) -> None:
        state.press("space")

    game = Dice()
    with pytest.raises(UsageError, match="`play` returns None instead of a generator") as caught:
        recorded(game, play)  # type: ignore[arg-type]
    assert caught.value.hint == "write `yield` in it, once for each step"
    assert str(caught.value.where) == f"{__file__}:{play.__code__.co_firstlineno}"
    assert game.closed


def test_a_game_is_recorded_once() -> None:
    def play(state: InputState) -> Iterator[None]:
        yield

    game = Dice()
    recorded(game, play)
    with pytest.raises(UsageError, match="GameRunner cannot run a Dice that has been played before") as caught:
        recorded(game, play)
    assert caught.value.hint == "give a new instance: Dice()"
    assert caught.value.where is not None
    assert caught.value.where.file == __file__
