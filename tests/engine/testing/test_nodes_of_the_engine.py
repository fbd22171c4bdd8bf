"""Nodes whose shaders include files of the engine run alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from renderwright.engine.scene import Camera
from renderwright.engine.testing import CameraView, run_node
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Texture

SHADER = """#version 450
#include "camera.glsl"
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
void main() { result = vec4(camera.near); }
"""


def near(reg: Registry) -> Execute:
    reg.read("camera", CameraView)
    reg.create("out", Texture("rgba32_sfloat", (4, 4))).color()
    pipeline = reg.graphics("near.frag")
    return lambda cmd: cmd.draw(pipeline)


@pytest.mark.vulkan
def test_a_shader_includes_the_camera(tmp_path: Path) -> None:
    (tmp_path / "near.frag").write_text(SHADER)
    camera = CameraView.of(Camera(near=0.25), (4, 4), 0.0)
    result = run_node(near, {"camera": camera}, ["out"], size=(4, 4), shader_paths=[tmp_path])["out"]
    assert np.all(result == 0.25)
