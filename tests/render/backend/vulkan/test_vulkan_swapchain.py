from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

pytestmark = pytest.mark.vulkan

ROOT = Path(__file__).parents[4]
SUPPORT = Path(__file__).parent


def run_in_window(display: str, name: str, file: str = "vulkan_window_scenarios.py") -> str:
    """Run a scenario in a process of its own; pyglet binds to one display."""
    script = SUPPORT / file
    ran = subprocess.run(
        [sys.executable, str(script), name],
        env={**os.environ, "DISPLAY": display, "PYTHONPATH": f"{ROOT}:{SUPPORT}"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


SCENARIOS = (
    "frames",
    "unpaced",
    "resize",
    "minimise",
    "no_area",
    "unsubmitted",
    "window_destroyed",
    "two_targets",
    "out_of_date",
    "suboptimal",
    "surface_lost",
    "each_call",
    "faults",
    "foreign_window",
)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_window(display: str, scenario: str) -> None:
    assert run_in_window(display, scenario).splitlines()[-1] == "no validation messages"


def test_a_window_on_a_slow_device(display: str) -> None:
    said = run_in_window(display, "slow", "vulkan_slow_window_scenario.py")
    assert said.splitlines()[-1] == "no validation messages"
