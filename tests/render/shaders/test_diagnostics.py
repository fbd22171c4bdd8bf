"""What the error of a shader that does not compile advises."""

from __future__ import annotations

import pytest

from renderwright.render.shaders.diagnostics import compile_error

SYNTAX = "'' :  syntax error, unexpected IDENTIFIER, expecting LEFT_BRACE or COMMA or SEMICOLON"


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("uniform sampler2DView extra;", SYNTAX, 'sampler2DView is of the engine: #include "views.glsl" first'),
        (
            "void main() { color = texture_of_view(extra, uv); }",
            "'texture_of_view' : no matching overloaded function found",
            'texture_of_view is of the engine: #include "views.glsl" first',
        ),
        ("uniform sampler2DViews extra;", SYNTAX, "correct the GLSL; play --reload compiles it again"),
    ],
)
def test_a_name_of_views_without_its_include_is_told(line: str, message: str, hint: str) -> None:
    error = compile_error("a.frag", f"#version 450\n{line}\n", "fx/a", f"a.frag:2: error: {message}", "a.frag")
    assert error.hint.startswith(hint)


@pytest.mark.parametrize("included", ['#include "views.glsl"', "#define sampler2DView sampler2D"])
def test_an_include_that_is_there_is_not_advised(included: str) -> None:
    text = f"#version 450\nuniform sampler2DView extra\n{included}\n"
    error = compile_error("a.frag", text, "fx/a", f"a.frag:2: error: {SYNTAX}", "a.frag")
    assert error.hint.startswith("correct the GLSL")


@pytest.mark.parametrize(
    ("declared", "line", "function", "hint"),
    [
        (
            "sampler2D",
            "texture_of_view(dust, uv)",
            "layer_of_view",
            "declare dust as sampler2DView: texture_of_view reads",
        ),
        (
            "sampler2D",
            "texel_of_view(dust, at, 0)",
            "texel_of_view",
            "declare dust as sampler2DView: texel_of_view reads",
        ),
        ("sampler2D", "texel_or_constant(dust, at)", "texel_of_view", "declare dust as sampler2DView"),
        ("sampler2DView", "texture(dust, uv)", "texture", "read a sampler2DView by texture_of_view(dust, uv): it may"),
        (
            "sampler2DView",
            "texelFetch(dust, at, 0)",
            "texelFetch",
            "read a sampler2DView by texel_of_view(dust, texel, mip)",
        ),
        ("sampler2DArray", "texture(dust, uv)", "texture", "check the number and the types of its arguments"),
        ("sampler2D", "texture(dust, 1)", "texture", "check the number and the types of its arguments"),
    ],
)
def test_a_texture_of_several_views_that_is_read_as_another_type_is_told(
    declared: str, line: str, function: str, hint: str
) -> None:
    text = f"#include <views.glsl>\nlayout(binding = 0) uniform {declared} dust;\nvec4 c = {line};\n"
    message = f"a.frag:3: error: '{function}' : no matching overloaded function found"
    assert compile_error("a.frag", text, "fx/a", message, "a.frag").hint.startswith(hint)
