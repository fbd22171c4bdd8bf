"""A game's process does not grow from frame to frame, whatever the driver keeps."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

pytestmark = [
    pytest.mark.vulkan,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="resident memory is read from /proc"),
]

SCENARIO = Path(__file__).with_name("memory_scenario.py")
MOST = 10 * 2**20
"""Bytes in 40 frames. A driver that keeps a copy of one shader a frame takes 40 MiB."""


@pytest.mark.parametrize(
    "settings",
    [
        ("vr.k1=0", "vr.k2=0", "vr.spread=0"),
        (
            *("tonemap.operator=neutral", "tonemap.dither=false", "ssao.slices=1", "outline.thickness=1"),
            *("fxaa.search=2", "depth_of_field.focus=5", "motion_blur.samples=4"),
        ),
    ],
    ids=["the game's own in two eyes", "others"],
)
def test_memory_is_flat(settings: tuple[str, ...]) -> None:
    root = str(Path(__file__).parents[2])
    ran = subprocess.run(
        [sys.executable, str(SCENARIO), *settings],
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) < MOST
