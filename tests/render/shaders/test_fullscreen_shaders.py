"""A full-screen fragment shader as a compute shader, from the same text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from renderwright.render.errors import ShaderError
from renderwright.render.shaders import ShaderCache, ShaderLibrary, ShaderModule, ShaderRequest
from renderwright.render.shaders.fullscreen import FIRST_BINDING, GROUP_SIZE
from renderwright.render.shaders.module import BindingKind
from renderwright.render.shaders.portable import portable_key, portable_text
from renderwright.render.types.usages import ShaderStage

DRAWN = ShaderRequest(ShaderStage.FRAGMENT, "a.frag", node="fog/apply", fullscreen=True)
COMPUTED = replace(DRAWN, stage=ShaderStage.COMPUTE)
BOTH = (DRAWN, COMPUTED)


@pytest.fixture
def library(tmp_path, shader_cache: ShaderCache) -> ShaderLibrary:
    return ShaderLibrary([tmp_path / "shaders"], shader_cache)


@pytest.fixture
def load(library, write):
    """``load(text, request)``: the module of a shader, or its error."""

    def load_text(text: str, request: ShaderRequest = COMPUTED) -> ShaderModule | ShaderError:
        write("shaders/a.frag", text)
        return library.load([request])[request]

    return load_text


def outputs(module: ShaderModule) -> dict[int, str]:
    storage = [binding for binding in module.bindings if binding.kind is BindingKind.STORAGE_TEXTURE]
    return {binding.binding - FIRST_BINDING: binding.name for binding in storage}


def test_each_output_is_an_image(load) -> None:
    module = load("""#version 450
        layout(set = 0, binding = 0) uniform sampler2D source;
        layout(location = 0) in vec2 uv;
        layout(location = 0) out float shade; layout(location = 1) out vec3 light;
        layout(location=3)
            out uvec2 mark;
        void main() { shade = gl_FragCoord.x; light = texture(source, uv).rgb; mark = uvec2(gl_FragCoord.xy); }
        """)
    assert module.local_size == (GROUP_SIZE, GROUP_SIZE, 1)
    assert outputs(module) == {0: "fullscreen_output_0", 1: "fullscreen_output_1", 3: "fullscreen_output_3"}
    stored = [binding for binding in module.bindings if binding.kind is BindingKind.STORAGE_TEXTURE]
    assert all(binding.writes and not binding.reads and binding.format == "" for binding in stored)


@pytest.mark.parametrize(("define", "locations"), [("0", {1}), ("1", {0, 1})])
def test_an_output_that_the_preprocessor_drops_has_no_image(load, define: str, locations: set[int]) -> None:
    text = """#version 450
        #if EXTRA
        layout(location = 0) out vec4 extra;
        #endif
        // layout(location = 5) out vec4 of_a_comment;
        /* layout(location = 6) out vec4 of_a_block; */
        layout(location = 1) out vec4 color;
        void main() {
        #if EXTRA
            extra = vec4(1.0);
        #endif
            color = vec4(0.5);
        }
        """
    module = load(text, replace(COMPUTED, defines=(("EXTRA", define),)))
    assert set(outputs(module)) == locations


@pytest.mark.parametrize("request_", BOTH, ids=lambda request: request.stage.value)
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("layout(location = 1) in vec3 normal;", '"normal" is no input'),
        ("layout(location = 1) out mat4 matrix;", "the type mat4"),
        ("flat in int number;", "`flat in int number`: it has no location"),
        ("in highp vec2 uv;", "`in highp vec2 uv`: it has no location"),
        ("highp in vec2 uv;", "`highp in vec2 uv`: it has no location"),
        ("in Block { vec2 uv; } block;", "`in Block`: it is a block"),
        ("layout(location = 0) flat in int number;", "it has the qualifier `flat`"),
        ("layout(location = 0) in centroid vec2 uv;", "it has the qualifier `centroid`"),
        ("layout(location = 0, index = 1) out vec4 other;", "its layout has more than a location"),
        ("layout(location = 1) out vec4 several[2];", "it is an array"),
        ("layout(location = 0) in vec2 uv, other;", "it declares several names"),
        ("layout(early_fragment_tests) in;", "it is for shaders that draw, or for those that compute"),
        ("layout(local_size_x = 8) in;", "it is for shaders that draw, or for those that compute"),
        ("#define PLACE layout(location = 0) in\nPLACE vec2 uv;", "it is in a macro"),
    ],
)
def test_other_inputs_and_outputs_are_refused_at_their_line(load, tmp_path, request_, line: str, words: str) -> None:
    error = load(
        f"#version 450\nlayout(location = 0) out vec4 o;\n\n{line}\nvoid main() {{ o = vec4(1); }}\n", request_
    )
    assert isinstance(error, ShaderError)
    assert words in error.message
    assert "fog/apply" in error.message
    assert (Path(error.where.file), error.where.line) == (tmp_path / "shaders/a.frag", 4)


@pytest.mark.parametrize("request_", BOTH, ids=lambda request: request.stage.value)
def test_inputs_and_outputs_may_have_a_precision(load, request_) -> None:
    module = load(
        "#version 450\nlayout(location = 0) in highp vec2 uv;\nlayout(location = 0) out mediump vec4 o;\n"
        "void main() { o = vec4(uv, 0.0, 1.0); }\n",
        request_,
    )
    assert isinstance(module, ShaderModule)


def test_parameters_and_words_in_names_are_no_inputs(load) -> None:
    module = load("""#version 450
        layout(location = 0) out vec4 outcome;
        void twice(
            in float inner,
            out float outer
        ) { outer = 2.0 * inner; }
        void main() { float within; twice(1.0, within); outcome = vec4(within); }
        """)
    assert isinstance(module, ShaderModule)


def test_a_shader_without_outputs_is_refused(load) -> None:
    assert "without outputs" in load("#version 450\nvoid main() {}\n").message


def test_a_refused_shader_stays_refused(load, library) -> None:
    load("#version 450\nlayout(location = 0) out vec4 o;\nvoid main() { discard; }\n", DRAWN)
    assert library.at_hand([DRAWN]) is None
    assert isinstance(library.load([DRAWN])[DRAWN], ShaderError)


def test_words_of_fragment_shaders_in_code_that_is_not_compiled_do_no_harm(load) -> None:
    text = "#version 450\nlayout(location = 0) out vec4 o;\nvoid main() {\n#ifdef X\ndiscard;\n#endif\no = vec4(1); }\n"
    assert isinstance(load(text, DRAWN), ShaderModule)
    assert isinstance(load(text, COMPUTED), ShaderModule)


def test_an_error_behind_an_output_names_its_line(load, tmp_path) -> None:
    error = load("#version 450\nlayout(location = 0) out vec4 o;\nvoid main() {\n    o = nothing;\n}\n")
    assert (Path(error.where.file), error.where.line) == (tmp_path / "shaders/a.frag", 4)
    assert "nothing" in error.message


def test_the_compute_shader_travels_compiled_as_well(library, write, tmp_path) -> None:
    write("shaders/a.frag", "#version 450\nlayout(location = 0) out vec4 o;\nvoid main() { o = vec4(1); }\n")
    drawn, computed = (library.source(request) for request in BOTH)
    assert portable_key(drawn) != portable_key(computed)
    assert str(tmp_path) not in portable_text(computed.text)
