"""The keys of a window with Ctrl, and the panel by real events of a window."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

pytestmark = pytest.mark.vulkan

SCENARIO = Path(__file__).with_name("window_tools_scenario.py")
WITHOUT_SLIMGUI = """\
import runpy, sys
sys.modules["slimgui"] = None
sys.argv = [{scenario!r}, "missing"]
runpy.run_path({scenario!r}, run_name="__main__")
"""


def run_in_window(display: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "DISPLAY": display, "PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_keys_with_ctrl_and_the_panel(display: str, tmp_path: Path) -> None:
    ran = run_in_window(display, tmp_path, str(SCENARIO), "panel")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "validation: 0 messages" in ran.stderr
    assert "The game is paused." in ran.stderr
    assert "The picture is in out/window_tools_scenario-1.png" in ran.stderr
    assert (tmp_path / "out" / "window_tools_scenario-1.png").stat().st_size > 1000
    assert "is in out/window_tools_scenario-1.html" in ran.stderr


def test_what_happened_in_a_window_happens_again_in_its_replay(display: str, tmp_path: Path) -> None:
    ran = run_in_window(display, tmp_path, str(SCENARIO), "recorded")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "The replay is in out/window_tools_scenario-1.yaml: all since the game began." in ran.stderr
    assert "There is no gamepad" in ran.stderr
    happened = json.loads(ran.stdout)
    assert [name for _, name, _ in happened] == ["jump", "stop", "jump"]
    line = "play --headless --backend null --strict --size 48x30 --replay out/window_tools_scenario-1.yaml"
    frames = str(happened[-1][0] // 2 + 2)
    command = ["-m", "renderwright.engine.cli", *line.split(), f"{SCENARIO}:Scenario", "--frames", frames]
    again = run_in_window(display, tmp_path, *command)
    assert again.returncode == 0, again.stdout + again.stderr
    assert json.loads(again.stdout) == happened


def test_other_programs_paste_what_was_copied(display: str, tmp_path: Path) -> None:
    ran = run_in_window(display, tmp_path, str(SCENARIO), "copied")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_without_its_extra_the_panel_says_what_to_install(display: str, tmp_path: Path) -> None:
    ran = run_in_window(display, tmp_path, "-c", WITHOUT_SLIMGUI.format(scenario=str(SCENARIO)))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "pip install 'renderwright[panel]'" in ran.stderr
