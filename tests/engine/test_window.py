"""The main loop in a real window: resized, minimised, switched and closed, and nothing stays alive."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

pytestmark = pytest.mark.vulkan

ROOT = Path(__file__).parents[2]
LOSE = "import window_loss_scenario; window_loss_scenario.main()"
LOSE_CONTEXT = "import window_context_loss_scenario; window_context_loss_scenario.main()"


def run_in_window(display: str, *arguments: str, backend: str = "vulkan") -> subprocess.CompletedProcess[str]:
    folders = (ROOT, ROOT / "tests" / "engine", ROOT / "tests" / "render" / "backend" / "vulkan")
    return subprocess.run(
        [sys.executable, *arguments],
        env={
            **os.environ,
            "DISPLAY": display,
            "RENDERWRIGHT_BACKEND": backend,
            "PYTHONPATH": os.pathsep.join(map(str, folders)),
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.parametrize("backend", ["vulkan", "opengl"])
@pytest.mark.parametrize("scenario", ["resize_and_hide", "switch"])
def test_a_game_in_a_window(display: str, scenario: str, backend: str) -> None:
    ran = run_in_window(display, str(Path(__file__).with_name("window_scenario.py")), scenario, backend=backend)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "validation: 0 messages" in ran.stderr
    switched = [line for line in ran.stderr.splitlines() if line.endswith((" is on", " is off"))]
    # Every second frame presses a function key: each press switches once, however many steps its frame plays.
    assert len(switched) == (20 if scenario == "switch" else 0)
    assert "Plugins are switched on and off with F1 " in ran.stderr
    assert f"({backend})" in ran.stderr


@pytest.mark.parametrize(("scenario", "lost"), [("resizing", 1), ("twice", 2)])
def test_a_game_in_a_window_outlives_its_device(display: str, scenario: str, lost: int) -> None:
    ran = run_in_window(display, "-c", LOSE, scenario)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.splitlines()[-1] == f"{lost} lost, left over: {{}}"
    assert "validation: 0 messages" in ran.stderr


def test_a_game_in_a_window_whose_devices_are_all_lost_ends(display: str) -> None:
    ran = run_in_window(display, "-c", LOSE, "for_good")
    assert ran.returncode == 1
    assert ran.stdout.splitlines()[-1] == "3 lost, left over: {}"
    assert "DeviceLostError: the device was lost 3 times within 600 frames" in ran.stderr


@pytest.mark.parametrize(("scenario", "lost"), [("once", 1), ("resizing", 1), ("twice", 2)])
def test_a_game_in_a_window_outlives_its_opengl_context(display: str, scenario: str, lost: int) -> None:
    ran = run_in_window(display, "-c", LOSE_CONTEXT, scenario, backend="opengl")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.splitlines()[-1] == f"{lost} lost, {lost + 1} contexts, the last one shows the game"
    assert "validation: 0 messages" in ran.stderr


def test_a_game_in_a_window_whose_opengl_contexts_are_all_lost_ends(display: str) -> None:
    ran = run_in_window(display, "-c", LOSE_CONTEXT, "for_good", backend="opengl")
    assert ran.returncode == 1
    assert ran.stdout.splitlines()[-1].startswith("3 lost, 3 contexts")
    assert "DeviceLostError: the device was lost 3 times within 600 frames" in ran.stderr
