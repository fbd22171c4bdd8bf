"""Nodes at a rate of their own on a real driver: what survives edits."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from rated_stamps import FORMAT, Light, Stamps

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.types.resources import Resolution, Texture

pytestmark = pytest.mark.vulkan


@pytest.fixture
def stamps(bench) -> Stamps:
    return Stamps(bench)


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


def test_a_node_that_rests_holds_no_value_of_plans_that_are_gone(stamps) -> None:
    bench, lights = stamps.bench, []

    def declare(reg):
        light = reg.create("light", Light)

        def execute(cmd) -> None:
            light.value = Light(5)
            lights.append(weakref.ref(light.value))

        return execute

    bench.graph.add_node("light", declare)
    stamps.stamp("map", lambda reg: reg.when("light"))
    stamps.copy("map", "b")
    bench.frames(2)
    for _ in range(4):
        bench.graph.add_node("big", big)
        bench.frames(3)
        bench.graph.remove_node("big")
        bench.frames(3)
    gc.collect()
    assert stamps.runs["map"] == [0]
    assert len(lights) == 26
    # The value at that time, and one of each frame in flight.
    assert sum(light() is not None for light in lights) <= 3


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
