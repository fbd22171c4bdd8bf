"""Dynamic resolution: smaller textures in the same memory, in any frame, with histories that go on."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Resolution, Texture

pytestmark = pytest.mark.vulkan

# Samples by position on the picture, because the last frame's may have another size.
COUNT = """
layout(set = 0, binding = 0) uniform sampler2D previous;
layout(push_constant) uniform Push { vec2 size; };
layout(location = 0) out vec4 result;
void main() { result = texture(previous, gl_FragCoord.xy / size) + 1.0; }
"""
CONSTANT = "layout(location = 0) out vec4 result;\nvoid main() { result = vec4(5.0); }"
STEPS = [(8, 8), (4, 4), (5, 3), (8, 8), (8, 8), (1, 1), (7, 7), (7, 7), (8, 8), (4, 4)]


def counter(seen: list[tuple[int, int]]):
    def declare(reg):
        reg.create("c", Texture("rgba32_sfloat", Resolution("size"))).color()
        history = reg.history("c").sampled(filter="nearest").bind("previous")
        reg.side_effects()
        pipeline = reg.graphics("count.frag")

        def execute(cmd) -> None:
            seen.append(history.extent)
            cmd.draw(pipeline, size=cmd.extent)

        return execute

    return declare


def big(reg):
    """A node whose resource shares the heap with the counter, so that its coming moves things."""
    reg.create("big", Texture("rgba32_sfloat", (64, 64))).color()
    reg.side_effects()
    pipeline = reg.graphics("constant.frag")
    return lambda cmd: cmd.draw(pipeline)


@pytest.fixture
def seen() -> list[tuple[int, int]]:
    """The extents that the counter has seen its history in."""
    return []


@pytest.fixture(params=["aliased", "alone", "in the general layout"])
def counting(make_bench, request, seen):
    unified = request.param == "in the general layout"
    bench = make_bench(CompileOptions(alias=request.param != "alone", unified_layouts=unified))
    bench.layout = Layout.GENERAL if unified else Layout.COLOR_ATTACHMENT
    bench.shader("count.frag", COUNT)
    bench.shader("constant.frag", CONSTANT)
    bench.graph.define_resolution(ResolutionRule("size", size=(8, 8)))
    bench.graph.add_node("counter", counter(seen))
    return bench


def extent(bench) -> tuple[int, int]:
    info = bench.runtime.resource("c").info
    assert isinstance(info, TextureInfo)
    return info.extent


def test_histories_go_on_while_sizes_change(counting, seen) -> None:
    counting.frames(1)
    for number, size in enumerate(STEPS):
        counting.graph.set_dynamic_resolution("size", size)
        counting.frames(1)
        assert extent(counting) == size
        assert np.all(counting.texels("c") == number + 2)
    assert seen == [(8, 8), (8, 8), *STEPS[:-1]]
    counting.graph.set_dynamic_resolution("size", None)
    counting.frames(2)
    assert np.all(counting.texels("c") == len(STEPS) + 3)
    assert seen[-2:] == [(4, 4), (8, 8)]


def test_only_the_last_of_several_steps_counts(counting, seen) -> None:
    counting.frames(3)
    for size in ((3, 3), (5, 5), (8, 8), (6, 2)):
        counting.graph.set_dynamic_resolution("size", size)
        _ = counting.runtime.plan
    counting.frames(2)
    assert np.all(counting.texels("c") == 5)
    assert seen[-2:] == [(8, 8), (6, 2)]


def test_a_new_plan_in_the_frame_of_a_step_takes_histories_over(counting, seen) -> None:
    counting.frames(2)
    counting.graph.set_dynamic_resolution("size", (4, 4))
    counting.frames(2)
    counting.graph.set_dynamic_resolution("size", (6, 6))
    counting.graph.add_node("big", big)
    counting.frames(1)
    assert np.all(counting.texels("c") == 5)
    assert seen[-1] == (4, 4)
    counting.graph.set_dynamic_resolution("size", None)
    counting.graph.remove_node("big")
    counting.frames(2)
    assert np.all(counting.texels("c") == 7)
    assert seen[-2:] == [(6, 6), (8, 8)]


def test_a_step_and_a_node_declared_anew_in_one_frame(counting, seen) -> None:
    counting.frames(3)
    counting.graph.set_dynamic_resolution("size", (4, 4))
    counting.graph.add_node("counter", counter(seen))
    counting.frames(2)
    assert np.all(counting.texels("c") == 5)
    assert seen[-2:] == [(8, 8), (4, 4)]


def test_a_resize_starts_anew_unless_the_dynamic_size_stays(counting, seen) -> None:
    counting.graph.set_dynamic_resolution("size", (4, 4))
    counting.frames(3)
    counting.graph.set_resolution("size", (16, 16))
    counting.frames(1)
    assert extent(counting) == (4, 4)
    assert np.all(counting.texels("c") == 4)
    counting.graph.set_resolution("size", (3, 9))
    counting.frames(1)
    assert extent(counting) == (3, 4)
    assert np.all(counting.texels("c") == 1)
    counting.graph.set_dynamic_resolution("size", None)
    counting.frames(1)
    assert extent(counting) == (3, 9)
    assert np.all(counting.texels("c") == 2)


def test_what_is_kept_from_run_to_run_is_made_anew_in_its_new_size(counting) -> None:
    runs: list[tuple[int, int]] = []

    def rare(reg):
        reg.every(100)
        reg.create("kept", Texture("rgba32_sfloat", Resolution("size"))).color()
        pipeline = reg.graphics("constant.frag")

        def execute(cmd) -> None:
            runs.append(cmd.extent)
            cmd.draw(pipeline)

        return execute

    def show(reg):
        reg.read("kept").sampled(filter="nearest").bind("previous")
        reg.create("d", Texture("rgba32_sfloat", Resolution("size"))).color()
        pipeline = reg.graphics("count.frag")
        return lambda cmd: cmd.draw(pipeline, size=cmd.extent)

    counting.graph.add_node("rare", rare)
    counting.graph.add_node("show", show)
    counting.frames(3)
    counting.graph.set_dynamic_resolution("size", (4, 4))
    counting.frames(3)
    assert runs == [(8, 8), (4, 4)]
    assert np.all(counting.texels("d") == 6)
    counting.graph.set_dynamic_resolution("size", None)
    counting.frames(2)
    assert runs == [(8, 8), (4, 4), (8, 8)]
    assert np.all(counting.texels("d") == 6)


def test_frames_share_what_a_step_leaves_alone(counting, monkeypatch) -> None:
    def fixed(reg):
        reg.create("d", Texture("rgba32_sfloat", (4, 4))).color()
        reg.history("d").sampled(filter="nearest").bind("previous")
        reg.stable()
        pipeline = reg.graphics("count.frag")
        return lambda cmd: cmd.draw(pipeline, size=cmd.extent)

    counting.graph.add_node("fixed", fixed)
    counting.frames(4)
    made: list[str] = []
    create = counting.backend.create_bindings

    def noted(pipeline, number, bindings, name):
        made.append(name)
        return create(pipeline, number, bindings, name)

    monkeypatch.setattr(counting.backend, "create_bindings", noted)
    for size in ((4, 4), (5, 5), (4, 4)):
        counting.graph.set_dynamic_resolution("size", size)
        counting.frames(3)
    assert set(made) == {"counter"}
    # A new size has a frame with the history of the size before and one for each slot, a known one only the first.
    assert len(made) == 3 + 3 + 1
    assert np.all(counting.texels("d") == 13)
    assert np.all(counting.texels("c") == 13)
