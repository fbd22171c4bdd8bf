from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from renderwright.render.errors import ShaderError
from renderwright.render.shaders import expand
from renderwright.render.shaders.includes import missing_file_hint


def code(text: str) -> list[str]:
    """The lines that are not preprocessor directives or empty."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def test_header_and_line_numbers(write):
    root = write("a.frag", "// comment\n#version 460\nvoid main() {}\n")
    text = expand(root, (), (("N", "4"), ("FAST", ""))).text
    assert text.splitlines() == [
        "#version 460",
        "#extension GL_GOOGLE_cpp_style_line_directive : enable",
        "#define N 4",
        "#define FAST ",
        f'#line 1 "{root}"',
        "// comment",
        "",
        "void main() {}",
    ]


def test_version_is_added_when_missing(write):
    assert expand(write("a.frag", "/* #version 310 es */ int x;"), ()).text.startswith("#version 450\n")


def test_include_next_to_file_wins_over_search_paths(write, tmp_path):
    write("near/x.glsl", "int near;")
    write("far/x.glsl", "int far;")
    root = write("near/a.frag", '#include "x.glsl"\nint own;')
    expanded = expand(root, (tmp_path / "far",))
    assert code(expanded.text) == ["int near;", "int own;"]
    assert f'#line 2 "{root}"' in expanded.text
    angled = write("near/b.frag", "#include <x.glsl>")
    assert code(expand(angled, (tmp_path / "far",)).text) == ["int far;"]


def test_each_file_once_and_cycles(write):
    write("x.glsl", '#include "y.glsl"\nint x;')
    write("y.glsl", '#include "x.glsl"\n#include "z.glsl"\nint y;')
    write("z.glsl", "int z;")
    root = write("a.frag", '#include "x.glsl"\n#include "y.glsl"\n#include "z.glsl"\n#include "a.frag"\nint a;')
    expanded = expand(root, ())
    assert code(expanded.text) == ["int z;", "int y;", "int x;", "int a;"]
    assert [path.name for path in expanded.files] == ["a.frag", "x.glsl", "y.glsl", "z.glsl"]


def test_include_in_untaken_branch_does_not_hide_a_later_one(write, compile_glsl):
    write("f.glsl", "vec4 f() { return vec4(1.0); }")
    root = write(
        "a.frag",
        '#if 0\n#include "f.glsl"\n#endif\n#include "f.glsl"\n'
        "layout(location = 0) out vec4 o;\nvoid main() { o = f(); }",
    )
    text = expand(root, ()).text
    assert compile_glsl(text.removeprefix("#version 450\n")).spirv


def test_commented_includes_are_ignored(write):
    root = write("a.frag", '// #include "no.glsl"\n/*\n#include "no.glsl"\n*/ int a; // /*\nint b;\n')
    assert len(expand(root, ()).files) == 1


def test_a_missing_include_like_no_other_gets_no_near_name(write):
    write("air.glsl", "")
    root = write("a.frag", '\n#include "x.glsl"\n')
    with pytest.raises(ShaderError) as caught:
        expand(root, ())
    assert caught.value.hint.startswith("add the file, or correct the name (searched: ")


def test_missing_include_names_line_and_search_paths(write, tmp_path):
    write("lib/lighting.glsl", "")
    root = write("a.frag", '\n\n#include "lihgting.glsl"\n')
    with pytest.raises(ShaderError) as caught:
        expand(root, (tmp_path / "lib",))
    assert str(caught.value.where) == f"{root}:3"
    assert '"lihgting.glsl" does not exist' in caught.value.message
    assert 'did you mean "lighting.glsl"?' in caught.value.hint
    assert caught.value.hint.endswith(f"(searched: {tmp_path}, {tmp_path / 'lib'})")


def test_malformed_include(write):
    root = write("a.frag", "#include lighting.glsl")
    with pytest.raises(ShaderError, match="names no file") as caught:
        expand(root, ())
    assert caught.value.where is not None
    assert caught.value.where.line == 1


def test_depth_limit(write):
    for index in range(40):
        write(f"{index}.glsl", f'#include "{index + 1}.glsl"')
    with pytest.raises(ShaderError, match="includes nest too deep or repeat too often"):
        expand(write("a.frag", '#include "0.glsl"'), ())


def test_conditional_includes_cannot_explode(write):
    for index in range(20):
        write(f"{index}.glsl", f'#ifdef A\n#include "{index + 1}.glsl"\n#else\n#include "{index + 1}.glsl"\n#endif')
    write("20.glsl", "")
    with pytest.raises(ShaderError, match="includes nest too deep or repeat too often"):
        expand(write("a.frag", '#include "0.glsl"'), ())


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [("2X", "1", '"2X" is not a name'), ("A B", "", "is not a name"), ("A", "1\n#error", "more than one line")],
)
def test_bad_defines(write, name, value, message):
    with pytest.raises(ShaderError, match=message):
        expand(write("a.frag", ""), (), ((name, value),))


def test_the_hint_for_a_missing_file_names_folders_that_do_not_exist(tmp_path):
    hint = missing_file_hint("heat.comp", (tmp_path / "glsl", tmp_path))
    assert hint == f"add the file, or correct the name (searched: {tmp_path}/glsl, which does not exist, {tmp_path})"
    installed = Path(sysconfig.get_path("purelib")) / "heatwake_plugin" / "glsl"
    assert missing_file_hint("heat.comp", (installed,)).endswith(
        f"{installed}, which does not exist); a wheel has the shaders that package-data of its pyproject.toml names"
    )
