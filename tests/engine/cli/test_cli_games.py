"""``renderwright games``."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from renderwright.engine import games
from renderwright.engine.cli import main
from renderwright.engine.entry_points import GAMES

ALONE = "from renderwright.engine import Game\n\nclass Alone(Game):\n    plugins = ()\n    title = 'All alone'\n"


def test_it_lists_the_installed_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("drift: "))
    assert lines[at + 1] == "  1 to 2 players, flat, with bloom, tonemap"
    assert any(line.startswith("marbles: ") for line in lines)


def test_a_broken_game_is_listed_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rw_broken_game.py").write_text("speed = 1 / 0\n")
    (tmp_path / "rw_alone_game.py").write_text(ALONE)
    monkeypatch.syspath_prepend(tmp_path)
    points = [
        EntryPoint("alone", "rw_alone_game:Alone", GAMES),
        EntryPoint("broken", "rw_broken_game:Game", GAMES),
    ]
    monkeypatch.setattr(games.importlib.metadata, "entry_points", lambda group: points)
    assert main(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["alone: All alone", "  1 player, deferred, without plugins"]
    assert lines[2].startswith("broken, broken: ")
    assert "ZeroDivisionError" in "".join(lines[2:])
    points.clear()
    assert main(["games"]) == 0
    assert "renderwright new game" in capsys.readouterr().out
