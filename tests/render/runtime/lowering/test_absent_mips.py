"""Nodes that ask for mips which a texture is too small to have, on a real driver under validation."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.types.resources import Resolution, Texture

pytestmark = pytest.mark.vulkan

FORMAT = "rgba32_sfloat"
MIPS = 4
SIZE = Resolution("size")
VALUE = """
layout(push_constant) uniform Push { float value; };
layout(location = 0) out vec4 color;
void main() { color = vec4(value); }
"""
MORE = """
layout(set = 0, binding = 0) uniform sampler2D finer;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(finer, ivec2(0), 0) + 1.0; }
"""
HALF = """
layout(set = 0, binding = 0) uniform sampler2D coarser;
layout(location = 0) out vec4 color;
void main() { color = vec4(texelFetch(coarser, ivec2(0), 0).rgb, 0.5); }
"""
COMPUTED = """
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D finer;
layout(set = 0, binding = 1, rgba32f) uniform writeonly image2D pyramid;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(at, imageSize(pyramid)))) imageStore(pyramid, at, texelFetch(finer, ivec2(0), 0) + 1.0);
}
"""
SHOW = """
layout(set = 0, binding = 0) uniform sampler2D pyramid;
layout(location = 0) out vec4 color;
void main() { color = vec4(texelFetch(pyramid, ivec2(0), 0).r, textureQueryLevels(pyramid), 0.0, 1.0); }
"""


def paint(reg):
    reg.create("pyramid", Texture(FORMAT, SIZE, mips=MIPS)).mip(0).color()
    pipeline = reg.graphics("value.frag")
    return lambda cmd: cmd.draw(pipeline, value=1.0)


def down(mip: int, *, computed: bool):
    def declare(reg):
        reg.modify("pyramid").mip(mip - 1).sampled("nearest").bind("finer")
        target = reg.modify("pyramid").mip(mip)
        reg.after(f"down {mip - 1}")
        if computed:
            target.storage_write()
            pipeline = reg.compute("more.comp")
            return lambda cmd: cmd.dispatch(pipeline, target.extent)
        target.color()
        draw = reg.graphics("more.frag")
        return lambda cmd: cmd.draw(draw)

    return declare


def up(mip: int):
    """Declares a node that blends the mip below into its own, half and half."""

    def declare(reg):
        reg.modify("pyramid").mip(mip + 1).sampled("nearest").bind("coarser")
        reg.modify("pyramid").mip(mip).color()
        reg.after(f"up {mip + 1}", f"down {MIPS - 1}")
        pipeline = reg.graphics("half.frag", blend="alpha")
        return lambda cmd: cmd.draw(pipeline)

    return declare


def show(reg):
    reg.read("pyramid").mips(0, 3).sampled("nearest")
    reg.create("m", Texture(FORMAT, (1, 1))).color()
    pipeline = reg.graphics("show.frag")
    return lambda cmd: cmd.draw(pipeline)


def expected(extent: tuple[int, int]) -> list[float]:
    """What is shown: the first mip with the shares of all that there are, and how many of three there are."""
    mips = min(MIPS, max(extent).bit_length())
    value = float(mips)
    for mip in range(mips - 2, -1, -1):
        value = 0.5 * (mip + 1) + 0.5 * value
    return [value, min(mips, 3)]


@pytest.fixture(params=[False, True], ids=["drawn", "computed"])
def pyramid(bench, request):
    for name, text in (("value.frag", VALUE), ("more.frag", MORE), ("half.frag", HALF), ("show.frag", SHOW)):
        bench.shader(name, text)
    bench.shader("more.comp", COMPUTED)
    bench.graph.define_resolution(ResolutionRule("size", size=(8, 8)))
    bench.graph.add_node("paint", paint)
    for mip in range(1, MIPS):
        bench.graph.add_node(f"down {mip}", down(mip, computed=request.param))
    for mip in range(MIPS - 1):
        bench.graph.add_node(f"up {mip}", up(mip))
    bench.graph.add_node("show", show)
    return bench


def shown(bench) -> list[float]:
    assert bench.failures == []
    return bench.texels("m")[0, 0, :2].tolist()


@pytest.mark.parametrize("extent", [(8, 8), (4, 7), (3, 2), (1, 1)])
def test_a_texture_that_is_too_small_is_made_from_the_mips_that_it_has(pyramid, extent: tuple[int, int]) -> None:
    pyramid.graph.set_resolution("size", extent)
    pyramid.frames(3)
    assert shown(pyramid) == expected(extent)


def test_mips_come_and_go_with_a_dynamic_resolution(pyramid) -> None:
    """Each size twice, since frames are taken over from ones before."""
    pyramid.frames(2)
    for extent in [(3, 2), (8, 8), (1, 1), (2, 2), (8, 8), (3, 2), (1, 1), (8, 8)]:
        pyramid.graph.set_dynamic_resolution("size", extent)
        for _ in range(2):
            pyramid.frames(1)
            assert shown(pyramid) == expected(extent), extent


def test_what_else_the_node_would_have_drawn_to_is_cleared(pyramid) -> None:
    def last(reg):
        reg.read("pyramid").mip(MIPS - 1).sampled("nearest").bind("finer")
        reg.create("a", Texture(FORMAT, (1, 1))).color(clear=(7.0, 7.0, 7.0, 7.0))
        pipeline = reg.graphics("more.frag")
        return lambda cmd: cmd.draw(pipeline)

    pyramid.graph.add_node("last", last)
    found = []
    for extent in [(8, 8), (4, 4), (8, 8)]:
        pyramid.graph.set_dynamic_resolution("size", extent)
        pyramid.frames(2)
        found.append(pyramid.texels("a")[0, 0, 0])
    assert np.array_equal(found, [5.0, 7.0, 5.0])
