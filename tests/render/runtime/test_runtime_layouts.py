"""A texture that one node uses in two ways at once is in one layout, and is bound in that one."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.sync.flags import Layout
from renderwright.render.types.resources import Texture

pytestmark = pytest.mark.vulkan

SAMPLE = """
layout(set = 0, binding = 0) uniform sampler2D x;
layout(location = 0) out vec4 result;
void main() { result = vec4(texelFetch(x, ivec2(gl_FragCoord.xy), 0).r, 1.0, 0.0, 1.0); }
"""
ADD = """
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D x;
layout(set = 0, binding = 1, rgba32f) uniform image2D written;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(written, at, texelFetch(x, at, 0) + imageLoad(written, at) + 1.0);
}
"""


def target(reg) -> None:
    reg.create("c", Texture("rgba32_sfloat", (8, 8))).color(clear=(0.0, 0.0, 0.0, 0.0))


def test_depth_that_is_tested_and_sampled_at_once(bench) -> None:
    """The second name is a slot's: a plugin need not know that it asks for one texture twice."""
    bench.shader("sample.frag", SAMPLE)
    bench.graph.set_slot("same", "depth")

    def depth(reg):
        reg.create("depth", Texture("d32_sfloat", (8, 8))).depth(clear=0.25)

    def draw(reg):
        target(reg)
        reg.read("depth").depth_read()
        reg.read("same").sampled(filter="nearest").bind("x")
        pipeline = reg.graphics("sample.frag", depth_test="always")
        return lambda cmd: cmd.draw(pipeline)

    bench.graph.add_node("depth", depth)
    bench.graph.add_node("draw", draw)
    bench.frames(3)
    assert np.allclose(bench.texels("c")[..., 0], 0.25)


def test_a_texture_that_is_sampled_and_written_by_one_dispatch(bench) -> None:
    bench.shader("add.comp", ADD)
    bench.graph.set_slot("same", "c")

    def add(reg):
        reg.modify("c").storage("compute").bind("written")
        reg.read("same").sampled(filter="nearest", stage="compute").bind("x")
        pipeline = reg.compute("add.comp")
        return lambda cmd: cmd.dispatch(pipeline, (8, 8))

    bench.graph.add_node("target", target)
    bench.graph.add_node("add", add)
    bench.frames(3)
    assert np.all(bench.texels("c", Layout.GENERAL) == 1)
