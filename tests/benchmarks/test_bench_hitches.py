"""The benchmark of hitches: every step is there, is seen, and compiles nothing on the thread that renders."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

from benchmarks.hitches import Step, middle, table_of

ROOT = Path(__file__).parents[2]

MEASURE = """
import json
from dataclasses import asdict
from benchmarks.hitches import measure
print(json.dumps([asdict(step) for step in measure((96, 54), (112, 64), frames=5)]))
"""

TOGGLES = """
import json
from dataclasses import asdict
from itertools import islice
from benchmarks.hitches import playing, toggle_steps
with playing((64, 36), "drift") as play:
    print(json.dumps([asdict(step) for step in islice(toggle_steps(play, frames=5), 4)]))
"""


def steps_of(program: str, display: str) -> dict[str, Step]:
    """The steps that a program prints. It has a process of its own: pyglet binds to one display."""
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "DISPLAY": display, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return {step["name"]: Step(**step) for step in json.loads(ran.stdout.splitlines()[-1])}


@pytest.mark.vulkan
def test_every_step_is_seen_and_no_frame_compiles(display: str) -> None:
    steps = steps_of(MEASURE, display)
    assert len(steps) == 11
    assert all(step.before > 0 and step.after > 0 and step.shown > 0 for step in steps.values())
    assert {name: step.compiled for name, step in steps.items() if step.compiled} == {}
    cold = steps["7 plugins, cold"]
    assert cold.frames > 0
    assert cold.waiting > 0
    at_once = ["nothing", "resize", "resized back"]
    assert [steps[name].frames for name in at_once] == [0] * len(at_once)
    remembered = [steps[name].frames for name in ("7 plugins off", "VR off")]
    assert max(remembered) < cold.frames  # they are lowered, and not compiled


@pytest.mark.vulkan
def test_each_plugin_of_a_game_is_switched_over_and_back(display: str) -> None:
    steps = steps_of(TOGGLES, display)
    assert list(steps) == ["bloom off", "bloom on", "contact_shadows on", "contact_shadows off"]
    assert all(step.before > 0 and step.after > 0 and step.shown > 0 for step in steps.values())
    assert {name: step.compiled for name, step in steps.items() if step.compiled} == {}


def test_the_middle_of_several_runs() -> None:
    runs = [[Step("a", n, n * 1.0, n * 3.0, n * 2.0, n * 1.5, n * 1.0)] for n in (3, 1, 2)]
    (step,) = middle(runs)
    assert (step.frames, step.before, step.waiting, step.ratio) == (2, 2.0, 6.0, 3.0)


def test_a_step_without_waiting_has_a_dash() -> None:
    table = table_of([Step("a", 0, 1.0, 0.0, 4.0, 1.0, 2.0)], "title")
    cells = [next(iter(column.cells)) for column in table.columns]
    assert cells == ["a", "0", "1000.0", "-", "4000.0", "1000.0", "2000.0", "2.0"]
