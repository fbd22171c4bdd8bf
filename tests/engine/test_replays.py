"""What an input script says of the game, beside its input."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.engine.cli import main
from renderwright.engine.game import Game
from renderwright.engine.options import PlayOptions, PluginChoice
from renderwright.engine.replays import as_recorded, find_replay

GAME = """
from renderwright.engine import Camera, Game


class Dice(Game):
    plugins = ()
    max_players = 2

    def setup(self, context):
        context.scene.cameras = [Camera(), Camera()]

    def update(self, dt):
        print(self.context.players, self.context.random.random())
"""
SCRIPT = "version: 1\nseed: 7\nplayers: 2\nsteps:\n  - {step: 1, players: 1}\n"


class Pair(Game):
    max_players = 2


def _as_recorded(folder: Path, text: str, **options: object) -> PlayOptions:
    script = folder / "run.yaml"
    script.write_text(text)
    given = PlayOptions("game", replay=script, **options)  # type: ignore[arg-type]
    return as_recorded(given, find_replay(Pair, given))


def test_seed_and_players_are_those_of_the_script_unless_the_command_line_has_others(tmp_path: Path) -> None:
    recorded = _as_recorded(tmp_path, SCRIPT)
    assert (recorded.seed, recorded.players, recorded.plugins.enable) == (7, 2, ("split_screen",))
    given = _as_recorded(tmp_path, SCRIPT, seed=0, players=1)
    assert (given.seed, given.players, given.plugins.enable) == (0, 1, ())
    without = _as_recorded(tmp_path, SCRIPT, plugins=PluginChoice(disable=("split_screen",)))
    assert (without.players, without.plugins.enable) == (2, ())
    late = _as_recorded(tmp_path, "version: 1\nsteps:\n  - {step: 1, players: 2}\n")
    assert (late.players, late.plugins.enable) == (None, ("split_screen",))
    silent = _as_recorded(tmp_path, "version: 1\n")
    assert (silent.seed, silent.players, silent.plugins.enable) == (None, None, ())


def test_a_game_is_played_with_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dice.py").write_text(GAME)
    (tmp_path / "run.yaml").write_text(SCRIPT)
    options = "--headless --backend null --frames 1 --size 32x18 --screenshot"
    line = ["play", str(tmp_path / "dice.py"), *options.split(), str(tmp_path / "a.png")]

    def rolled(*more: str) -> list[tuple[str, str]]:
        assert main([*line, *more]) == 0
        return [tuple(line.split()) for line in capsys.readouterr().out.splitlines()]  # type: ignore[misc]

    seeded = rolled("--seed", "7", "--views", "2")
    replayed = rolled("--replay", str(tmp_path / "run.yaml"))
    assert [number for _, number in replayed] == [number for _, number in seeded]
    assert [players for players, _ in seeded] == ["2", "2"]
    assert [players for players, _ in replayed] == ["2", "1"]
    assert [number for _, number in rolled()] != [number for _, number in seeded]


def test_a_replay_without_a_window_is_played_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dice.py").write_text(GAME)
    script = tmp_path / "run.yaml"
    options = f"--headless --backend null --size 32x18 --screenshot {tmp_path / 'a.png'} --replay {script}"

    def steps(text: str, *more: str) -> int:
        script.write_text(text)
        assert main(["play", str(tmp_path / "dice.py"), *options.split(), *more]) == 0
        return len(capsys.readouterr().out.splitlines())

    # A step of the game is 1/120 s, a frame 1/60 s.
    assert steps(f"{SCRIPT}length: 240\n") == 240
    assert steps(f"{SCRIPT}length: 240\n", "--frames", "7") == 14
    assert steps("version: 1\nsteps:\n  - {step: 9, press: [a]}\n") == 10
    assert steps("version: 1\n") == 2
