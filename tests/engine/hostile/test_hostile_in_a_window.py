"""Plugins that make mistakes in a window: each is named and taken out, and the picture is that without it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hostile_plugins import INTEROPS, MATRIX
from patience import PATIENCE

pytestmark = pytest.mark.vulkan

ROOT = Path(__file__).parents[3]
SCENARIO = Path(__file__).with_name("hostile_window_scenario.py")


def played(display: str, folder: Path, when: str) -> dict[str, str]:
    """The reasons for which the plugins are out, by mistake."""
    ran = subprocess.run(
        [sys.executable, str(SCENARIO), when],
        env={**os.environ, "DISPLAY": display, "PYTHONPATH": str(ROOT)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr
    assert "validation: 0 messages" in ran.stderr
    reasons: dict[str, str] = json.loads(ran.stdout.splitlines()[-1])
    return reasons


def test_mistakes_leave_the_others_as_they_are(display: str, tmp_path: Path) -> None:
    one_by_one = played(display, tmp_path, "in mid-run")
    assert {name: one_by_one[name] for name in MATRIX if MATRIX[name].words not in one_by_one[name]} == {}
    at_once = played(display, tmp_path, "at the start")
    for name, hostile in (MATRIX | INTEROPS).items():
        # Several create a resource of one name: the first plugin keeps it, and that is why others are out.
        assert hostile.words in at_once[name] or " is created by " in at_once[name], name
    before, *after = sorted((tmp_path / "out").glob("*.png"))
    assert len(after) == 2
    assert {picture.read_bytes() for picture in after} == {before.read_bytes()}
