"""Frames of a plan that skip other nodes, or get other textures from outside, share the commands of their nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from rated_stamps import FORMAT, Stamps
from runtime_bench import Bench

from renderwright.render.types.physical import BufferInfo
from renderwright.render.types.resources import Buffer, Resolution, Texture
from renderwright.render.types.usages import Usage

pytestmark = pytest.mark.vulkan

GIVEN = """
layout(set = 0, binding = 0) readonly buffer Given { vec4 value; } given;
layout(location = 0) out vec4 result;
void main() { result = given.value; }
"""
COUNTS = (1, 1, 1, 2, 2, 2, 2, 3, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3, 1, 1)
"""How often "draw" draws, in each frame."""


@dataclass(frozen=True)
class Count:
    """A value that commands depend on."""

    count: int


@pytest.fixture
def stamps(bench: Bench) -> Stamps:
    return Stamps(bench)


def draw_as_told(bench: Bench, runs: list[int]) -> None:
    """A node "draw" that adds one to "b" as often as a blob says, and notes the frames in which it is executed."""

    def tell(reg: Any) -> Callable[[Any], None]:
        made = reg.create("count", Count)

        def execute(cmd: Any) -> None:
            made.value = Count(COUNTS[cmd.frame])

        return execute

    def draw(reg: Any) -> Callable[[Any], None]:
        told = reg.read("count", Count)
        reg.create("b", Texture(FORMAT, Resolution("size"))).color(clear=(0.0, 0.0, 0.0, 0.0))
        reg.stable()
        pipeline = reg.graphics("paint.frag", blend="add")

        def execute(cmd: Any) -> None:
            runs.append(cmd.frame)
            for _ in range(told.value.count):
                cmd.draw(pipeline, color=(1.0, 0.0, 0.0, 0.0))

        return execute

    bench.graph.add_node("tell", tell)
    bench.graph.add_node("draw", draw)


def test_a_frame_that_skips_other_nodes_has_the_commands_that_were_kept(stamps: Stamps) -> None:
    runs: list[int] = []
    draw_as_told(stamps.bench, runs)
    stamps.stamp("three", lambda reg: reg.every(3))
    stamps.copy("three", "a")
    assert stamps.frame_by_frame(len(COUNTS)) == list(COUNTS)
    # In each slot it is executed once, and again when the count is another one than in the slot's frame before.
    changes = [0, 1, *(frame for frame in range(2, len(COUNTS)) if COUNTS[frame] != COUNTS[frame - 2])]
    assert runs == changes


def test_the_commands_are_the_newest_ones_whichever_buffer_is_given(stamps: Stamps) -> None:
    """Two nodes of one pass share a command buffer; only one of them reads what is given."""
    bench = stamps.bench
    draw_as_told(bench, [])
    bench.shader("given.frag", GIVEN)
    info = BufferInfo(16, frozenset({Usage.STORAGE_READ}))
    given = [bench.backend.create_buffer(info, f"given {number}", host=True) for number in range(3)]
    for number, buffer in enumerate(given):
        np.frombuffer(buffer.data, np.float32)[:] = number * 100.0

    def add(reg: Any) -> Callable[[Any], None]:
        reg.external("given", Buffer(16), lambda context: given[context.frame % 3]).storage_read("fragment").bind(
            "given"
        )
        reg.modify("b").color()
        reg.stable()
        pipeline = reg.graphics("given.frag", blend="add")
        return lambda cmd: cmd.draw(pipeline)

    bench.graph.add_node("add", add)
    assert stamps.frame_by_frame(len(COUNTS)) == [count + frame % 3 * 100.0 for frame, count in enumerate(COUNTS)]
    assert not bench.failures
    bench.runtime.close()
    for buffer in given:
        bench.backend.destroy(buffer)
