"""A game that needs several players starts with so many, wherever it is played."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from renderwright.engine import Camera, Game, GameContext
from renderwright.engine.cli import main
from renderwright.engine.farm.job import RenderJob
from renderwright.engine.farm.preparation import frame_work
from renderwright.engine.input import InputState
from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.planning import plan_of, players_of
from renderwright.engine.players import players_in_words
from renderwright.engine.recording import recorded
from renderwright.engine.session import Session
from renderwright.engine.testing import PlayedGame
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import UsageError

GAME = """
from renderwright.engine import Camera, Game


class Tag(Game):
    \"\"\"Catch the other.\"\"\"

    plugins = ()
    min_players = 2
    max_players = 3

    def setup(self, context):
        context.scene.cameras = [Camera() for _ in range(context.players)]

    def update(self, dt):
        print(self.context.players, self.context.effects.is_on("split_screen"))
"""
EXTENT = (64, 36)


class Tag(Game):
    plugins = ()
    min_players = 2
    max_players = 3

    def setup(self, context: GameContext) -> None:
        context.scene.cameras = [Camera() for _ in range(context.players)]


@pytest.fixture
def tag(tmp_path: Path) -> str:
    (tmp_path / "tag.py").write_text(GAME)
    return str(tmp_path / "tag.py")


@pytest.fixture
def start() -> Iterator[Callable[..., Session]]:
    sessions: list[Session] = []

    def begin(players: int | None = None, choice: PluginChoice | None = None) -> Session:
        sessions.append(Session(Tag, NullBackend(), EXTENT, players=players, choice=choice))
        return sessions[-1]

    yield begin
    for session in sessions:
        session.close()


def test_it_starts_with_its_least_and_shows_them(start: Callable[..., Session]) -> None:
    session = start()
    assert session.context.players == 2
    assert session.context.effects.is_on("split_screen")


def test_it_starts_with_as_many_as_are_asked_for(start: Callable[..., Session]) -> None:
    assert start(3).context.players == 3


def test_a_split_screen_that_is_disabled_stays_off(start: Callable[..., Session]) -> None:
    session = start(choice=PluginChoice(disable=("split_screen",)))
    assert session.context.players == 2
    assert not session.context.effects.is_on("split_screen")


def test_fewer_are_refused(start: Callable[..., Session]) -> None:
    with pytest.raises(UsageError, match=r'"Tag" does not support 1 player\n') as refused:
        start(1)
    assert refused.value.hint == "it is for 2 to 3 players: Game.min_players is 2"
    session = start()
    with pytest.raises(UsageError, match="does not support 4 players") as refused:
        session.set_players(4)
    assert refused.value.hint == "it is for 2 to 3 players: Game.max_players is 3"
    assert session.context.players == 2


def test_play_starts_it_with_its_least(tag: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    options = "--headless --backend null --frames 1 --size 32x18 --screenshot"
    line = ["play", tag, *options.split(), str(tmp_path / "a.png")]
    assert main(line) == 0
    assert set(capfd.readouterr().out.splitlines()) == {"2 True"}
    assert main([*line, "--views", "1"]) == 2
    assert "it is for 2 to 3 players: Game.min_players is 2" in capfd.readouterr().err


def test_its_plan_is_that_of_its_least(tag: str) -> None:
    options = PlanOptions(tag, EXTENT)
    assert players_of(options) == 2
    views = {match[1] for node in plan_of(options).graph.nodes if (match := re.search(r"view=(\d)", node.id))}
    assert views == {"0", "1"}


def test_its_film_has_its_least(tag: str) -> None:
    assert frame_work(RenderJob(tag, range(1), EXTENT), many=False).job.players == 2


def test_a_recording_and_a_played_game_have_its_least() -> None:
    seen = []

    def play(state: InputState) -> Iterator[None]:
        yield None

    class Counted(Tag):
        def update(self, dt: float) -> None:
            seen.append(len(self.context.huds))

    recorded(Counted(), play)
    assert seen == [2]
    with closing(PlayedGame(Tag, size=EXTENT)) as played:
        assert played.session.context.players == 2


def test_its_players_in_words() -> None:
    assert players_in_words(Tag) == "2 to 3 players"
    assert players_in_words(Game) == "one player"
