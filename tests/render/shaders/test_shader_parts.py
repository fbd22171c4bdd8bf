"""Parts of shaders: files of others in the place of ``#include NAME``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from renderwright.render.errors import ShaderError
from renderwright.render.shaders import ShaderCache, ShaderLibrary, ShaderModule, ShaderRequest, expand
from renderwright.render.shaders.portable import portable_key, write_compiled
from renderwright.render.types.shader_parts import ShaderPart
from renderwright.render.types.usages import ShaderStage

SHADER = """layout(location = 0) out vec4 o;
float level();
void main() {
#ifdef LEVEL
    o = vec4(level());
#else
    o = vec4(0.0);
#endif
}
#include LEVEL
"""
REQUEST = ShaderRequest(ShaderStage.FRAGMENT, "a.frag", node="fog/apply")


@pytest.fixture
def library(tmp_path: Path) -> ShaderLibrary:
    return ShaderLibrary([tmp_path / "shaders"], ShaderCache(tmp_path / "cache"))


def part(file: Path, before: str = "#define STEP 0.5", after: str = "#undef STEP") -> ShaderPart:
    return ShaderPart("LEVEL", str(file), before, after)


def test_a_part_takes_its_place_between_its_own_lines(write, tmp_path):
    root = write("a.frag", "int own;\n#include LEVEL\nint end;")
    level = write("other/level.glsl", "int level;")
    text = expand(root, (), (), None, [part(level)]).text
    assert text.splitlines() == [
        "#version 450",
        "#extension GL_GOOGLE_cpp_style_line_directive : enable",
        "#define LEVEL 1",
        f'#line 1 "{root}"',
        "int own;",
        "#ifndef RENDERWRIGHT_INCLUDED_1",
        "#define RENDERWRIGHT_INCLUDED_1",
        '#line 1 "generated for level.glsl"',
        "#define STEP 0.5",
        f'#line 1 "{level}"',
        "int level;",
        '#line 1 "generated for level.glsl"',
        "#undef STEP",
        "#endif",
        f'#line 3 "{root}"',
        "int end;",
    ]


def test_without_the_part_there_is_nothing(write):
    root = write("a.frag", "int own;\n#include LEVEL // of the game\nint end;")
    lines = expand(root, ()).text.splitlines()
    assert lines[3:] == ["int own;", "", "int end;"]


def test_a_shader_that_does_not_name_a_part_is_the_same_with_it(write):
    root, level = write("a.frag", "int own; // LEVELS"), write("level.glsl", "int level;")
    assert expand(root, (), (), None, [part(level)]) == expand(root, ())


def test_an_include_that_names_neither_a_file_nor_a_part_is_refused(write):
    with pytest.raises(ShaderError, match="names no file"):
        expand(write("a.frag", "#include level"), ())


def test_parts_make_modules_of_their_own(library, write):
    write("shaders/a.frag", SHADER)
    level = write("other/level.glsl", "float level() { return STEP; }")
    own = replace(REQUEST, parts=(part(level),))
    loaded = library.load([REQUEST, own])
    assert all(isinstance(module, ShaderModule) for module in loaded.values())
    assert loaded[REQUEST].key != loaded[own].key
    level.write_text("float level() { return STEP * 0.5; }")
    assert library.load([own])[own].key != loaded[own].key
    assert library.load([REQUEST])[REQUEST] is loaded[REQUEST]


def test_a_message_names_the_line_of_the_part(library, write):
    write("shaders/a.frag", SHADER)
    level = write("other/level.glsl", "\nfloat level() { return nothing; }")
    error = library.load([own := replace(REQUEST, parts=(part(level),))])[own]
    assert isinstance(error, ShaderError)
    assert (error.where.file, error.where.line) == (str(level), 2)
    assert "    2 | float level() { return nothing; }" in str(error)


@pytest.mark.parametrize(
    ("text", "line", "message", "hint"),
    [
        ("\nfloat levl() { return 0.5; }", 2, "level is missing", ' instead of "levl"'),
        ("float level(float x) { return x; }", 1, "level has other arguments", ""),
        ("// nothing", 0, "level is missing", ""),
        ("float level();", 0, "level is missing", ""),
        ("#define levl() 1.0\nfloat one() {\n    return levl(\n    );\n}", 0, "level is missing", ""),
    ],
)
def test_a_part_without_its_function_is_named(library, write, text, line, message, hint):
    write("shaders/a.frag", SHADER)
    level = write("other/level.glsl", text)
    own = replace(REQUEST, parts=(replace(part(level), function="float level()"),))
    error = library.load([own])[own]
    assert isinstance(error, ShaderError)
    assert error.message == f"level.glsl: {message}"
    assert (error.where.file, error.where.line) == (str(level), line)
    assert error.hint == f"define `float level()`{hint}"


def test_a_part_may_travel_compiled_beside_its_file(library, write, tmp_path, monkeypatch):
    write("shaders/a.frag", SHADER)
    level = write("other/level.glsl", "float level() { return STEP; }")
    own = replace(REQUEST, parts=(part(level),))
    module = library.load([own])[own]
    source = library.source(own)
    write_compiled(level.parent, {portable_key(source): library.compile([source])[0].spirv})
    monkeypatch.setenv("PATH", str(tmp_path))  # without a compiler
    other = ShaderLibrary(library.search_paths, ShaderCache(tmp_path / "another cache"))
    found = other.load([own])[own]
    assert isinstance(found, ShaderModule)
    assert found.outputs == module.outputs
    assert isinstance(other.load([REQUEST])[REQUEST], ShaderError)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\nlayout(set = 0, binding = 9) uniform sampler2D noise;", 2),
        (
            "/* layout(location = 0) in vec2 a; */\n// layout(location = 0)\n  layout (location = 3) out vec4 c;",
            3,
        ),
    ],
)
def test_a_part_declares_no_resources(write, text, line):
    root, level = write("a.frag", "layout(location = 0) out vec4 o;\n#include LEVEL\n"), write("level.glsl", text)
    with pytest.raises(ShaderError, match="a part of a shader declares") as error:
        expand(root, (), (), None, [part(level)])
    assert (error.value.where.file, error.value.where.line) == (str(level), line)


def test_a_part_may_include_what_the_shader_has(write):
    write("camera.glsl", "layout(set = 0, binding = 0) uniform Camera { vec3 eye; };")
    write("other/math.glsl", "float half_of(float x) { return 0.5 * x; }")
    root = write("a.frag", '#include "camera.glsl"\n#include LEVEL\nlayout(location = 0) out vec4 o;')
    level = write("other/level.glsl", '#include "camera.glsl"\n#include "math.glsl"\nfloat level;')
    text = expand(root, (root.parent,), (), None, [part(level)]).text
    assert text.count("uniform Camera") == 1
    assert "half_of" in text
