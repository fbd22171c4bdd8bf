"""``renderwright bench barriers`` counts what plans hold, and plans need few barriers."""

from __future__ import annotations

import random
import sys
from io import StringIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "render" / "compiler"))
sys.path.insert(0, str(Path(__file__).parents[1] / "render" / "inspect"))

import pytest
from plan_mutants import mutants
from rich.console import Console

from benchmarks.barriers import (
    SYNTHETIC_SIZES,
    BarrierCounts,
    compile_frame,
    count_barriers,
    frames,
    skeleton_frame,
    table,
)
from benchmarks.synthetic_frame import synthetic_frame
from renderwright.engine.plugins.discovery import find_plugins
from renderwright.engine.skeleton import shipped_skeletons
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.types.resources import Texture

DESC = Texture("rgba8_unorm", (64, 64))


def test_what_is_counted() -> None:
    """Two targets in a row, one of which is read twice: the readers share a barrier, and two barriers a call."""
    graph = FrameGraph()
    graph.add_sink("end")

    def draw(reg):
        reg.create("a", DESC).color()
        reg.create("b", DESC).color()
        return lambda cmd: None

    def look(reg):
        reg.read("a").sampled()
        reg.create("c", DESC).color()
        reg.cost(10)
        return lambda cmd: None

    def end(reg):
        for name in ("a", "b", "c"):
            reg.read(name).sampled()
        reg.create("end", DESC).color()
        return lambda cmd: None

    for name, declare in (("draw", draw), ("look", look), ("end", end)):
        graph.add_node(name, declare)
    # Opened: a and b, c, end. Read: a in front of `look`; b, which may be split, and c in front of `end`.
    found = count_barriers(compile_frame(graph))
    assert found == BarrierCounts(naive=8, barriers=7, calls=5, split=1, events=1, floor=7)
    # In one layout, what is in front of `look` is for b as well; and nobody else has any memory.
    found = count_barriers(compile_frame(graph, unified=True))
    assert found == BarrierCounts(naive=8, barriers=3, calls=3, split=0, events=0, floor=0)


def test_mips_that_change_alike_at_one_time_need_one_barrier() -> None:
    """Three mips, each made from the one above it, then blended into that again."""
    graph = FrameGraph()
    graph.add_sink("end")

    def paint(reg):
        reg.create("pyramid", Texture("rgba8_unorm", (64, 64), mips=3)).mip(0).color()
        return lambda cmd: None

    def draw(to, source, after):
        def declare(reg):
            reg.modify("pyramid").mip(source).sampled()
            reg.modify("pyramid").mip(to).color()
            reg.after(after)
            return lambda cmd: None

        return declare

    def end(reg):
        reg.read("pyramid").mip(0).sampled()
        reg.create("end", DESC).color()
        return lambda cmd: None

    graph.add_node("paint", paint)
    for name, to, source, after in (
        ("down1", 1, 0, "paint"),
        ("down2", 2, 1, "down1"),
        ("up1", 1, 2, "down2"),
        ("up0", 0, 1, "up1"),
    ):
        graph.add_node(name, draw(to, source, after))
    graph.add_node("end", end)
    # Opened: all mips, end. To be read: 0, 1, 2, and again 1, 0, each when it is ready. To be drawn to again: 0 and 1.
    # That is more than nodes use things: most of them use two mips, of which each has its own layouts.
    counts = count_barriers(compile_frame(graph))
    assert (counts.floor, counts.barriers, counts.naive) == (8, 8, 7)
    counts = count_barriers(compile_frame(graph, unified=True))
    assert counts.floor == 0
    assert counts.barriers == 6, "the openings, and each of the five that is read waits for who has drawn it"


def test_shipped_frames_need_few_barriers() -> None:
    plugins = tuple(found.name for found in find_plugins())
    for skeleton in sorted({*shipped_skeletons()} - {"flat"}):
        counts = count_barriers(compile_frame(skeleton_frame(skeleton, plugins)))
        assert counts.naive > 100, skeleton
        assert counts.fewer_calls >= 0.6, skeleton
        assert counts.fewer_barriers >= 0.4, skeleton
        assert counts.floor <= counts.barriers <= 1.1 * counts.floor, skeleton
        general = count_barriers(compile_frame(skeleton_frame(skeleton, plugins), unified=True))
        assert general.naive == counts.naive, skeleton
        assert general.fewer_calls >= 0.68, skeleton
        # Each effect of a chain and each mip of a pyramid waits for the one before it: 37 of 63 barriers.
        assert general.fewer_barriers >= 0.53, skeleton
        assert general.barriers <= 84, skeleton
        assert general.floor <= general.barriers, skeleton
        assert general.floor < counts.floor, skeleton
    counts = count_barriers(compile_frame(synthetic_frame(300).graph))
    assert counts.fewer_calls >= 0.8
    assert counts.fewer_barriers >= 0.8


def test_every_frame_has_a_row() -> None:
    names = [name for name, _ in frames()]
    assert len(names) == len(shipped_skeletons()) + len(SYNTHETIC_SIZES)
    found = table([(name, synthetic_frame(30).graph) for name in names])
    assert found.row_count == 2 * len(names)
    console = Console(width=80, file=StringIO())
    console.print(found)
    assert "…" not in console.file.getvalue(), "it fits into a terminal"


@pytest.mark.parametrize("unified", [False, True])
def test_no_barrier_of_a_shipped_frame_can_be_left_out(unified: bool) -> None:
    """A sample; the oracle objects to each plan that has one barrier less."""
    plugins = tuple(found.name for found in find_plugins())
    plan = compile_frame(skeleton_frame("deferred", plugins), unified=unified)
    assert judge([plan] * 4).findings == ()
    fewer = [(what, one) for what, one in mutants(plan) if what.startswith("even dropped")]
    assert len(fewer) == count_barriers(plan).barriers
    for what, one in random.Random(1).sample(fewer, 6):
        assert judge([one] * 4).findings, what
