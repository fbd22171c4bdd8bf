"""Full-screen nodes as fragment and as compute shaders, on a real driver under validation."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import GraphError, ShaderError
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.sync.flags import Layout
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.resources import Resolution, Texture

pytestmark = pytest.mark.vulkan

SIZE = Resolution("size")
PLACES = """
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 a;
layout(location = 1) out float b;
layout(location = 2) out uint c;
layout(push_constant) uniform Push { float scale; } push;
void main() {
    a = vec4(uv, 1.0 - uv.x, gl_FragCoord.w);
    b = dot(gl_FragCoord.xyz, vec3(1.0, 16.0, 1.0)) * push.scale;
    if (gl_FragCoord.x < 2.0) {
        c = 7u;
        return;
    }
    c = uint(gl_FragCoord.x) + 1000u * uint(gl_FragCoord.y);
}
"""
CORNERS = """
layout(set = 0, binding = 0) uniform sampler2D above;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = 2.0 * texture(above, uv) + 0.25; }
"""


@pytest.fixture(params=[Fullscreen.FRAGMENT, Fullscreen.COMPUTE], ids=str)
def full(make_bench, request):
    bench = make_bench(CompileOptions(fullscreen=request.param))
    bench.graph.define_resolution(ResolutionRule("size", size=(13, 9)))
    bench.layout = Layout.GENERAL if request.param is Fullscreen.COMPUTE else Layout.COLOR_ATTACHMENT
    bench.computes = request.param is Fullscreen.COMPUTE
    return bench


def add(bench, name: str, shader: str, *requests, execute=None) -> None:
    """A full-screen node; each request is a function of the registry."""

    def declare(reg):
        for request in requests:
            request(reg)
        pipeline = reg.fullscreen(shader)
        return lambda cmd: (execute or (lambda cmd, pipeline: cmd.draw(pipeline)))(cmd, pipeline)

    bench.graph.add_node(name, declare)


def target(name: str, format_: str = "rgba32_sfloat", size=SIZE):
    return lambda reg: reg.create(name, Texture(format_, size)).color()


def places(bench) -> None:
    bench.shader("places.frag", PLACES)
    targets = (target("a"), target("b", "r16_sfloat"), target("c", "r32_uint"))
    add(bench, "places", "places.frag", *targets, execute=lambda cmd, it: cmd.draw(it, scale=0.5))


def check_places(bench, width: int, height: int) -> None:
    y, x = np.mgrid[0:height, 0:width]
    u, v = (x + 0.5) / width, (y + 0.5) / height
    assert np.allclose(bench.texels("a"), np.stack([u, v, 1 - u, np.ones_like(u)], -1), atol=1e-6)
    assert np.array_equal(bench.texels("b").reshape(y.shape), np.float16(0.5 * (x + 0.5 + 16 * (y + 0.5))))
    assert np.array_equal(bench.texels("c").reshape(y.shape), np.where(x < 2, 7, x + 1000 * y))


def test_every_texel_of_every_target_is_written(full) -> None:
    places(full)
    full.frames(3)
    assert not full.failures
    check_places(full, 13, 9)
    rendered = any(one.attachments for one in full.runtime.plan.pass_plan.passes)
    assert rendered != full.computes


GLOBALS = """
layout(location = 0) in vec2 uv;
vec2 centre = uv - 0.5;
float number = centre.x + floor(gl_FragCoord.y);
layout(location = 0) out vec4 a;
void main() { a = vec4(centre, number, uv.y); }
"""


def test_globals_may_be_initialised_from_the_place(full) -> None:
    full.shader("globals.frag", GLOBALS)
    add(full, "globals", "globals.frag", target("a"))
    full.frames(2)
    assert not full.failures
    texels = full.texels("a")
    x, y = (np.arange(13) + 0.5) / 13, (np.arange(9) + 0.5) / 9
    assert np.allclose(texels[..., 0], x[None, :] - 0.5, atol=1e-5)
    assert np.allclose(texels[..., 1], y[:, None] - 0.5, atol=1e-5)
    assert np.allclose(texels[..., 2], x[None, :] - 0.5 + np.arange(9)[:, None], atol=1e-5)
    assert np.allclose(texels[..., 3], y[:, None] + 0.0 * x[None, :], atol=1e-5)


def test_srgb_targets_are_encoded(full) -> None:
    full.shader(
        "ramp.frag",
        "layout(location = 0) in vec2 uv;\nlayout(location = 0) out vec4 o;\n"
        "void main() { o = vec4(1.25 * uv.x * vec3(1.0, 0.1, 0.001) - vec3(0.0, 0.01, 0.0), 1.0); }",
    )
    full.graph.define_resolution(ResolutionRule("size", size=(512, 1)))
    add(full, "ramp", "ramp.frag", target("a", "rgba8_srgb"))
    full.frames(2)
    assert not full.failures
    linear = 1.25 * ((np.arange(512) + 0.5) / 512)[:, None] * np.array([1.0, 0.1, 0.001]) - [0.0, 0.01, 0.0]
    linear = np.clip(linear, 0.0, 1.0)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    (shown,) = full.texels("a").astype(float)
    # Half a step and a tenth may be missed (the Vulkan specification, "sRGB"); lavapipe misses attachments by one and a
    # half.
    assert np.abs(shown[:, :3] - 255.0 * encoded).max() < (0.6 if full.computes else 1.6)
    assert np.all(shown[:, 3] == 255)
    assert any(one.attachments for one in full.runtime.plan.pass_plan.passes) != full.computes


def test_the_picture_follows_its_resolution(full) -> None:
    places(full)
    full.frames(2)
    for size in [(8, 8), (13, 3), (1, 1), (9, 9)]:
        full.graph.set_dynamic_resolution("size", size)
        full.frames(2)
        check_places(full, *size)
    full.graph.set_dynamic_resolution("size", None)
    full.graph.define_resolution(ResolutionRule("size", size=(5, 20)))
    full.frames(2)
    check_places(full, 5, 20)


def test_mips_and_layers(full) -> None:
    """Each mip of layer 1 is made from the one above; a mip that a small picture lacks is left out."""
    full.shader("one.frag", "layout(location = 0) out vec4 o;\nvoid main() { o = vec4(1.0); }")
    full.shader("corners.frag", CORNERS)
    pyramid = Texture("rgba32_sfloat", SIZE, mips=5, layers=2)
    add(full, "mip 0", "one.frag", lambda reg: reg.create("m", pyramid).mip(0).layer(1).color())

    def half(level: int) -> None:
        def requests(reg) -> None:
            reg.modify("m").mip(level - 1).layer(1).sampled(filter="nearest").bind("above")
            reg.modify("m").mip(level).layer(1).color()
            reg.after(f"mip {level - 1}")

        add(full, f"mip {level}", "corners.frag", requests)

    for level in range(1, 5):
        half(level)

    def show(reg) -> None:
        reg.read("m").mip(3).layer(1).sampled(filter="nearest").bind("above")
        reg.create("a", Texture("rgba32_sfloat", (4, 2))).color()

    add(full, "show", "corners.frag", show)
    full.frames(3)
    assert not full.failures
    value = 1.0
    for _ in range(4):
        value = 2.0 * value + 0.25
    assert np.all(full.texels("a") == value)


def test_what_a_node_adds_to_a_cleared_picture_and_its_history(full) -> None:
    full.shader(
        "more.frag",
        "layout(set = 0, binding = 0) uniform sampler2D before;\nlayout(location = 0) out vec4 o;\n"
        "void main() { o = texelFetch(before, ivec2(gl_FragCoord.xy), 0) + 1.0; }",
    )

    def clear(reg) -> None:
        reg.create("a", Texture("rgba32_sfloat", SIZE)).color((0, 0, 0, 0))

    full.graph.add_node("clear", clear)

    def requests(reg) -> None:
        reg.modify("a").color()
        reg.history("a").sampled(filter="nearest").bind("before")

    add(full, "more", "more.frag", requests)
    full.frames(5)
    assert not full.failures
    assert np.all(full.texels("a") == 5)


@pytest.mark.parametrize(
    ("execute", "words"),
    [
        (lambda cmd, it: (cmd.draw(it), cmd.draw(it)), "more than once"),
        (lambda cmd, it: cmd.draw(it, 6), "more than once"),
        (lambda cmd, it: cmd.draw(it, instances=2), "more than once"),
        (lambda cmd, it: cmd.bind(it), "binds a full-screen pipeline"),
        (lambda cmd, it: cmd.dispatch(it, cmd.extent), "binds a full-screen pipeline"),
        (lambda cmd, it: cmd.viewport(0, 0, 4, 4), "all of its render targets"),
    ],
)
def test_what_only_one_of_the_two_can_do_is_an_error_in_both(full, execute, words: str) -> None:
    full.shader("one.frag", "layout(location = 0) out vec4 o;\nvoid main() { o = vec4(1.0); }")
    add(full, "cover", "one.frag", target("a"), execute=execute)
    full.frames(1)
    (failure,) = full.failures
    assert isinstance(failure.error, GraphError)
    assert words in failure.error.message
    assert failure.error.hint


def test_an_execute_function_knows_the_extent_of_its_targets(full) -> None:
    seen = []
    full.shader("one.frag", "layout(location = 0) out vec4 o;\nvoid main() { o = vec4(1.0); }")
    add(full, "cover", "one.frag", target("a"), execute=lambda cmd, it: (seen.append(cmd.extent), cmd.draw(it)))
    full.frames(1)
    assert seen == [(13, 9)]


def test_a_binding_of_the_images_is_refused(full) -> None:
    full.shader("one.frag", CORNERS.replace("binding = 0", "binding = 64"))
    full.shader("start.frag", "layout(location = 0) out vec4 o;\nvoid main() { o = vec4(1.0); }")
    add(full, "start", "start.frag", target("p"))
    add(full, "cover", "one.frag", lambda reg: reg.read("p").sampled().bind("above"), target("a"))
    full.frames(1)
    (failure,) = full.failures
    assert '"above" of node "cover" has the binding 64' in failure.error.message
    assert "below 64" in failure.error.hint


def test_an_output_without_a_target_is_named(full) -> None:
    full.shader("places.frag", PLACES)
    add(full, "places", "places.frag", target("a"), target("b", "r16_sfloat"))
    full.frames(1)
    (failure,) = full.failures
    assert isinstance(failure.error, ShaderError)
    assert "2 color attachments, but" in failure.error.message
    assert "location 2" in failure.error.message
