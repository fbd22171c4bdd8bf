"""A game by name, by module and by file."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from renderwright.engine import games
from renderwright.engine.game import Game
from renderwright.engine.games import check_attributes, find_game, game_identity, game_names, game_of_module
from renderwright.engine.session import Session
from renderwright.engine.skeleton import find_skeleton
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import UsageError

ONE = "from renderwright.engine.game import Game\n\nclass Pong(Game):\n    '''A game.'''\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "renderwright_test_helper.py").write_text("SPEED = 3\n")
    (tmp_path / "one_game.py").write_text("from renderwright_test_helper import SPEED\n" + ONE)
    (tmp_path / "two_games.py").write_text(ONE + "class Chess(Game):\n    '''Another.'''\nNUMBER = 1\n")
    (tmp_path / "raising_game.py").write_text("x = 1\ny = x / 0\n")
    (tmp_path / "unparsed_game.py").write_text("x = 1\ny = (\n")
    (tmp_path / "importing_game.py").write_text("x = 1\nfrom pyglm import glmm\n")
    (tmp_path / "mistaken_game.py").write_text("x = 1\nfrom renderwright.engine.blobs import CameraView\n")
    return tmp_path


def test_an_installed_game_is_found_by_name() -> None:
    assert "marbles" in game_names()
    assert issubclass(find_game("marbles"), Game)
    assert find_game("renderwright.games.marbles:Marbles") is find_game("marbles")


def test_a_file_may_leave_the_class_out_if_it_has_one_game(folder: Path) -> None:
    assert find_game(f"{folder}/one_game.py").__name__ == "Pong"
    assert find_game(f"{folder}/two_games.py:Chess").__name__ == "Chess"


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("marbels", 'unknown game "marbels"', 'did you mean "marbles"?'),
        ("{folder}/absent.py", "there is no file", "check the path"),
        ("{folder}/one_gam.py", "there is no file", "one_game.py"),
        ("{folder}/two_games.py", "does not say which game", "the file defines Pong, Chess"),
        ("{folder}/two_games.py:Ches", 'there is no "Ches"', 'did you mean "Chess"?'),
        ("{folder}/two_games.py:NUMBER", "is not a game: 1", "subclass of renderwright.engine.Game"),
        ("no_such_module_anywhere:Pong", 'no module "no_such_module_anywhere"', "give a path"),
        ("no_such.module_anywhere:Pong", 'no module "no_such.module_anywhere"', "give a path"),
        ("{folder}/raising_game.py", "raising_game.py:2: game", "RENDERWRIGHT_DEBUG=1"),
        ("{folder}/unparsed_game.py", "unparsed_game.py:2: game", "RENDERWRIGHT_DEBUG=1"),
        ("{folder}/importing_game.py", "importing_game.py:2: game", "RENDERWRIGHT_DEBUG=1"),
        (
            "{folder}/mistaken_game.py",
            "mistaken_game.py:2: game",
            'did you mean "renderwright.engine.renderer.blobs"?\n  RENDERWRIGHT_DEBUG=1',
        ),
        ("regatta", 'unknown game "regatta"', "the name of its entry point in [renderwright.games]"),
    ],
)
def test_a_wrong_name_says_what_to_do(folder: Path, name: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_game(name.format(folder=folder))
    first, *rest = str(caught.value).splitlines()
    assert message in first
    assert hint in "\n".join(rest)


def test_a_relative_skeleton_path_is_relative_to_the_file_of_the_game(tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames" / "own.yaml").write_bytes(find_skeleton("forward").read_bytes())
    source = "from renderwright.engine.game import Game\n\nclass {name}(Game):\n    skeleton, plugins = '{path}', ()\n"
    (tmp_path / "framed_game.py").write_text(source.format(name="Framed", path="frames/own.yaml"))
    Session(find_game(f"{tmp_path}/framed_game.py"), NullBackend(), (64, 64)).close()
    (tmp_path / "unframed_game.py").write_text(source.format(name="Unframed", path="absent.yaml"))
    with pytest.raises(UsageError, match=f'no skeleton "absent.yaml" and no file of that name in {tmp_path}'):
        Session(find_game(f"{tmp_path}/unframed_game.py"), NullBackend(), (64, 64))


def test_a_game_is_remembered_under_one_name_and_not_imported_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pong.py").write_text("raise AssertionError('imported')")
    monkeypatch.chdir(tmp_path)
    assert game_identity("pong.py") == game_identity("./pong.py:Pong") == str(tmp_path.resolve() / "pong.py")
    assert game_identity("marbles") == game_identity("renderwright.games.marbles:Marbles") == "marbles"
    assert game_identity("package.module:Class") == "package.module:Class"
    for unknown in ("marble", "png.py"):
        with pytest.raises(UsageError):
            game_identity(unknown)


@pytest.mark.parametrize(
    ("plugins", "message", "hint"),
    [
        ('"shadows"', "Pong.plugins is the text 'shadows', not a tuple of names", 'write plugins = ("shadows",)'),
        ("(3,)", "Pong.plugins cannot be (3,)", "write a tuple of names"),
        ("None", "Pong.plugins cannot be None", "write a tuple of names"),
    ],
)
def test_plugins_of_another_kind_name_the_line_of_the_class(
    plugins: str, message: str, hint: str, tmp_path: Path
) -> None:
    (tmp_path / "pong_game.py").write_text(f"{ONE}    plugins = {plugins}\n")
    with pytest.raises(UsageError) as caught:
        find_game(f"{tmp_path}/pong_game.py")
    assert str(caught.value).startswith(f"{tmp_path}/pong_game.py:3: {message}\n  {hint}")


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        (
            'skeleton = "defered"',
            'Pong.skeleton: there is no skeleton "defered" and no file of that name in {folder}',
            'did you mean "deferred"?',
        ),
        (
            'controls = {"axes": {"turn": {"axes": ["pad_left_z"]}}}',
            'Pong.controls: axes.turn.axes: unknown gamepad axis "pad_left_z"',
            "an input map has actions and axes",
        ),
        ('controls = {"axis": {}}', "Pong.controls: axis: unknown key", 'did you mean "axes"?'),
    ],
)
def test_what_a_game_names_wrongly_is_told_with_the_line_of_the_class(
    line: str, message: str, hint: str, tmp_path: Path
) -> None:
    (tmp_path / "pong_game.py").write_text(f"{ONE}    {line}\n")
    game = find_game(f"{tmp_path}/pong_game.py")
    with pytest.raises(UsageError) as caught:
        Session(game, NullBackend(), (64, 64))
    assert str(caught.value).startswith(f"{tmp_path}/pong_game.py:3: {message.format(folder=tmp_path)}")
    assert hint in caught.value.hint


SECONDS = "write seconds above 0, such as step = 1 / 120; what a step does is in update(self, dt)"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("title = 3", 'write a text, such as title = "Pong"'),
        ("max_players = 0", "write a whole number of 1 or more"),
        ("max_players = 2.0", "write a whole number of 1 or more"),
        ("max_players = True", "write a whole number of 1 or more"),
        ("min_players = 0", "write a whole number of 1 or more"),
        ("min_players = '2'", "write a whole number of 1 or more"),
        ("step = 0.0", SECONDS),
        ("step = float('inf')", SECONDS),
        ("step = None", SECONDS),
        ("step = -1 / 60", SECONDS),
        ("step = 60", "it is the seconds of a step, not a rate: write step = 1 / 60"),
        ("step = 59.94", "it is the seconds of a step, not a rate: write step = 1 / 59.94"),
    ],
)
def test_attributes_of_another_kind_name_the_line_of_the_class(line: str, hint: str, tmp_path: Path) -> None:
    (tmp_path / "pong_game.py").write_text(f"{ONE}    {line}\n")
    with pytest.raises(UsageError) as caught:
        find_game(f"{tmp_path}/pong_game.py")
    name = line.split(" = ")[0]
    assert str(caught.value).startswith(f"{tmp_path}/pong_game.py:3: Pong.{name} cannot be ")
    assert caught.value.hint == hint


def test_a_step_may_last_a_second() -> None:
    class Chess(Game):
        step = 1

    check_attributes(Chess)


def test_an_unknown_plugin_of_a_game_names_the_line_of_the_class() -> None:
    class Pong(Game):
        plugins = ("shadwos", "tonemap")

    with pytest.raises(UsageError) as caught:
        Session(Pong, NullBackend(), (64, 64))
    assert caught.value.message == 'Pong.plugins names an unknown plugin "shadwos"'
    assert caught.value.hint == 'did you mean "shadows"?'
    assert caught.value.where is not None
    assert (
        Path(caught.value.where.file).read_text().splitlines()[caught.value.where.line - 1] == "    class Pong(Game):"
    )


def test_a_plugin_like_no_other_may_have_to_be_installed() -> None:
    class Pong(Game):
        plugins = ("heatwake",)

    with pytest.raises(UsageError) as caught:
        Session(Pong, NullBackend(), (64, 64))
    assert caught.value.message == 'Pong.plugins names an unknown plugin "heatwake"'
    assert caught.value.hint.startswith(
        "install the package that has it, and name that in the game's dependencies; known: "
    )


def test_fewest_players_above_the_most_name_the_line_of_the_class(tmp_path: Path) -> None:
    (tmp_path / "pong_game.py").write_text(f"{ONE}    min_players = 2\n")
    with pytest.raises(UsageError) as caught:
        find_game(f"{tmp_path}/pong_game.py")
    message = "Pong.min_players is 2, above max_players, which is 1"
    assert str(caught.value).startswith(f"{tmp_path}/pong_game.py:3: {message}")
    assert caught.value.hint == "write max_players = 2, or more"


@pytest.mark.parametrize(
    ("module", "game"),
    [
        ("renderwright.games.duel.visor", "duel"),
        ("renderwright.games.duel", "duel"),
        ("ringing.haze", ""),
        ("renderwright.plugins.bloom", ""),
        ("ring.haze", "ring"),
        ("pong_haze", ""),
        ("haze", ""),
    ],
)
def test_a_module_belongs_to_the_game_of_its_package(module: str, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = (
        EntryPoint("duel", "renderwright.games.duel:Duel", "renderwright.games"),
        EntryPoint("ring", "ring.game:Ring", "renderwright.games"),
        EntryPoint("pong", "pong:Pong", "renderwright.games"),
    )
    monkeypatch.setattr(games.importlib.metadata, "entry_points", lambda group: found)
    assert game_of_module(module) == game
