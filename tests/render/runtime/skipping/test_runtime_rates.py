"""Nodes at a rate of their own on a real driver: what they keep, and when they run."""

from __future__ import annotations

import pytest
from rated_stamps import FORMAT, Light, Stamps

from renderwright.render.types.resources import Buffer, Resolution, Texture

pytestmark = pytest.mark.vulkan


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
