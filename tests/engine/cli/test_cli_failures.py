"""Mistakes in the code of a game are told by the lines of the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.engine.cli import main

GAME = """import numpy as np

from renderwright.engine import Game, Material
from renderwright.engine.hud import Hud
from renderwright.engine.scene.image import Image


def helper(scene):
    scene.spwan(3)


class Misspelt(Game):
    def update(self, dt):
        helper(self.context.scene)


class Wrong(Game):
    def setup(self, context):
        Image("a", np.zeros((2, 2), np.uint8))


class Coloured(Game):
    def draw(self, alpha):
        Material(color=(1, 0, 0, 1))


class Lettered(Game):
    def draw(self, alpha):
        Hud(10, 10).text(0, 0, "a", sise=3)


class Stepping(Game):
    def step(self, context):
        pass


class Made(Game):
    def __init__(self):
        helper(None)


class Early(Game):
    def __init__(self):
        self.scene = self.context.scene


class Sized(Game):
    title = "Sized"

    def __init__(self, size):
        self.size = size
"""


AT_IMPORT = """import numpy as np

from renderwright.engine import Game
from renderwright.engine.scene.image import Image
from renderwright.plugins.particles import Particles

{mistake}


class Fine(Game):
    pass
"""


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Plays a class of the file; returns the exit code and the lines of the errors, with the file as ``game.py``."""
    monkeypatch.delenv("RENDERWRIGHT_DEBUG", raising=False)
    path = tmp_path / "game.py"
    path.write_text(GAME)

    def play(name: str) -> tuple[int, list[str]]:
        code = main(["play", f"{path}:{name}", "--backend", "null", "--headless", "--frames", "1"])
        said = capsys.readouterr().err.replace(str(path), "game.py").splitlines()
        begun = f"{name} on none (null)"
        return code, said[said.index(begun) + 1 :] if begun in said else said

    return play


def test_an_exception_of_a_game_shows_the_lines_of_the_game(played) -> None:
    code, lines = played("Misspelt")
    assert code == 1
    assert lines[0] == "error: game.py:9: AttributeError: 'Scene' object has no attribute 'spwan'"
    assert [line.strip() for line in lines if "File" in line] == [
        'File "game.py", line 14, in update',
        'File "game.py", line 9, in helper',
    ]
    assert lines[-1] == "  RENDERWRIGHT_DEBUG=1 shows the whole traceback"


@pytest.mark.parametrize(("game", "meant"), [("Coloured", "base_color"), ("Lettered", "size")])
def test_an_unknown_argument_gets_the_nearest(played, game: str, meant: str) -> None:
    code, lines = played(game)
    assert code == 1
    assert "got an unexpected keyword argument" in lines[0]
    assert lines[1] == f'  did you mean "{meant}"?'


def test_an_error_of_the_engine_names_the_line_that_called_it(played) -> None:
    code, lines = played("Wrong")
    assert code == 2
    assert lines[0] == 'error: game.py:19: image "a": pixels are uint8 (2, 2)'


@pytest.mark.parametrize("mistake", ['Image("a", np.zeros((2, 2), np.uint8))', "Particles(speed=(2.0, 1.0))"])
def test_an_error_while_a_game_is_imported_names_its_line(
    mistake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "early.py"
    path.write_text(AT_IMPORT.format(mistake=mistake))
    assert main(["play", str(path), "--backend", "null"]) == 2
    assert capsys.readouterr().err.startswith(f"error: {path}:7: ")


def test_a_step_that_is_a_method_is_told_from_a_duration(played) -> None:
    code, lines = played("Stepping")
    assert code == 2
    assert "Stepping.step cannot be <function" in lines[0]
    assert "update(self, dt)" in lines[1]


def test_an_exception_of_init_shows_the_lines_of_the_game(played) -> None:
    code, lines = played("Made")
    assert lines[0] == "error: game.py:9: AttributeError: 'NoneType' object has no attribute 'spwan'"
    assert [line.strip() for line in lines if "File" in line] == [
        'File "game.py", line 39, in __init__',
        'File "game.py", line 9, in helper',
    ]
    assert code == 1


def test_the_context_in_init_is_told_to_exist_from_setup_on(played) -> None:
    _, lines = played("Early")
    assert lines[0] == "error: game.py:44: AttributeError: 'Early' object has no attribute 'context'"
    assert lines[1] == "  the context exists from setup(self, context) on: move there what needs it"


def test_an_init_that_needs_an_argument_is_told_by_its_line(played) -> None:
    code, lines = played("Sized")
    assert code == 2
    assert lines[0] == "error: game.py:50: Sized.__init__ cannot be called: missing a required argument: 'size'"
    assert lines[1] == "  a game is made without arguments: write def __init__(self):"


def test_an_exception_of_the_engine_itself_is_not_hidden(played, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(options: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("renderwright.engine.app.play", play)
    with pytest.raises(ZeroDivisionError):
        played("Misspelt")
