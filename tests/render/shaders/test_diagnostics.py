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
