"""Full-screen shaders use only GLSL that fragment and compute shaders have in common, or are refused as both."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from renderwright.render.errors import ShaderError
from renderwright.render.shaders import ShaderCache, ShaderLibrary, ShaderModule, ShaderRequest
from renderwright.render.types.usages import ShaderStage

DRAWN = ShaderRequest(ShaderStage.FRAGMENT, "a.frag", node="fog/apply", fullscreen=True)
BOTH = pytest.mark.parametrize(
    "request_", [DRAWN, replace(DRAWN, stage=ShaderStage.COMPUTE)], ids=lambda request: request.stage.value
)
HEADER = """#version 450
#include "more.glsl"
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform samplerCubeArrayShadow shadows;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 o;
"""
LINE = HEADER.count("\n") + 3


@pytest.fixture
def load(tmp_path, shader_cache: ShaderCache, write):
    """``load(code, request)``: the module or error of a shader with the code in ``main``, at ``LINE``."""

    def load_text(code: str, request: ShaderRequest) -> ShaderModule | ShaderError:
        write("shaders/more.glsl", "float half_of(float x) {\n    return 0.5 * x;\n}\n")
        text = f"{HEADER}void main() {{\n    o = vec4(half_of(1.0)) * texture(source, uv);\n{code}\n}}\n"
        write("shaders/a.frag", text)
        return ShaderLibrary([tmp_path / "shaders"], shader_cache).load([request])[request]

    return load_text


@BOTH
@pytest.mark.parametrize(
    ("code", "word", "hint"),
    [
        ("if (uv.x > 0.5) discard;", "`discard`", "use `reg.graphics`"),
        ("o *= dFdx(uv.x);", "`dFdx`", "texelFetch"),
        ("o *= fwidthFine(uv.x);", "`fwidthFine`", "texelFetch"),
        ("o.xy = textureQueryLod(source, uv);", "`textureQueryLod`", "use `reg.graphics`"),
        ("gl_FragDepth = 0.5;", "`gl_FragDepth`", "use `reg.graphics`"),
        ("o *= float(gl_FrontFacing);", "`gl_FrontFacing`", "use `reg.graphics`"),
        ("o = texture(source, uv, -1.0);", "a bias in `texture`", "textureLod"),
        ("o = textureOffset(source, (uv), ivec2(1, 1), 1.0);", "a bias in `textureOffset`", "textureLod"),
        ("o = textureProj(source, vec3(uv, 1.0), 1.0);", "a bias in `textureProj`", "textureLod"),
        ("o *= float(gl_GlobalInvocationID.x);", "`gl_GlobalInvocationID`", "use `reg.compute`"),
        ("barrier();", "`barrier`", "use `reg.compute`"),
    ],
)
def test_glsl_of_one_stage_is_an_error_in_both_at_its_line(
    load, tmp_path, request_, code: str, word: str, hint: str
) -> None:
    error = load(f"    {code}", request_)
    assert isinstance(error, ShaderError)
    first, excerpt, *_ = error.message.splitlines()
    assert first == f'shader a.frag of node "fog/apply": a `reg.fullscreen` shader cannot use {word}'
    assert excerpt.strip() == f"{LINE} | {f'    {code}'}".strip()
    assert hint in error.hint
    assert (Path(error.where.file), error.where.line) == (tmp_path / "shaders/a.frag", LINE)


@BOTH
def test_every_word_is_named_where_it_is(load, tmp_path, request_) -> None:
    error = load("    o *= fwidth(uv.x);\n    if (o.x > 0.5) { discard; }\n    o *= fwidth(uv.y);", request_)
    file = tmp_path / "shaders/a.frag"
    assert error.message.startswith(
        'shader a.frag of node "fog/apply": a `reg.fullscreen` shader cannot use `fwidth`\n'
    )
    assert f"{file}:{LINE + 1}: a `reg.fullscreen` shader cannot use `discard`\n" in error.message
    assert error.message.count("`fwidth`") == 1


@BOTH
def test_the_word_of_a_macro_is_found_where_the_macro_is_used(load, request_) -> None:
    error = load("#define SHARP(place) texture(source, place, -1.0)\n    o = SHARP(max(uv, vec2(0.1)));", request_)
    assert "cannot use a bias in `texture`\n" in error.message
    assert error.where.line == LINE + 1


@BOTH
@pytest.mark.parametrize(
    "code",
    [
        "#ifdef NEVER\ndiscard;\nbarrier();\n#endif",
        "// discard; texture(source, uv, 1.0);",
        "float demote = 1.0; o *= demote;",
        "o *= texture(shadows, vec4(uv, 1.0, 0.0), 0.5);",
        "o *= texture(source, mix(uv, uv, 0.5));",
    ],
)
def test_what_both_stages_compile_is_no_error(load, request_, code: str) -> None:
    assert isinstance(load(code, request_), ShaderModule)


@BOTH
def test_other_mistakes_keep_their_messages(load, request_) -> None:
    error = load("    o = nothing;", request_)
    assert "'nothing' : undeclared identifier" in error.message
    assert error.where.line == LINE


def test_without_a_preprocessor_the_text_itself_is_searched(load, monkeypatch) -> None:
    monkeypatch.setattr("renderwright.render.shaders.stage_words.preprocessed", lambda text: "")
    error = load("    // fwidth\n    if (uv.x > 0.5) discard;", DRAWN)
    assert "cannot use `discard`\n" in error.message
    assert error.where.line == LINE + 1


@BOTH
def test_a_shader_of_both_stages_is_compiled_once(load, request_, monkeypatch) -> None:
    compiled = []
    compile_batch = ShaderLibrary.compile
    monkeypatch.setattr(ShaderLibrary, "compile", lambda self, them: compiled.extend(them) or compile_batch(self, them))
    assert isinstance(load("    o *= gl_FragCoord.x;", request_), ShaderModule)
    assert [source.stage for source in compiled] == [request_.stage]
