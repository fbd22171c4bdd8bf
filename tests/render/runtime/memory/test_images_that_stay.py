"""Images that stay in the general layout while plans, sizes and their lives change. The validation layer looks on."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.sync.flags import Layout
from renderwright.render.types.resources import Resolution, Texture

pytestmark = pytest.mark.vulkan

START = "layout(location = 0) out vec4 result;\nvoid main() { result = vec4(1.0); }"
ADD = """
layout(set = 0, binding = 0) uniform sampler2D x;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(x, ivec2(gl_FragCoord.xy), 0) + 1.0; }
"""
SIZE = Resolution("size")


def add_row(bench, *names: str) -> None:
    """Each texture is the one before plus one; the last is a sink of another format."""
    bench.shader("start.frag", START)
    bench.shader("add.frag", ADD)

    def node(number: int, name: str) -> None:
        def declare(reg):
            last = number == len(names) - 1
            reg.create(name, Texture("rgba32_sfloat" if last else "rgba16_sfloat", SIZE)).color()
            if number:
                reg.read(names[number - 1]).sampled(filter="nearest").bind("x")
            pipeline = reg.graphics("add.frag" if number else "start.frag")
            return lambda cmd: cmd.draw(pipeline)

        bench.graph.add_node(f"make {name}", declare)

    for number, name in enumerate(names):
        node(number, name)


@pytest.fixture
def row(make_bench):
    bench = make_bench(CompileOptions(packing=PackPolicy.BALANCED, unified_layouts=True))
    bench.graph.define_resolution(ResolutionRule("size", size=(8, 8)))
    add_row(bench, "p", "q", "r", "c")
    return bench


def general(bench) -> np.ndarray:
    return bench.texels("c", Layout.GENERAL)


def test_textures_that_take_turns_are_one_on_the_device(row) -> None:
    row.frames(4)
    assert row.runtime.resource("p") is row.runtime.resource("r")
    assert row.runtime.resource("p") is not row.runtime.resource("q")
    assert row.runtime.resource("p").name == "p, r"
    assert np.all(general(row) == 4)


def test_at_another_dynamic_resolution_they_are_brought_into_their_layout_again(row) -> None:
    """Those of a size that was there before, too: others have had the memory since."""
    for size in [(8, 8), (4, 4), (5, 3), (8, 8), (4, 4), (4, 4), (1, 1), (8, 8)]:
        row.graph.set_dynamic_resolution("size", size)
        row.frames(2)
        assert np.all(general(row) == 4)


def test_when_the_plan_changes_they_are_brought_into_their_layout_again(row) -> None:
    row.frames(3)
    row.graph.remove_node("make c")
    row.graph.remove_node("make r")
    add_row(row, "z")
    row.frames(3)
    row.graph.define_resolution(ResolutionRule("size", size=(16, 16)))
    row.frames(3)
    assert not row.failures


def test_a_plan_may_begin_with_an_odd_frame(row) -> None:
    row.frames(1)
    row.graph.define_resolution(ResolutionRule("size", size=(6, 6)))
    row.frames(2)
    assert np.all(general(row) == 4)


def test_where_memory_is_filled_between_lives_none_stays(make_bench) -> None:
    bench = make_bench(CompileOptions(packing=PackPolicy.BALANCED, unified_layouts=True), poison=Poison("nan"))
    bench.graph.define_resolution(ResolutionRule("size", size=(8, 8)))
    add_row(bench, "p", "q", "r", "c")
    bench.frames(3)
    assert not bench.runtime.plan.sync.image_reuse.keep_layout
    assert np.all(general(bench) == 4)
