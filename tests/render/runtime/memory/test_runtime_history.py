"""Histories: last frame's contents, what the first frame gets, and what survives a change of plan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from pyglm import glm

from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.types.resources import Buffer, Resolution, Texture

pytestmark = pytest.mark.vulkan

COUNT = """
layout(set = 0, binding = 0) uniform sampler2D previous;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(previous, ivec2(gl_FragCoord.xy), 0) + 1.0; }
"""
CONSTANT = "layout(location = 0) out vec4 result;\nvoid main() { result = vec4(5.0); }"
BUFFER_COUNT = """
layout(std430, set = 0, binding = 0) readonly buffer previous { float old_values[]; };
layout(std430, set = 0, binding = 1) writeonly buffer counter { float values[]; };
void main() { values[0] = old_values[0] + 1.0; values[1] = 3.0; }
"""

BLOCK = """
layout(set = 0, binding = 0) uniform Before { mat4 place; float scale; } before;
layout(push_constant) uniform Push { mat4 place; } push;
layout(location = 0) out vec4 result;
void main() { result = vec4(before.place[3][0], before.scale, push.place[3][1], 1.0); }
"""


@dataclass(frozen=True)
class Placed:
    place: glm.mat4
    scale: float


def counter(reg):
    reg.create("c", Texture("rgba32_sfloat", Resolution("size"))).color()
    reg.history("c").sampled(filter="nearest").bind("previous")
    reg.side_effects()
    pipeline = reg.graphics("count.frag")
    return lambda cmd: cmd.draw(pipeline)


def big(reg):
    """A node whose resource shares the heap with the counter, so that its coming moves things."""
    reg.create("big", Texture("rgba32_sfloat", (64, 64))).color()
    reg.side_effects()
    pipeline = reg.graphics("constant.frag")
    return lambda cmd: cmd.draw(pipeline)


@pytest.fixture
def counting(bench):
    bench.shader("count.frag", COUNT)
    bench.shader("constant.frag", CONSTANT)
    bench.graph.define_resolution(ResolutionRule("size", size=(8, 8)))
    bench.graph.add_node("counter", counter)
    return bench


def test_each_frame_sees_the_one_before(counting) -> None:
    for frame in range(1, 6):
        counting.frames(1)
        assert np.all(counting.texels("c") == frame)


def test_history_survives_plans_that_leave_its_description_alone(counting) -> None:
    counting.frames(3)
    counting.graph.add_node("big", big)
    counting.frames(2)
    assert np.all(counting.texels("c") == 5)
    counting.graph.remove_node("big")
    counting.frames(1)
    assert np.all(counting.texels("c") == 6)


def test_edits_without_a_frame_between_lose_nothing(counting) -> None:
    counting.frames(3)
    counting.graph.add_node("big", big)
    _ = counting.runtime.plan
    counting.graph.remove_node("big")
    _ = counting.runtime.plan
    counting.graph.add_node("big", big)
    counting.frames(1)
    assert np.all(counting.texels("c") == 4)


def test_another_size_starts_from_a_cleared_history(counting) -> None:
    counting.frames(3)
    counting.graph.set_resolution("size", (16, 16))
    counting.frames(2)
    texels = counting.texels("c")
    assert texels.shape == (16, 16, 4)
    assert np.all(texels == 2)


def test_buffers_have_histories_too(bench) -> None:
    bench.shader("count.comp", BUFFER_COUNT)

    def declare(reg):
        reg.create("counter", Buffer(8)).storage_write()
        reg.history("counter").storage_read().bind("previous")
        reg.side_effects()
        pipeline = reg.compute("count.comp")
        return lambda cmd: cmd.dispatch(pipeline, (1, 1))

    bench.graph.add_node("counter", declare)
    bench.frames(4)
    values = np.frombuffer(bench.backend.read_buffer(bench.runtime.resource("counter")), np.float32)
    assert list(values[:2]) == [4.0, 3.0]


def test_a_reader_can_ask_whether_there_is_a_last_frame(counting) -> None:
    seen: list[bool] = []

    def reader(reg):
        history = reg.history("c").sampled().first("invalid")
        reg.side_effects()

        def execute(cmd) -> None:
            seen.append(history.valid)

        return execute

    counting.graph.add_node("reader", reader)
    counting.frames(3)
    counting.graph.set_resolution("size", (4, 4))
    counting.frames(2)
    assert seen == [False, True, True, False, True]


def test_blobs_have_histories(bench) -> None:
    class Number:
        def __init__(self, value: int) -> None:
            self.value = value

    seen: list[int | None] = []

    def make(reg):
        now = reg.create("number", Number)
        before = reg.history("number", Number)
        reg.side_effects()

        def execute(cmd) -> None:
            seen.append(before.value.value if before.value is not None else None)
            now.value = Number(cmd.frame)

        return execute

    bench.graph.add_node("make", make)
    bench.frames(3)
    bench.graph.add_node("other", lambda reg: reg.side_effects())
    bench.frames(2)
    assert seen == [None, 0, 1, 2, 3]


def test_a_block_of_a_blobs_history_is_zero_in_the_first_frame(bench) -> None:
    bench.shader("block.frag", BLOCK)

    def make(reg):
        now = reg.create("placed", Placed)
        reg.history("placed", Placed).bind("before")
        reg.create("c", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("block.frag")

        def execute(cmd) -> None:
            now.value = Placed(glm.translate(glm.vec3(3.0, 0.0, 0.0)), 2.0)
            cmd.draw(pipeline, place=glm.translate(glm.vec3(0.0, 5.0, 0.0)))

        return execute

    bench.graph.add_node("make", make)
    bench.frames(1)
    assert np.array_equal(bench.texels("c")[0, 0], (0.0, 0.0, 5.0, 1.0))
    bench.frames(1)
    assert np.array_equal(bench.texels("c")[0, 0], (3.0, 2.0, 5.0, 1.0))


def test_a_blob_without_a_value_fills_no_block(bench) -> None:
    bench.shader("block.frag", BLOCK)

    def make(reg):
        reg.create("placed", Placed).bind("before")
        reg.create("c", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("block.frag")
        return lambda cmd: cmd.draw(pipeline, place=glm.mat4())

    bench.graph.add_node("make", make)
    bench.frames(1)
    (failure,) = bench.failures
    assert 'the blob "placed" has no value: node "make" creates it and did not set it' in str(failure.error)


def test_nor_does_one_that_a_history_before_the_first_frame_has_filled_with_zeros(bench) -> None:
    bench.shader("block.frag", BLOCK)

    def make(reg):
        now = reg.create("placed", Placed)

        def execute(cmd) -> None:
            if cmd.frame == 0:
                now.value = Placed(glm.mat4(), 2.0)

        return execute

    def draw(name, read):
        def declare(reg):
            read(reg).bind("before")
            reg.create(name, Texture("rgba32_sfloat", (8, 8))).color()
            reg.side_effects()
            pipeline = reg.graphics("block.frag")
            return lambda cmd: cmd.draw(pipeline, place=glm.mat4())

        bench.graph.add_node(name, declare)

    bench.graph.add_node("make", make)
    draw("a", lambda reg: reg.history("placed", Placed))
    draw("b", lambda reg: reg.read("placed", Placed))
    bench.frames(1)
    assert bench.failures == []
    bench.frames(1)
    (failure,) = bench.failures
    assert 'the blob "placed" has no value: node "make" creates it and did not set it' in str(failure.error)
