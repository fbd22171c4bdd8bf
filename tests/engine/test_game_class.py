"""A game whose hook does not take what the engine gives it is refused at the hook's line."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from renderwright.engine import Game, GameContext, GameRunner
from renderwright.render.errors import UsageError


class WithoutTime(Game):
    def update(self) -> None:  # type: ignore[override]
        """A step without its duration."""


class WithoutContext(Game):
    def setup(self) -> None:  # type: ignore[override]
        """No place for the context."""


class DrawsNothing(Game):
    def draw() -> None:  # type: ignore[misc, override]
        """Not even self."""


class ClosesWhat(Game):
    def close(self, context: GameContext) -> None:  # type: ignore[override]
        """More than there is."""


class KeywordOnly(Game):
    def update(self, *, dt: float) -> None:  # type: ignore[override]
        """Hooks get their arguments by position."""


MISTAKES = (
    (WithoutTime, "WithoutTime.update does not take dt", "write def update(self, dt):"),
    (WithoutContext, "WithoutContext.setup does not take context", "write def setup(self, context):"),
    (DrawsNothing, "DrawsNothing.draw does not take alpha", "write def draw(self, alpha):"),
    (ClosesWhat, "ClosesWhat.close needs more than the engine gives", "write def close(self):"),
    (KeywordOnly, "KeywordOnly.update does not take dt", "write def update(self, dt):"),
)


@pytest.mark.parametrize(("game", "message", "hint"), MISTAKES, ids=[mistake[0].__name__ for mistake in MISTAKES])
def test_a_hook_of_another_signature_is_refused_at_its_line(game: type[Game], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        GameRunner(game(), GameContext())
    assert refused.value.message == message
    assert refused.value.hint == hint
    assert refused.value.where is not None
    hook = next(part for name, part in vars(game).items() if name in ("setup", "update", "draw", "close"))
    assert (refused.value.where.file, refused.value.where.line) == (__file__, hook.__code__.co_firstlineno)


def test_a_hook_that_is_no_function_is_refused() -> None:
    class Stopped(Game):
        update = None  # type: ignore[assignment]

    with pytest.raises(UsageError, match=r"Stopped\.update is no function\n  write def update\(self, dt\):"):
        GameRunner(Stopped(), GameContext())


def test_hooks_may_name_their_parameters_as_they_like() -> None:
    class Free(Game):
        def setup(self, context: GameContext, level: int = 1) -> None:
            self.seen: list[Any] = [level]

        def update(self, *given: float) -> None:  # type: ignore[override]
            self.seen += given

        @staticmethod
        def draw(share: float) -> None:  # type: ignore[override]
            """A function without self."""

    runner = GameRunner(game := Free(), GameContext())
    runner.frame(game.step)
    assert game.seen == [1, game.step]


def test_a_decorator_may_give_a_hook_more_than_the_engine() -> None:
    def with_share(hook: Any) -> Any:
        @functools.wraps(hook)
        def inner(self: Any, *given: Any) -> None:
            hook(self, *given, 0.5)

        return inner

    class Shared(Game):
        shares: list[float]

        @with_share
        def setup(self, context: GameContext, share: float) -> None:
            self.shares = [share]

    runner = GameRunner(game := Shared(), GameContext())
    runner.start()
    assert game.shares == [0.5]


def test_a_runner_takes_an_instance() -> None:
    with pytest.raises(UsageError) as refused:
        GameRunner(WithoutTime, GameContext())  # type: ignore[arg-type]
    assert refused.value.message == "GameRunner cannot run the class WithoutTime"
    assert refused.value.hint == "give an instance: GameRunner(WithoutTime(), ...)"
    assert refused.value.where is not None
    assert refused.value.where.file == __file__
    with pytest.raises(UsageError, match=r"GameRunner cannot run 'marbles'"):
        GameRunner("marbles", GameContext())  # type: ignore[arg-type]


def test_a_runner_takes_an_instance_that_nobody_has_played() -> None:
    GameRunner(game := Game(), GameContext()).frame(game.step)
    with pytest.raises(UsageError, match="GameRunner cannot run a Game that has been played before") as refused:
        GameRunner(game, GameContext())
    assert refused.value.where is not None
    assert refused.value.where.file == __file__


def test_a_game_may_set_its_context_before_it_is_played() -> None:
    class Own(Game):
        def __init__(self) -> None:
            self.context = GameContext()

    runner = GameRunner(game := Own(), GameContext())
    runner.frame(game.step)
    assert game.context is runner.context
    with pytest.raises(UsageError, match="GameRunner cannot run a Own that has been played before"):
        GameRunner(game, GameContext())


@pytest.mark.parametrize(("argument", "method"), [("source", "feed"), ("watcher", "watch")])
def test_what_feeds_or_watches_input_can_do_so(argument: str, method: str) -> None:
    with pytest.raises(UsageError) as refused:
        GameRunner(Game(), GameContext(), **{argument: 5})
    assert refused.value.message == f"the {argument} of GameRunner cannot be 5"
    assert refused.value.hint == f"give an object with the method {method}(state, step)"
    assert refused.value.where is not None
    assert refused.value.where.file == __file__


def test_a_runner_starts_with_players_that_the_game_is_for() -> None:
    class Duo(Game):
        max_players = 2

    with pytest.raises(UsageError) as refused:
        GameRunner(Duo(), GameContext(players=5)).start()
    assert refused.value.message == '"Duo" does not support 5 players'
    assert refused.value.hint == "it is for 1 to 2 players: Game.max_players is 2"
    assert refused.value.where is not None
    assert refused.value.where.file == __file__
    GameRunner(Duo(), GameContext(players=2)).start()


def test_a_game_without_a_title_has_the_name_of_its_class() -> None:
    class Pong(Game):
        title = "Pong for two"

    class Rematch(Pong):
        """Has the title of its base."""

    assert (WithoutTime.title, WithoutTime().title) == ("WithoutTime", "WithoutTime")
    assert (Pong.title, Rematch().title) == ("Pong for two", "Pong for two")
    assert type("Nameless", (WithoutTime,), {}).title == "Nameless"
