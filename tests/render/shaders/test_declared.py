"""The line of a shader that declares a binding."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.render.shaders.declared import declared_at, passed_at

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


def test_a_declaration_of_an_included_file_is_at_its_line(tmp_path: Path) -> None:
    files = {
        "own.frag": '#version 450\n#include "light.glsl"\n  # include <sub/outer.glsl>\nvoid main() {}\n',
        "light.glsl": "// nothing\n",
        "sub/outer.glsl": '\n#include "inner.glsl"\n#include "outer.glsl"\n',
        "sub/inner.glsl": "\n\nlayout(set = 0, binding = 0) uniform sampler2D color;\n",
    }
    (tmp_path / "sub").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    included = [str(tmp_path / name) for name in list(files)[1:]]
    own = str(tmp_path / "own.frag")
    assert str(declared_at(own, "color", included)) == f"{tmp_path / 'sub' / 'inner.glsl'}:3"
    assert str(declared_at(own, "other", included)) == own


def test_a_declaration_of_a_file_elsewhere_is_at_the_include_of_the_author(tmp_path: Path) -> None:
    files = {
        "plugin/own.frag": '#version 450\n#include "light.glsl"\nvoid main() {}\n',
        "plugin/light.glsl": '\n\n#include "outer.glsl"\n',
        "engine/outer.glsl": '\n#include "inner.glsl"\n',
        "engine/inner.glsl": "layout(set = 0, binding = 0) uniform sampler2D color;\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    included = [str(tmp_path / name) for name in list(files)[1:]]
    place = declared_at(str(tmp_path / "plugin/own.frag"), "color", included)
    assert str(place) == f"{tmp_path / 'plugin' / 'light.glsl'}:3"


PASSED = """\
#version 450
layout(location = 0) in vec2 uv;
// layout(location = 1) out vec4 color;
layout(location = 1) flat in highp uvec4 numbers[2];
layout(location = 0)
    out vec4 color;
void shade(in vec3 place, in vec2 corner) {}
"""


@pytest.mark.parametrize(
    ("name", "line"), [("uv", 2), ("numbers", 4), ("color", 6), ("place", 0), ("corner", 0), ("", 0)]
)
def test_the_line_of_an_input_or_output(tmp_path: Path, name: str, line: int) -> None:
    file = tmp_path / "shader.frag"
    file.write_text(PASSED)
    assert passed_at(str(file), name).line == line
