"""The benchmark of unchanged frames: its chain does what it says, and its table is whole."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.frame import GLSL, chain, command
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout

pytestmark = pytest.mark.vulkan


@pytest.mark.parametrize("kept", [0.0, 0.5, 1.0])
def test_kept_passes_make_the_same_picture(backend: VulkanBackend, kept: float) -> None:
    runtime = Runtime(chain(4, kept), backend, ShaderLibrary([GLSL]))
    for _ in range(5):
        runtime.render(None)
    picture = np.asarray(backend.read_texture(runtime.resource("picture 3"), Layout.COLOR_ATTACHMENT)) / 255.0
    runtime.close()
    x, y = np.meshgrid(np.arange(16) + 0.5, np.arange(16) + 0.5)
    expected = np.stack([x, y, y, x], axis=-1) * 0.125 % 1.0
    for _ in range(3):
        expected = expected * 0.5 + 0.25
    assert np.abs(picture - expected).max() < 0.01


def test_the_table() -> None:
    ran = CliRunner().invoke(command, ["--frames", "10", "--passes", "2", "--passes", "3"])
    assert ran.exit_code == 0, ran.output
    rows = [line.split("│")[1:-1] for line in ran.output.splitlines() if line.startswith("│")]
    assert [row[0].strip() for row in rows] == ["2", "3"]
    assert all(float(cell.split(",")[0]) > 0 for row in rows for cell in row[1:])
    assert "submitted again by the same backend" in ran.output
