"""``play --reload``, and what it says of the game's own code."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from edited_plugins import EditedGame, Told

from renderwright.engine import reload
from renderwright.engine.cli import main
from renderwright.engine.games import find_game
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

GAME = '''"""A game in a file, with a module beside it."""

from colours_beside import COLOUR

from renderwright.engine.game import Game


class Painted(Game):
    """Nothing but text."""

    title = "Painted"
    skeleton = "flat"
    plugins = ()

    def draw(self, alpha: float) -> None:
        self.context.hud.text(1, 1, COLOUR)
        painted = self.painted = getattr(self, "painted", 0) + 1
        if painted == 3:
            EDIT()
'''


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    path = tmp_path / "painted_game.py"
    path.write_text(GAME, encoding="utf-8")
    (tmp_path / "colours_beside.py").write_text('COLOUR = "red"\n', encoding="utf-8")
    return path


def test_code_of_the_game_asks_for_a_restart(backend: VulkanBackend, file: Path) -> None:
    game = find_game(str(file))
    vars(__import__(game.__module__))["EDIT"] = lambda: None
    beside = file.parent / "colours_beside.py"
    with closing(EditedGame(backend, game)) as edited:
        assert file.parent in edited.watcher.folders
        edited.frame()
        for path in (beside, file):
            edited.watcher.tell(path)
            edited.frame()
            assert f"{path.name} has changed; restart the game to use it" in edited.notice
        edited.watcher.tell(file.parent / "unrelated.py")
        edited.frame()
        assert len(edited.lines) == 2


def test_play_takes_changes_in(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    watcher = Told()
    monkeypatch.setattr(reload.live_files, "FileWatcher", lambda: watcher)
    game = find_game(str(file))
    module = __import__(game.__module__)
    module.EDIT = lambda: watcher.tell(file)  # type: ignore[attr-defined]
    name = f"{game.__module__}:{game.__name__}"
    options = ["--headless", "--frames", "6", "--size", "320x180", "--screenshot", str(tmp_path / "shot.png")]
    assert main(["play", name, *options]) == 0
    assert "restart the game" not in capsys.readouterr().err
    assert main(["play", name, *options, "--reload"]) == 0
    assert "reload: the game: painted_game.py has changed; restart the game to use it" in capsys.readouterr().err
