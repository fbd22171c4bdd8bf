"""The main loop in a real window: resized, minimised, switched and closed, and nothing stays alive."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.vulkan

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("scenario", ["resize", "minimise", "switch", "close"])
def test_a_game_in_a_window(display: str, scenario: str) -> None:
    ran = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("window_scenario.py")), scenario],
        env={**os.environ, "DISPLAY": display, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "validation: 0 messages" in ran.stderr
    switched = [line for line in ran.stderr.splitlines() if line.endswith((" is on", " is off"))]
    # Every second frame presses a function key: each press switches once, however many steps its frame plays.
    assert len(switched) == (20 if scenario == "switch" else 0)
    assert "Plugins are switched on and off with F1 " in ran.stderr
