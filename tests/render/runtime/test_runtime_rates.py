"""Nodes at a rate of their own on a real driver: what they keep, when they run, and what survives edits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.types.resources import Buffer, Resolution, Texture

pytestmark = pytest.mark.vulkan

FORMAT = "rgba32_sfloat"
PAINT = """
layout(push_constant) uniform Push { vec4 color; } push;
layout(location = 0) out vec4 result;
void main() { result = push.color; }
"""
COPY = """
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(source, ivec2(gl_FragCoord.xy), 0); }
"""
COUNT = """
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D previous;
layout(location = 0) out vec4 result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    result = vec4(texelFetch(source, at, 0).r, texelFetch(previous, at, 0).g + 1.0, 0.0, 0.0);
}
"""


@dataclass(frozen=True)
class Light:
    """A value that nodes wait for."""

    angle: int


class Stamps:
    """Nodes that write the number of the frame, and the frames in which each has run."""

    def __init__(self, bench) -> None:
        self.bench = bench
        self.runs: dict[str, list[int]] = {}
        bench.shader("paint.frag", PAINT)
        bench.shader("copy.frag", COPY)
        bench.shader("count.frag", COUNT)
        bench.graph.define_resolution(ResolutionRule("size", size=(8, 8)))

    def stamp(self, name: str, rate=lambda reg: None, *, resolution: str = "size") -> None:
        """A node ``stamp/NAME`` that creates the texture ``NAME`` and fills it with the frame's number."""
        runs = self.runs.setdefault(name, [])

        def declare(reg):
            reg.create(name, Texture(FORMAT, Resolution(resolution))).color()
            rate(reg)
            pipeline = reg.graphics("paint.frag")

            def execute(cmd) -> None:
                runs.append(cmd.frame)
                cmd.draw(pipeline, color=(float(cmd.frame), 0.0, 0.0, 0.0))

            return execute

        self.bench.graph.add_node(f"stamp/{name}", declare)

    def copy(self, source: str, result: str, rate=lambda reg: None) -> None:
        def declare(reg):
            reg.read(source).sampled(filter="nearest").bind("source")
            reg.create(result, Texture(FORMAT, Resolution("size"))).color()
            rate(reg)
            reg.stable()
            pipeline = reg.graphics("copy.frag")
            return lambda cmd: cmd.draw(pipeline)

        self.bench.graph.add_node(f"copy/{result}", declare)

    def light(self, angles) -> None:
        """The blob ``light``, whose angle in each frame is that of ``angles``."""

        def declare(reg):
            light = reg.create("light", Light)

            def execute(cmd) -> None:
                light.value = Light(angles[cmd.frame])

            return execute

        self.bench.graph.add_node("light", declare)

    def seen(self, name: str = "b") -> float:
        return float(self.bench.texels(name)[3, 3, 0])

    def frame_by_frame(self, count: int, name: str = "b") -> list[float]:
        seen = []
        for _ in range(count):
            self.bench.frames(1)
            seen.append(self.seen(name))
        return seen


@pytest.fixture
def stamps(bench) -> Stamps:
    return Stamps(bench)


def test_a_result_is_kept_until_its_node_runs_again(stamps) -> None:
    stamps.stamp("map", lambda reg: reg.every(4))
    stamps.copy("map", "b")
    assert stamps.frame_by_frame(10) == [0, 0, 0, 0, 4, 4, 4, 4, 8, 8]
    assert stamps.runs["map"] == [0, 4, 8]


def test_a_phase_shifts_the_turn_but_not_the_first_frame(stamps) -> None:
    stamps.stamp("map", lambda reg: reg.every(3, phase=2))
    stamps.copy("map", "b")
    assert stamps.frame_by_frame(7) == [0, 0, 2, 2, 2, 5, 5]


def test_a_node_that_does_not_run_costs_no_commands(stamps) -> None:
    stamps.stamp("map", lambda reg: reg.every(2))
    stamps.copy("map", "b")
    stamps.bench.runtime.times.every = 1
    reports = [stamps.bench.runtime.render(stamps.bench.target) for _ in range(5)]
    assert [set(report.resting) for report in reports] == [set(), {"stamp/map"}, set(), {"stamp/map"}, set()]
    assert set(reports[2].gpu_times) == {"stamp/map", "copy/b"}
    assert set(reports[3].gpu_times) == {"copy/b"}


def test_a_node_runs_when_its_blob_has_another_value(stamps) -> None:
    stamps.light([5, 5, 7, 7, 7, 5, 5])
    stamps.stamp("map", lambda reg: reg.when("light"))
    stamps.copy("map", "b")
    assert stamps.frame_by_frame(7) == [0, 0, 2, 2, 2, 5, 5]


def test_a_node_that_nothing_needs_keeps_no_blob_from_being_made(stamps) -> None:
    """The node that waits for the blob is removed from the frame; another one uses the blob all the same."""
    seen: list[Light | None] = []

    def use(reg):
        light = reg.read("light", Light)
        reg.side_effects()
        return lambda cmd: seen.append(light.value)

    stamps.light([5, 7])
    stamps.stamp("map", lambda reg: reg.when("light"))
    stamps.bench.graph.add_node("use", use)
    stamps.stamp("b")
    stamps.bench.frames(2)
    assert stamps.runs["map"] == []
    assert seen == [Light(5), Light(7)]


def test_a_blob_may_be_made_from_others_and_from_outside(stamps) -> None:
    """The makers run before the frame is chosen, each of them once a frame."""
    angle = [10]
    runs: list[int] = []

    def make(reg):
        reg.external("outside", int)
        return None

    def halve(reg):
        outside = reg.read("outside", int)
        light = reg.create("light", Light)

        def execute(cmd) -> None:
            runs.append(cmd.frame)
            light.value = Light(outside.value // 2)

        return execute

    stamps.bench.graph.add_node("outside", make)
    stamps.bench.graph.set_external("outside", lambda context: angle[0])
    stamps.bench.graph.add_node("halve", halve)
    stamps.stamp("map", lambda reg: reg.when("light"))
    stamps.copy("map", "b")
    seen = []
    for angle[0] in (10, 11, 12, 13, 10):
        stamps.bench.frames(1)
        seen.append(stamps.seen())
    assert seen == [0, 0, 2, 2, 4]
    assert runs == [0, 1, 2, 3, 4]


def test_what_waits_for_a_blob_of_a_rated_node_waits_for_both(stamps) -> None:
    def slow(reg):
        light = reg.create("light", Light)
        reg.every(3)

        def execute(cmd) -> None:
            light.value = Light(cmd.frame // 6)

        return execute

    stamps.bench.graph.add_node("slow", slow)
    stamps.stamp("map", lambda reg: reg.when("light"))
    stamps.copy("map", "b")
    assert stamps.frame_by_frame(8) == [0, 0, 0, 0, 0, 0, 6, 6]


def test_two_rates_side_by_side(stamps) -> None:
    stamps.stamp("two", lambda reg: reg.every(2))
    stamps.stamp("three", lambda reg: reg.every(3))
    stamps.copy("two", "a")
    stamps.copy("three", "b")
    seen = []
    for _ in range(8):
        stamps.bench.frames(1)
        seen.append((stamps.seen("a"), stamps.seen("b")))
    assert seen == [(n - n % 2, n - n % 3) for n in range(8)]


def test_modifiers_run_with_the_creator(stamps) -> None:
    stamps.stamp("map", lambda reg: reg.every(4))

    def more(reg):
        reg.modify("map").color()
        reg.every(4)
        pipeline = reg.graphics("paint.frag", blend="add")
        return lambda cmd: cmd.draw(pipeline, color=(100.0, 0.0, 0.0, 0.0))

    stamps.bench.graph.add_node("more", more)
    stamps.copy("map", "b")
    assert stamps.frame_by_frame(6) == [100, 100, 100, 100, 104, 104]


def test_buffers_and_blobs_are_kept_too(stamps) -> None:
    bench = stamps.bench
    bench.shader(
        "fill.comp",
        """
        layout(push_constant) uniform Push { float value; } push;
        layout(std430, set = 0, binding = 0) writeonly buffer numbers { float values[]; };
        void main() { values[0] = push.value; }
        """,
    )
    bench.shader(
        "show.frag",
        """
        layout(std430, set = 0, binding = 0) readonly buffer numbers { float values[]; };
        layout(location = 0) out vec4 result;
        void main() { result = vec4(values[0]); }
        """,
    )
    seen: list[int] = []

    def fill(reg):
        reg.create("numbers", Buffer(16)).storage_write()
        light = reg.create("light", Light)
        reg.every(3)
        pipeline = reg.compute("fill.comp")

        def execute(cmd) -> None:
            light.value = Light(cmd.frame)
            cmd.dispatch(pipeline, (1, 1), value=float(cmd.frame))

        return execute

    def show(reg):
        reg.read("numbers").storage_read()
        light = reg.read("light", Light)
        reg.create("b", Texture(FORMAT, Resolution("size"))).color()
        pipeline = reg.graphics("show.frag")

        def execute(cmd) -> None:
            seen.append(light.value.angle)
            cmd.draw(pipeline)

        return execute

    bench.graph.add_node("fill", fill)
    bench.graph.add_node("show", show)
    assert stamps.frame_by_frame(7) == [0, 0, 0, 3, 3, 3, 6]
    assert seen == [0, 0, 0, 3, 3, 3, 6]


def big(reg):
    """A node whose coming moves everything in memory."""
    reg.create("z", Texture(FORMAT, (64, 64))).color()
    pipeline = reg.graphics("paint.frag")
    return lambda cmd: cmd.draw(pipeline, color=(1.0, 1.0, 1.0, 1.0))


def test_contents_survive_plans_that_leave_them_alone(stamps) -> None:
    stamps.stamp("map", lambda reg: reg.every(100))
    stamps.copy("map", "b")
    bench = stamps.bench
    bench.frames(2)
    for number in range(8):
        if number % 2:
            bench.graph.remove_node("big")
        else:
            bench.graph.add_node("big", big)
        bench.frames(1 + number % 3)
        assert stamps.seen() == 0
    assert stamps.runs["map"] == [0]


def test_what_is_declared_anew_runs_anew(stamps) -> None:
    stamps.stamp("source")
    stamps.copy("source", "map", lambda reg: reg.every(100))
    stamps.copy("map", "b")
    assert stamps.frame_by_frame(3) == [0, 0, 0]
    stamps.copy("source", "map", lambda reg: reg.every(100))
    assert stamps.frame_by_frame(2) == [3, 3]
    stamps.stamp("source")  # what it depends on has changed
    assert stamps.frame_by_frame(2) == [5, 5]


def test_a_resize_makes_what_it_resizes_anew(stamps) -> None:
    stamps.stamp("map", lambda reg: reg.every(100))
    stamps.copy("map", "b")
    assert stamps.frame_by_frame(2) == [0, 0]
    stamps.bench.graph.set_resolution("size", (16, 16))
    assert stamps.frame_by_frame(3) == [2, 2, 2]
    assert stamps.bench.texels("b").shape == (16, 16, 4)


def test_a_resize_of_others_leaves_it_alone(stamps) -> None:
    stamps.bench.graph.define_resolution(ResolutionRule("fixed", size=(16, 16)))
    stamps.stamp("map", lambda reg: reg.every(100), resolution="fixed")
    stamps.copy("map", "b")
    assert stamps.frame_by_frame(2) == [0, 0]
    stamps.bench.graph.set_resolution("size", (12, 12))
    assert stamps.frame_by_frame(2) == [0, 0]


@pytest.mark.parametrize("seed", range(4))
def test_rates_and_histories_while_other_nodes_come_and_go(make_bench, seed) -> None:
    """A counter with a history reads what is kept; a rated node reads that counter's history."""
    stamps = Stamps(make_bench(CompileOptions(order=f"random:{seed}")))
    bench = stamps.bench
    stamps.light([0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3])
    stamps.stamp("map", lambda reg: reg.when("light"))

    def count(reg):
        reg.read("map").sampled(filter="nearest").bind("source")
        reg.history("b").sampled(filter="nearest").bind("previous")
        reg.create("b", Texture(FORMAT, Resolution("size"))).color()
        pipeline = reg.graphics("count.frag")
        return lambda cmd: cmd.draw(pipeline)

    def late(reg):
        reg.history("b").sampled(filter="nearest").bind("source")
        reg.create("c", Texture(FORMAT, Resolution("size"))).color()
        reg.every(4)
        pipeline = reg.graphics("copy.frag")
        return lambda cmd: cmd.draw(pipeline)

    bench.graph.add_node("count", count)
    bench.graph.add_node("late", late)
    changes = {3: 3, 7: 7, 9: 9}
    shown = 0
    for frame in range(16):
        if frame % 3 == 1:
            bench.graph.add_node("big", big)
        elif frame % 3 == 0 and frame:
            bench.graph.remove_node("big")
        bench.frames(1)
        shown = changes.get(frame, shown)
        assert np.array_equal(bench.texels("b")[0, 0, :2], [shown, frame + 1])
        assert bench.texels("c")[0, 0, 1] == frame - frame % 4
    assert stamps.runs["map"] == [0, 3, 7, 9]


def test_a_rated_node_that_raises_leaves_like_any_other(stamps) -> None:
    def bad(reg):
        reg.create("never", Texture(FORMAT, (8, 8))).color()
        reg.side_effects()
        reg.every(2)

        def execute(cmd) -> None:
            raise ZeroDivisionError("a plugin's mistake")

        return execute

    stamps.stamp("map", lambda reg: reg.every(2))
    stamps.copy("map", "b")
    stamps.bench.graph.add_node("bad", bad)
    stamps.bench.frames(1)
    assert stamps.frame_by_frame(4) == [0, 2, 2, 4]
    assert stamps.runs["map"] == [0, 2, 4]
    assert [failure.node for failure in stamps.bench.failures] == ["bad"]
