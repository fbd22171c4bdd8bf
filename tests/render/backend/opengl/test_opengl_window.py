"""Windows on OpenGL."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from patience import PATIENCE

SCENARIO = Path(__file__).with_name("opengl_window_scenario.py")
REPOSITORY = Path(__file__).parents[4]

EXPECTED = """fits red green
fits red green
does not fit
fits red green
minimised
0 messages
"""


def test_a_window_shows_the_frame_the_right_way_up(display: str) -> None:
    environment = {**os.environ, "DISPLAY": display, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(
        [sys.executable, str(SCENARIO)], env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.stderr == "", done.stderr
    assert done.stdout == EXPECTED
