"""A hook or an attribute of a game whose name is mistyped is told at its line."""

from __future__ import annotations

from contextlib import closing

import pytest

from renderwright.engine import Game
from renderwright.engine.games import find_game, game_names
from renderwright.engine.mistyped_parts import in_place_of, mistyped_parts
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import UsageError


class Swapped(Game):
    def udpate(self, dt: float) -> None:
        """Never called."""


class Alone(Game):
    plugins = ()
    max_player = 2


class Derived(Alone):
    """Inherits the mistake."""


class Sound(Game):
    """Names that are like others, next to these."""

    steps = 3
    step = 1.0 / 60.0

    def update(self, dt: float) -> None:
        """The hook."""

    def updated(self) -> None:
        """Its own."""

    def reset(self) -> None:
        """Like no hook."""


class Counting(Game):
    """Words of their own."""

    steps = 3
    tile = 32
    max_layers = 4

    def closed(self) -> bool:
        return True

    def lose(self) -> None:
        """The game is over."""


class Untitled(Game):
    titel = "Marbles at Night"


class Titled(Untitled):
    """Has the attribute that a base misses."""

    title = "Marbles"


def told(game: type[Game]) -> list[tuple[str, str, int]]:
    return [(notice.message, notice.hint, notice.where.line) for notice in mistyped_parts(game) if notice.where]


def test_a_mistyped_hook_is_told_at_its_line() -> None:
    ((message, hint, line),) = told(Swapped)
    assert message == 'Swapped.udpate is not a hook of games, and has no effect by itself; "update" is'
    assert hint.startswith('did you mean "update"?')
    assert line == Swapped.udpate.__code__.co_firstlineno


@pytest.mark.parametrize("game", [Alone, Derived])
def test_a_mistyped_attribute_is_told_at_its_line(game: type[Game]) -> None:
    ((message, hint, line),) = told(game)
    assert message.startswith("Alone.max_player is not an attribute of games")
    assert hint.startswith('did you mean "max_players"?')
    assert line == Swapped.udpate.__code__.co_firstlineno + 6


@pytest.mark.parametrize("game", [Sound, *game_names()])
def test_a_game_may_have_parts_of_its_own(game: type[Game] | str) -> None:
    assert told(find_game(game) if isinstance(game, str) else game) == []


def test_a_session_tells_it_once(caplog: pytest.LogCaptureFixture) -> None:
    with closing(NullBackend()) as backend:
        Session(Alone, backend, (64, 64)).close()
        assert [record.getMessage().count("max_players") for record in caplog.records] == [2]
        with pytest.raises(UsageError, match="max_player is not an attribute"):
            Session(Alone, backend, (64, 64), strict=True)


def test_words_of_their_own_are_not_told() -> None:
    assert told(Counting) == []


def test_an_attribute_whose_default_is_of_the_class_is_told_as_well() -> None:
    ((message, hint, _),) = told(Untitled)
    assert message == 'Untitled.titel is not an attribute of games, and has no effect by itself; "title" is'
    assert hint.startswith('did you mean "title"?')
    assert told(Titled) == []


def test_what_stands_in_the_place_of_an_attribute_is_no_word_of_the_games_own() -> None:
    class Layered(Game):
        max_layers = 3

    class Alone(Layered):
        max_player = 2

    assert [in_place_of(game, "max_players") for game in (Layered, Alone)] == ["", "Alone.max_player"]
