"""The main loop in a real window: resized, minimised, switched and closed, and nothing stays alive."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from patience import PATIENCE
from window_plays import END

pytestmark = pytest.mark.vulkan

ROOT = Path(__file__).parents[2]
OF_BACKENDS = {
    "vulkan": (
        *("window_scenario:resize_and_hide", "window_scenario:switch"),
        *(f"window_loss_scenario:{name}" for name in ("resizing", "twice", "for_good")),
    ),
    "opengl": (
        *("window_scenario:resize_and_hide", "window_scenario:switch"),
        *(f"window_context_loss_scenario:{name}" for name in ("once", "resizing", "twice", "for_good")),
    ),
}
"""Scenarios, each behind its module."""


@dataclass(frozen=True)
class Played:
    """How a scenario ended, and what it printed."""

    code: int
    out: str
    err: str


Play = Callable[[str, str], Played]


@pytest.fixture(scope="module")
def play(display: str) -> Play:
    """Plays a scenario on a backend. The first call plays all of the backend's in one process."""

    @cache
    def play_all(backend: str) -> dict[str, Played]:
        folders = (ROOT, ROOT / "tests" / "engine", ROOT / "tests" / "render" / "backend" / "vulkan")
        ran = subprocess.run(
            [sys.executable, str(Path(__file__).with_name("window_plays.py")), *OF_BACKENDS[backend]],
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
        assert ran.returncode == 0, ran.stdout + ran.stderr
        (*said, _), (*logged, _) = (END.split(text) for text in (ran.stdout, ran.stderr))
        each = zip(OF_BACKENDS[backend], said[1::2], said[::2], logged[::2], strict=True)
        return {scenario: Played(int(code), out, err) for scenario, code, out, err in each}

    return lambda backend, scenario: play_all(backend)[scenario]


@pytest.mark.parametrize("backend", ["vulkan", "opengl"])
@pytest.mark.parametrize("scenario", ["resize_and_hide", "switch"])
def test_a_game_in_a_window(play: Play, scenario: str, backend: str) -> None:
    played = play(backend, f"window_scenario:{scenario}")
    assert played.code == 0, played.out + played.err
    assert "validation: 0 messages" in played.err
    switched = [line for line in played.err.splitlines() if line.endswith((" is on", " is off"))]
    # Every second frame presses a function key: each press switches once, however many steps its frame plays.
    assert len(switched) == (20 if scenario == "switch" else 0)
    assert "Plugins are switched on and off with F1 " in played.err
    assert f"({backend})" in played.err


@pytest.mark.parametrize(("scenario", "lost"), [("resizing", 1), ("twice", 2)])
def test_a_game_in_a_window_outlives_its_device(play: Play, scenario: str, lost: int) -> None:
    played = play("vulkan", f"window_loss_scenario:{scenario}")
    assert played.code == 0, played.out + played.err
    assert played.out.splitlines()[-1] == f"{lost} lost, left over: {{}}"
    assert "validation: 0 messages" in played.err


def test_a_game_in_a_window_whose_devices_are_all_lost_ends(play: Play) -> None:
    played = play("vulkan", "window_loss_scenario:for_good")
    assert played.code == 1
    assert played.out.splitlines()[-1] == "3 lost, left over: {}"
    assert "DeviceLostError: the device was lost 3 times within 600 frames" in played.err


@pytest.mark.parametrize(("scenario", "lost"), [("once", 1), ("resizing", 1), ("twice", 2)])
def test_a_game_in_a_window_outlives_its_opengl_context(play: Play, scenario: str, lost: int) -> None:
    played = play("opengl", f"window_context_loss_scenario:{scenario}")
    assert played.code == 0, played.out + played.err
    assert played.out.splitlines()[-1] == f"{lost} lost, {lost + 1} contexts, the last one shows the game"
    assert "validation: 0 messages" in played.err


def test_a_game_in_a_window_whose_opengl_contexts_are_all_lost_ends(play: Play) -> None:
    played = play("opengl", "window_context_loss_scenario:for_good")
    assert played.code == 1
    assert played.out.splitlines()[-1].startswith("3 lost, 3 contexts")
    assert "DeviceLostError: the device was lost 3 times within 600 frames" in played.err
