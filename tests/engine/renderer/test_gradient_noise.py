"""The noise by which effects spread their samples."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from renderwright.engine.testing import run_node
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Texture

SIZE = (320, 180)
SHADER = """#version 450
#include "gradient_noise.glsl"
layout(location = 0) out vec4 result;
void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    result.rg = vec2(gradient_noise(texel), gradient_noise(texel, 1));
    result.ba = vec2(gradient_noise(texel, 63), gradient_noise(texel, 64));
}
"""


@pytest.fixture(params=[pytest.param("vulkan", marks=pytest.mark.vulkan), "opengl"])
def noise(request, tmp_path: Path) -> NDArray[np.float32]:
    """That of frames 0, 1, 63 and 64, (height, width, 4)."""
    (tmp_path / "noise.frag").write_text(SHADER)

    def draw(reg: Registry) -> Execute:
        reg.create("out", Texture("rgba32_sfloat", SIZE)).color()
        pipeline = reg.graphics("noise.frag")
        return lambda cmd: cmd.draw(pipeline)

    return run_node(draw, outputs=["out"], size=SIZE, shader_paths=[tmp_path], backend=request.param)["out"]


def test_every_driver_draws_the_same_noise(noise) -> None:
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.uint64)
    for channel, frame in enumerate((0, 1, 63, 0)):
        along = (x * 288237660 + y * 25070368 + frame * 1750839832) % 2**32
        expected = ((along >> 8) * 13564 % 2**32 >> 8) / 2**24
        assert np.array_equal(noise[..., channel], expected)


def test_any_3_by_3_texels_have_evenly_spread_values(noise) -> None:
    for frame in range(4):
        values = np.sort(sliding_window_view(noise[..., frame], (3, 3)).reshape(-1, 9), axis=1)
        gaps = np.diff(np.hstack([values, values[:, :1] + 1.0]), axis=1)
        assert gaps.max() < 0.2
    assert noise[..., 0].mean() == pytest.approx(0.5, abs=0.01)
