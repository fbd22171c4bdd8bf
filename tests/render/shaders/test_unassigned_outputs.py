"""Which outputs of a fragment shader its code never assigns."""

from __future__ import annotations

import pytest

from renderwright.render.shaders import ShaderCache, ShaderLibrary, ShaderRequest
from renderwright.render.shaders.unassigned import unassigned_outputs
from renderwright.render.types.usages import ShaderStage

OUTPUTS = """layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(location = 1) out vec3 light;
void all_of(out vec4 target) { target = uv.xyxy; }
"""


@pytest.mark.parametrize(
    ("body", "unassigned"),
    [
        ("", {0, 1}),
        ("color = vec4(1.0);", {1}),
        ("vec4 color = uv.xyxy; light = color.rgb;", {0}),
        ("color.r = uv.x; light[2] = uv.y;", set()),
        ("if (uv.x > 0.5) color = vec4(1.0); else light = vec3(1.0);", set()),
        ("all_of(color); light = color.rgb;", set()),
        ("float whole = modf(uv.x, color.r); light += whole;", set()),
        ("for (int i = 0; i < int(uv.x); i++) color[i] = light[i] = 1.0;", set()),
        ("if (uv.x > 0.5) discard;", set()),
        ("if (uv.x > 0.5) discard; color = vec4(1.0);", {1}),
    ],
)
def test_what_no_instruction_writes_is_unassigned(compile_glsl, body, unassigned):
    assert unassigned_outputs(compile_glsl(f"{OUTPUTS}void main() {{ {body} }}")) == unassigned


@pytest.mark.parametrize(
    ("declaration", "body", "unassigned"),
    [
        ("out vec4 both[2];", "both[1] = vec4(1.0);", set()),
        ("out vec4 both[2];", "", {0, 1}),
        ("flat out ivec2 pair;", "pair = ivec2(1);", set()),
    ],
)
def test_an_output_counts_as_a_whole(compile_glsl, declaration, body, unassigned):
    declaration = declaration.removeprefix("flat ")
    text = f"layout(location = 0) {declaration}\nvoid main() {{ {body} }}"
    assert unassigned_outputs(compile_glsl(text)) == unassigned


@pytest.mark.parametrize("srgb", [(), (0, 1)])
@pytest.mark.parametrize(
    ("body", "unassigned"),
    [
        ("", {0, 1}),
        ("color = vec4(1.0);", {1}),
        ("vec4 color = uv.xyxy; light = color.rgb;", {0}),
        ("color.r = uv.x; light[2] = uv.y;", set()),
        ("if (uv.x > 0.5) color = vec4(1.0); else light = vec3(1.0);", set()),
        ("all_of(color); light = color.rgb;", set()),
        ("for (int i = 0; i < int(uv.x); i++) color[i] = light[i] = 1.0;", set()),
    ],
)
def test_a_full_screen_shader_that_computes_is_looked_at_as_well(
    write, shader_cache: ShaderCache, tmp_path, body, unassigned, srgb
):
    write("a.frag", f"#version 450\n{OUTPUTS}void main() {{ {body} }}\n")
    request = ShaderRequest(ShaderStage.COMPUTE, "a.frag", node="fog/apply", fullscreen=True, srgb=srgb)
    assert unassigned_outputs(ShaderLibrary([tmp_path], shader_cache).load([request])[request]) == unassigned
