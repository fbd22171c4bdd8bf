"""The line of a shader that declares a binding."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.render.shaders.declared import declared_at

TEXT = """\
#version 450
#include "camera.glsl"
// uniform sampler2D color; is what this was
layout(set = 0, binding = 0) uniform sampler2D
    color;
layout(set = 0, binding = 1, rgba8) uniform writeonly image2D result[2];
layout(set = 0, binding = 2) uniform Settings {
    float color_scale;
} settings;
/* buffer
   nothing */
layout(std430, set = 0, binding = 3) readonly buffer Lamps { vec4 places[]; };
void main() { result_of(color); }
"""


@pytest.mark.parametrize(
    ("name", "line"),
    [("color", 4), ("result", 6), ("Settings", 7), ("settings", 7), ("Lamps", 12), ("camera", 0), ("color_scale", 0)],
)
def test_the_line_is_that_of_the_declaration(tmp_path: Path, name: str, line: int) -> None:
    file = tmp_path / "shader.frag"
    file.write_text(TEXT)
    place = declared_at(str(file), name)
    assert (place.file, place.line) == (str(file), line)


def test_a_shader_without_a_file_has_no_line() -> None:
    assert str(declared_at("full screen", "color")) == "full screen"
