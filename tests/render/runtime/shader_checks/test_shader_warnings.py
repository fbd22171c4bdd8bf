"""The plugin whose shader makes a driver's memory grow is told, once."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.runtime.shader_checks.shader_warnings import ShaderWarnings
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.types.usages import ShaderStage

SHADER = """#version 450
layout(push_constant) uniform Push { int turns; } push;
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) out vec4 result;
void main() {
    result = vec4(0.0);
    for (int i = 0; i < push.turns; ++i) result += texture(source, vec2(float(i)));
}
"""


@pytest.fixture(scope="module")
def module() -> ShaderModule:
    command = ["glslc", "-O", "-g", "-fshader-stage=fragment", "--target-env=vulkan1.3", "-o", "-", "-"]
    spirv = subprocess.run(command, input=SHADER.encode(), capture_output=True, check=True).stdout
    return ShaderModule(ShaderStage.FRAGMENT, "loop.frag", "key", spirv)


def spin() -> Any:
    return NodeDeclaration("loop/spin", "loop", SourceLocation("loop.py", 1))


def test_it_names_the_shader_the_node_the_plugin_and_the_number(
    module: ShaderModule, caplog: pytest.LogCaptureFixture
) -> None:
    warnings = ShaderWarnings(copies_shaders=True)
    for _ in range(3):
        warnings.look_at(module, spin())
    (said,) = caplog.messages
    assert said.startswith(
        'shader loop.frag of node "loop/spin" of plugin "loop" branches or loops by push.turns alone: '
    )


def test_other_drivers_can_do_it(module: ShaderModule, caplog: pytest.LogCaptureFixture) -> None:
    ShaderWarnings(copies_shaders=False).look_at(module, spin())
    assert caplog.messages == []
