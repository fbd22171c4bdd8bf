"""Histories whose new place overlaps an old one: whatever the order of the moves, nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from renderwright.render.memory.packing import Packing, pack
from renderwright.render.runtime.memory import move_recorder
from renderwright.render.runtime.memory.moves import Hop, in_order
from renderwright.render.types.resources import Buffer, Texture

pytestmark = pytest.mark.vulkan

COUNT = """
layout(set = 0, binding = 0) uniform sampler2D previous;
layout(push_constant) uniform Push { float first; };
layout(location = 0) out vec4 result;
void main() {
    vec4 before = texelFetch(previous, ivec2(gl_FragCoord.xy), 0);
    result = before == vec4(0.0) ? vec4(first + gl_FragCoord.x) : before + 1.0;
}
"""
BUFFER_COUNT = """
layout(std430, set = 0, binding = 0) readonly buffer previous { float old_values[64]; };
layout(std430, set = 0, binding = 1) writeonly buffer tally { float values[64]; };
void main() { for (int n = 0; n < 64; ++n) values[n] = old_values[n] + float(n); }
"""
NAMES = "abcd"
FIRST = {"a": 100.0, "b": 200.0, "c": 300.0, "d": 400.0}


def counter(name: str):
    def declare(reg):
        reg.create(name, Texture("rgba32_sfloat", (8, 8))).color()
        reg.history(name).sampled(filter="nearest").bind("previous")
        reg.side_effects()
        pipeline = reg.graphics("count.frag")
        return lambda cmd: cmd.draw(pipeline, first=FIRST[name])

    return declare


def summing(name: str):
    def declare(reg):
        reg.create(name, Buffer(256)).storage_write().bind("tally")
        reg.history(name).storage_read().bind("previous")
        reg.side_effects()
        pipeline = reg.compute("tally.comp")
        return lambda cmd: cmd.dispatch(pipeline, (1, 1))

    return declare


class Layouts:
    """Rearranges packings: everything moves up by ``shift`` alignments, and in the order that ``turn`` says."""

    ROOM = 3

    def __init__(self) -> None:
        self.shift = 0
        self.turn = 0

    def pack(self, items, period, policy, between) -> Packing:
        packing = pack(items, period, policy)
        step = max(item.alignment for item in items)
        size = -(-max(item.size for item in items) // step) * step
        places = [number * size for number in range(len(items))]
        offsets = [places[(number + self.turn) % len(items)] + self.shift * step for number in range(len(items))]
        return replace(packing, offsets=tuple(offsets), makespan=len(items) * size + self.ROOM * step)


@pytest.fixture
def layouts(monkeypatch) -> Layouts:
    layouts = Layouts()
    monkeypatch.setattr("renderwright.render.compiler.place.heaps.pack", layouts.pack)
    return layouts


@pytest.fixture
def hops(monkeypatch) -> list[Hop]:
    """The hops that were made."""
    made: list[Hop] = []

    def noted(moves):
        steps = in_order(moves)
        made.extend(hop for _, hop in steps)
        return steps

    monkeypatch.setattr(move_recorder, "in_order", noted)
    return made


def test_histories_that_move_over_one_another_keep_their_contents(bench, layouts, hops) -> None:
    bench.shader("count.frag", COUNT)
    bench.shader("tally.comp", BUFFER_COUNT)
    for name in NAMES:
        bench.graph.add_node(name, counter(name))
    bench.graph.add_node("tally", summing("tally"))
    frames = 0
    seen = set()
    for turn, shift in ((0, 0), (0, 1), (1, 0), (2, 0), (5, 0), (5, 2), (3, 1), (3, 3), (7, 0)):
        layouts.turn, layouts.shift = turn, shift
        # Another problem for the packer, which would remember this one; the histories' descriptions stay.
        bench.graph.set_resolution("nobody's", (frames + 1, 1))
        hops.clear()
        heap_bytes = bench.runtime.heap_bytes
        bench.frames(1 + frames % 2)
        frames += 1 + frames % 2
        seen |= set(hops)
        assert bench.runtime.heap_bytes == heap_bytes
        for name in NAMES:
            expected = FIRST[name] + np.arange(8) + 0.5 + frames - 1
            assert np.array_equal(bench.texels(name)[3, :, 0], expected.astype(np.float32))
        values = np.frombuffer(bench.backend.read_buffer(bench.runtime.resource("tally")), np.float32)
        assert np.array_equal(values, np.arange(64) * frames)
    assert seen == set(Hop)


def test_a_history_that_begins_where_another_was_waits_until_that_has_moved(bench, layouts) -> None:
    bench.shader("tally.comp", BUFFER_COUNT)
    for name in ("begun", "old"):
        bench.graph.add_node(name, summing(name))
    bench.frames(2)
    bench.graph.remove_node("begun")
    bench.frames(2)
    bench.graph.add_node("begun", summing("begun"))
    bench.frames(2)
    for name, frames in (("old", 6), ("begun", 2)):
        values = np.frombuffer(bench.backend.read_buffer(bench.runtime.resource(name)), np.float32)
        assert np.array_equal(values, np.arange(64) * frames)
