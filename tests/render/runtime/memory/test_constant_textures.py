"""Optional textures and blobs that have a value where they are absent, on a real driver under validation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from renderwright.render import Texture
from renderwright.render.runtime.memory.constant_textures import ConstantTextures

FORMAT = "rgba32_sfloat"
SHARE = """
#include "views.glsl"
#ifdef HAS_SHARE
#error a shader knows whether the texture is there
#endif
layout(set = 0, binding = 0) uniform sampler2DView share;
layout(location = 0) out vec4 color;
void main() { color = texel_or_constant(share, ivec2(gl_FragCoord.xy)) * 8.0; }
"""
RAMP = """
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_FragCoord.x, gl_FragCoord.y, 0.0, 1.0); }
"""


def show(reg):
    reg.read("share").sampled(filter="nearest").optional(otherwise=0.25)
    reg.create("shown", Texture(FORMAT, (4, 3))).color()
    reg.side_effects()
    pipeline = reg.graphics("share.frag")
    return lambda cmd: cmd.draw(pipeline)


def ramp(reg):
    reg.create("share", Texture(FORMAT, (4, 3))).color()
    pipeline = reg.graphics("ramp.frag")
    return lambda cmd: cmd.draw(pipeline)


@pytest.mark.vulkan
def test_an_absent_texture_has_its_value_and_the_shader_stays_the_same(bench) -> None:
    bench.shader("share.frag", SHARE)
    bench.shader("ramp.frag", RAMP)
    bench.graph.add_node("show", show)
    bench.frames(2)
    assert bench.failures == []
    assert np.array_equal(bench.texels("shown"), np.full((3, 4, 4), 2.0))
    before = bench.runtime.plan
    bench.graph.add_node("ramp", ramp)
    bench.frames(2)
    assert bench.runtime.plan is not before
    columns, rows = np.meshgrid(np.arange(4) + 0.5, np.arange(3) + 0.5)
    assert np.array_equal(bench.texels("shown")[..., :2], 8.0 * np.stack([columns, rows], axis=-1))
    bench.graph.remove_node("ramp")
    bench.frames(2)
    assert np.array_equal(bench.texels("shown"), np.full((3, 4, 4), 2.0))


@pytest.mark.vulkan
def test_a_value_has_one_texture(bench) -> None:
    constants = ConstantTextures(bench.backend)
    assert constants.texture(1.0) is constants.texture(1.0)
    assert constants.texture(1.0) is not constants.texture(0.0)
    constants.destroy()


@pytest.mark.vulkan
def test_only_sampled_textures_have_a_value_where_they_are_absent(bench) -> None:
    def declare(reg):
        reg.read("share").storage_read().optional(otherwise=1.0)

    bench.graph.add_node("show", declare)
    bench.frames(1)
    (failure,) = bench.failures
    assert '"share" is requested with a value for a texture that is absent' in str(failure)


@dataclass(frozen=True)
class Tint:
    """A blob."""

    color: tuple[float, float, float]


TINTED = """
#ifdef HAS_TINT
#error a shader knows whether the blob is there
#endif
layout(set = 0, binding = 0) uniform Tint { vec3 color; } tint;
layout(location = 0) out vec4 color;
void main() { color = vec4(tint.color, 1.0); }
"""


@pytest.mark.vulkan
def test_an_absent_blob_has_the_value_that_the_node_gives(bench) -> None:
    def tinted(reg):
        reg.read("tint", Tint).optional(otherwise=Tint((0.5, 0.25, 2.0)))
        reg.create("shown", Texture(FORMAT, (4, 3))).color()
        reg.side_effects()
        reg.stable()
        pipeline = reg.graphics("tinted.frag")
        return lambda cmd: cmd.draw(pipeline)

    def tint(reg):
        created = reg.create("tint", Tint)

        def execute(cmd):
            created.value = Tint((1.0, 3.0, 4.0))

        return execute

    bench.shader("tinted.frag", TINTED)
    bench.graph.add_node("tinted", tinted)
    bench.frames(2)
    assert bench.failures == []
    assert np.array_equal(bench.texels("shown")[0, 0], (0.5, 0.25, 2.0, 1.0))
    bench.graph.add_node("make", tint)
    bench.frames(2)
    assert np.array_equal(bench.texels("shown")[0, 0], (1.0, 3.0, 4.0, 1.0))
    bench.graph.remove_node("make")
    bench.frames(2)
    assert np.array_equal(bench.texels("shown")[0, 0], (0.5, 0.25, 2.0, 1.0))


@pytest.mark.vulkan
@pytest.mark.parametrize("value", [1.0, {"color": (1.0, 1.0, 1.0)}])
def test_the_value_of_an_absent_blob_is_of_its_type(bench, value: object) -> None:
    def declare(reg):
        reg.read("tint", Tint).optional(otherwise=value)

    bench.graph.add_node("show", declare)
    bench.frames(1)
    (failure,) = bench.failures
    assert 'the value where "tint" is absent is a' in str(failure)
    assert "has to be a Tint" in str(failure)
