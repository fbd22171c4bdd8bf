"""The numbers of samplers, images and outputs against the formats of their textures: a mismatch is an error without a
device."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.render.backend.null import NullBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import RenderwrightError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.snapshot import Chain
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.resources import Texture

SAMPLED = """#version 450
layout(set = 0, binding = 3) uniform {type} seen;
layout(location = 0) out vec4 color;
void main() {{ color = vec4({value}); }}
"""
STORED = """#version 450
layout(local_size_x = 1) in;

layout({qualifier}set = 0, binding = 2) uniform {type} seen;
void main() {{ {store} }}
"""
OUTPUT = """#version 450
layout(location = 0) out {type} color;
void main() {{ color = {type}(1); }}
"""
FLOATS, INTEGERS, UNSIGNED = (
    "in the shader, or give it a texture of floats, such as rgba16_sfloat",
    "in the shader, or give it a texture of integers, such as r32_sint",
    "in the shader, or give it a texture of unsigned integers, such as r32_uint",
)


class Frame:
    """A texture "given" and a node "look" that uses it, in a frame without a device."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.options = CompileOptions()
        self.graph = FrameGraph()

    def shader(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def given(self, texture: Texture) -> None:
        def give(reg):
            reg.create("given", texture).copy_dst()
            reg.side_effects()
            return lambda cmd: None

        self.graph.add_node("give", give)

    def sampled(self, *, optional: bool = False) -> None:
        def look(reg):
            request = reg.read("given").sampled().bind("seen")
            if optional:
                request.optional(otherwise=1.0)
            reg.create("drawn", Texture("rgba8_unorm", (8, 8))).color()
            reg.side_effects()
            pipeline = reg.fullscreen("look.frag")
            return lambda cmd: cmd.draw(pipeline)

        self.graph.add_node("look", look)

    def stored(self, texture_format: str) -> None:
        def look(reg):
            reg.create("given", Texture(texture_format, (8, 8))).storage().bind("seen")
            reg.side_effects()
            pipeline = reg.compute("look.comp")
            return lambda cmd: cmd.dispatch(pipeline, (1, 1, 1))

        self.graph.add_node("look", look)

    def drawn(self, *formats: str) -> None:
        def look(reg):
            for number, each in enumerate(formats):
                reg.create(f"drawn{number}", Texture(each, (8, 8))).color()
            reg.side_effects()
            pipeline = reg.fullscreen("look.frag")
            return lambda cmd: cmd.draw(pipeline)

        self.graph.add_node("look", look)

    def chained(self) -> None:
        def look(reg):
            reg.chain("post")
            reg.side_effects()
            pipeline = reg.graphics("look.frag")
            return lambda cmd: cmd.draw(pipeline)

        self.graph.add_chain(Chain("post", "given", "shown"))
        self.graph.add_node("look", look)

    def failures(self) -> list[NodeFailure]:
        found: list[NodeFailure] = []
        backend = NullBackend()
        library = ShaderLibrary([self.folder])
        runtime = Runtime(self.graph, backend, library, options=self.options, on_failure=found.append)
        runtime.render(backend.create_target((8, 8)))
        runtime.close()
        return found

    def error(self) -> RenderwrightError:
        (failure,) = self.failures()
        assert failure.node == "look"
        assert isinstance(failure.error, RenderwrightError)
        assert failure.error.where is not None
        assert failure.error.where.file == __file__
        return failure.error


@pytest.fixture(params=[Fullscreen.FRAGMENT, Fullscreen.COMPUTE], ids=str)
def full(shader_folder: Path, request) -> Frame:
    frame = Frame(shader_folder)
    frame.options = CompileOptions(fullscreen=request.param)
    return frame


@pytest.fixture
def frame(shader_folder: Path) -> Frame:
    return Frame(shader_folder)


@pytest.mark.parametrize(
    ("declared", "texture_format", "shown", "given", "hint"),
    [
        ("usampler2D", "d32_sfloat", "a usampler2D of unsigned integers", "floats", f"sampler2D {UNSIGNED}"),
        ("usampler2D", "d24_unorm_s8_uint", "a usampler2D of unsigned integers", "floats", f"sampler2D {UNSIGNED}"),
        ("sampler2D", "r32_uint", "a sampler2D of floats", "unsigned integers", f"usampler2D {FLOATS}"),
        ("isampler2D", "rgba8_unorm", "an isampler2D of integers", "floats", f"sampler2D {INTEGERS}"),
        ("isampler2D", "r32_uint", "an isampler2D of integers", "unsigned integers", f"usampler2D {INTEGERS}"),
        ("usampler2D", "r32_sint", "a usampler2D of unsigned integers", "integers", f"isampler2D {UNSIGNED}"),
        ("usampler2D", "rgba8_srgb", "a usampler2D of unsigned integers", "floats", f"sampler2D {UNSIGNED}"),
    ],
)
def test_a_sampler_of_other_numbers_than_the_format_is_named(
    full: Frame, declared, texture_format, shown, given, hint
) -> None:
    full.given(Texture(texture_format, (8, 8)))
    full.shader("look.frag", SAMPLED.format(type=declared, value="texelFetch(seen, ivec2(0), 0)"))
    full.sampled()
    error = full.error()
    assert error.message == (
        f'{full.folder / "look.frag"}:2: "seen" of node "look" (set 0 binding 3) is {shown} in the shader, but "given" '
        f"is a texture of format {texture_format}, which has {given}"
    )
    assert error.hint == f"declare it as {hint}"


@pytest.mark.parametrize(
    ("declared", "texture_format"),
    [
        ("sampler2D", "d32_sfloat"),
        ("sampler2D", "d24_unorm_s8_uint"),
        ("sampler2DShadow", "d32_sfloat"),
        ("sampler2D", "rgba8_srgb"),
        ("sampler2D", "rg16_snorm"),
        ("sampler2D", "b10g11r11_ufloat"),
        ("usampler2D", "r8_uint"),
        ("isampler2D", "r32_sint"),
    ],
)
def test_a_sampler_of_the_numbers_of_the_format_is_bound(full: Frame, declared, texture_format) -> None:
    full.given(Texture(texture_format, (8, 8)))
    value = "texture(seen, vec3(0.5))" if declared.endswith("Shadow") else "texelFetch(seen, ivec2(0), 0)"
    full.shader("look.frag", SAMPLED.format(type=declared, value=value))
    full.sampled()
    assert full.failures() == []


@pytest.mark.parametrize(
    ("declared", "texture", "value", "right"),
    [
        ("usampler2DArray", Texture("r32_sfloat", (8, 8), layers=2), "texelFetch(seen, ivec3(0), 0)", "sampler2DArray"),
        ("usampler2DMS", Texture("r32_sfloat", (8, 8), samples=4), "texelFetch(seen, ivec2(0), 0)", "sampler2DMS"),
        (
            "isamplerCube",
            Texture("rgba8_unorm", (8, 8), layers=6, cube=True),
            "texture(seen, vec3(1.0))",
            "samplerCube",
        ),
    ],
)
def test_the_hint_keeps_the_dimension(frame: Frame, declared, texture, value, right) -> None:
    frame.given(texture)
    frame.shader("look.frag", SAMPLED.format(type=declared, value=value))
    frame.sampled()
    error = frame.error()
    assert f" {declared} of " in error.message
    assert error.hint is not None
    assert error.hint.startswith(f"declare it as {right} in the shader, or")


def test_each_texture_of_an_array_is_checked(frame: Frame) -> None:
    def give(reg):
        reg.multiplex("eye")
        reg.create("given", Texture("r32_uint", (8, 8))).copy_dst()
        return lambda cmd: None

    def look(reg):
        reg.multiplex()
        reg.gather("given").sampled().bind("seen")
        reg.create("drawn", Texture("rgba8_unorm", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("look.frag")
        return lambda cmd: cmd.draw(pipeline)

    text = SAMPLED.format(type="sampler2D", value="texture(seen[1], vec2(0))").replace("seen;", "seen[2];")
    frame.shader("look.frag", text)
    frame.graph.set_count("eye", 2)
    frame.graph.add_node("give", give)
    frame.graph.add_node("look", look)
    assert "is a sampler2D of floats in the shader" in frame.error().message


def test_a_shadow_sampler_of_a_color_format_is_named(full: Frame) -> None:
    full.given(Texture("r32_sfloat", (8, 8)))
    full.shader("look.frag", SAMPLED.format(type="sampler2DShadow", value="texture(seen, vec3(0.5))"))
    full.sampled()
    error = full.error()
    assert error.message == (
        f'{full.folder / "look.frag"}:2: "seen" of node "look" (set 0 binding 3) is a sampler2DShadow in the shader, '
        'which compares depths, but "given" is a texture of format r32_sfloat, which is no depth format'
    )
    assert error.hint == (
        "declare it as sampler2D in the shader and compare there, or give it a texture of a depth format, such as "
        "d32_sfloat"
    )


@pytest.mark.parametrize(
    ("declared", "value", "shown"),
    [
        ("usampler2D", "texelFetch(seen, ivec2(0), 0)", "a usampler2D of unsigned integers in the shader"),
        ("sampler2DShadow", "texture(seen, vec3(0.5))", "a sampler2DShadow in the shader, which compares depths"),
    ],
)
def test_the_texel_of_an_absent_texture_has_floats(frame: Frame, declared, value, shown) -> None:
    frame.shader("look.frag", SAMPLED.format(type=declared, value=value))
    frame.sampled(optional=True)
    error = frame.error()
    assert error.message == (
        f'{frame.folder / "look.frag"}:2: "seen" of node "look" (set 0 binding 3) is {shown}, but "given" is absent, '
        "and the texel in its place has floats"
    )
    assert error.hint == "leave out otherwise=1.0 of the request, and put the declaration in #if HAS_SEEN"


def test_the_texel_of_an_absent_texture_fits_a_sampler_of_floats(frame: Frame) -> None:
    frame.shader("look.frag", SAMPLED.format(type="sampler2D", value="texture(seen, vec2(0))"))
    frame.sampled(optional=True)
    assert frame.failures() == []


@pytest.mark.parametrize(
    ("qualifier", "declared", "texture_format", "numbers", "given", "right"),
    [
        ("", "writeonly uimage2D", "rgba16_sfloat", "a uimage2D of unsigned integers", "floats", "image2D"),
        ("", "writeonly image2D", "r32_uint", "an image2D of floats", "unsigned integers", "uimage2D"),
        ("", "writeonly iimage2D", "r32_uint", "an iimage2D of integers", "unsigned integers", "uimage2D"),
        ("r32ui, ", "uimage2D", "r32_sfloat", "a uimage2D of unsigned integers", "floats", "image2D with layout(r32f)"),
    ],
)
def test_an_image_of_other_numbers_than_the_format_is_named(
    frame: Frame, qualifier, declared, texture_format, numbers, given, right
) -> None:
    stored = declared.rpartition(" ")[2].replace("image2D", "vec4")
    store = f"imageStore(seen, ivec2(0), {stored}(1));"
    frame.shader("look.comp", STORED.format(qualifier=qualifier, type=declared, store=store))
    frame.stored(texture_format)
    error = frame.error()
    assert error.message == (
        f'{frame.folder / "look.comp"}:4: "seen" of node "look" (set 0 binding 2) is {numbers} in the shader, but '
        f'"given" is a texture of format {texture_format}, which has {given}'
    )
    assert error.hint is not None
    assert error.hint.startswith(f"declare it as {right} in the shader, or give it a texture of ")


@pytest.mark.parametrize(
    ("declared", "texture_format", "numbers", "given", "right"),
    [
        ("uvec4", "rgba8_unorm", "unsigned integers", "floats", "vec4"),
        ("vec4", "r32_uint", "floats", "unsigned integers", "uvec4"),
        ("ivec4", "r32_uint", "integers", "unsigned integers", "uvec4"),
        ("uvec4", "r32_sint", "unsigned integers", "integers", "ivec4"),
        ("ivec4", "bgra8_srgb", "integers", "floats", "vec4"),
    ],
)
def test_an_output_of_other_numbers_than_the_attachment_is_named(
    full: Frame, declared, texture_format, numbers, given, right
) -> None:
    full.shader("look.frag", OUTPUT.format(type=declared))
    full.drawn(texture_format)
    error = full.error()
    assert error.message == (
        f'node "look": {full.folder / "look.frag"}:2 writes {numbers} to location 0, but the color attachment "drawn0" '
        f"is a texture of format {texture_format}, which has {given}"
    )
    assert error.hint is not None
    assert error.hint.startswith(f"declare the output as {right} in the shader, or give it a texture of ")


def test_an_output_of_an_included_file_is_named_by_its_line(full: Frame) -> None:
    full.shader("outputs.glsl", "layout(location = 0) out vec4 color;\nlayout(location = 1) out uvec4 number;\n")
    full.shader(
        "look.frag", '#version 450\n\n#include "outputs.glsl"\nvoid main() { color = vec4(1); number = uvec4(1); }'
    )
    full.drawn("rgba8_unorm", "r32_sfloat")
    place = f"{(full.folder / 'outputs.glsl').resolve()}:2"
    words = 'writes unsigned integers to location 1, but the color attachment "drawn1"'
    assert f"{place} {words}" in full.error().message


def test_the_outputs_of_an_array_are_checked_one_by_one(frame: Frame) -> None:
    text = OUTPUT.format(type="vec4").replace("color;", "color[2];").replace("color =", "color[0] = color[1] =")
    frame.shader("look.frag", text)

    def look(reg):
        reg.create("a", Texture("rgba8_unorm", (8, 8))).color()
        reg.create("b", Texture("r32_uint", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("look.frag")
        return lambda cmd: cmd.draw(pipeline)

    frame.graph.add_node("look", look)
    assert 'writes floats to location 1, but the color attachment "b"' in frame.error().message


def test_outputs_of_fewer_components_fit(full: Frame) -> None:
    full.shader(
        "look.frag",
        "#version 450\nlayout(location = 0) out float a;\nlayout(location = 1) out uvec2 b;\n"
        "layout(location = 2) out int c;\nvoid main() { a = 1.0; b = uvec2(1); c = 1; }",
    )
    full.drawn("rgba8_unorm", "rgba32_uint", "r32_sint")
    assert full.failures() == []


def test_the_source_of_a_chain_is_named_by_the_chain(frame: Frame) -> None:
    frame.given(Texture("rgba16_sfloat", (8, 8)))
    text = SAMPLED.format(type="usampler2D", value="texelFetch(source, ivec2(0), 0)").replace(" seen", " source")
    frame.shader("look.frag", text)
    frame.chained()
    assert 'but the source of the chain "post" is a texture of format rgba16_sfloat' in frame.error().message


def test_the_result_of_a_chain_is_named_by_the_chain(frame: Frame) -> None:
    frame.given(Texture("rgba16_sfloat", (8, 8)))
    frame.shader("look.frag", OUTPUT.format(type="uvec4"))
    frame.chained()
    assert (
        'to location 0, but the result in the chain "post" is a texture of format rgba16_sfloat'
        in frame.error().message
    )
