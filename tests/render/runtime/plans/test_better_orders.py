"""Other orders in mid-run: found beside the frames, remembered by structure, with the same contents."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4]))

import numpy as np
import pytest

from benchmarks.random_graphs import OUTPUT, frame_graph, random_nodes
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.inspect.plan_stream import require_sound
from renderwright.render.order_search import search
from renderwright.render.runtime.plans.planner import Judge
from renderwright.render.runtime.plans.stepwise import StepwiseCompiler
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Texture


class Running:
    """A random graph whose policy's order can be improved, on the null backend."""

    def __init__(
        self, *, repack: bool = True, options: CompileOptions | None = None, judge: Judge | None = None
    ) -> None:
        self.backend = NullBackend()
        self.graph = frame_graph(random_nodes(4, 40))
        library = ShaderLibrary([])
        self.runtime = Runtime(self.graph, self.backend, library, options=options, repack=repack, judge=judge)

    def frames(self, count: int = 1) -> None:
        for _ in range(count):
            assert self.runtime.render(None) is not None

    def searched(self) -> None:
        """Run frames until the search has ended and its result is in use."""
        self.frames()
        self.runtime.finish_repacking()
        self.frames()

    @property
    def order(self) -> list[str]:
        return [node.id for node in self.runtime.plan.graph.nodes]

    def close(self) -> None:
        self.runtime.close()
        assert self.backend.alive == ()
        self.backend.close()


def test_a_better_order_takes_over_between_frames() -> None:
    running = Running()
    running.frames()
    before, order = running.runtime.heap_bytes, running.order
    assert running.runtime.plan.graph.preferred is None
    running.searched()
    assert running.runtime.heap_bytes <= 0.98 * before
    preferred = running.runtime.plan.graph.preferred
    assert preferred is not None
    assert running.order == list(preferred.nodes) != order
    assert sorted(running.order) == sorted(order)
    require_sound(running.runtime.plan)
    plan = running.runtime.plan
    running.frames(3)
    running.runtime.finish_repacking()
    running.frames()
    assert running.runtime.plan is plan
    running.close()


def test_the_frame_that_adopts_an_order_compiles_nothing_and_judges_it(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Plan] = []
    running = Running(judge=judged.append)
    running.frames()
    running.runtime.finish_repacking()
    monkeypatch.setattr(StepwiseCompiler, "compile", None)
    running.frames(2)
    assert running.runtime.plan.graph.preferred is not None
    assert judged[-1] is running.runtime.plan
    running.close()


def test_headless_runs_keep_the_policys_order() -> None:
    running, same = Running(repack=False), Running(repack=False)
    for one in (running, same):
        one.searched()
        assert one.runtime.plan.graph.preferred is None
    assert running.order == same.order
    running.close()
    same.close()


def test_two_searches_find_the_same_order() -> None:
    orders = []
    for _ in range(2):
        running = Running()
        running.searched()
        orders.append(running.order)
        running.close()
    assert orders[0] == orders[1]


def test_an_order_asked_for_by_name_stays() -> None:
    running = Running(options=CompileOptions(order="random:3"))
    running.frames()
    order = running.order
    running.searched()
    assert running.order == order
    running.close()


def test_a_resize_keeps_the_order_at_once() -> None:
    running = Running()
    running.searched()
    order = running.order
    running.graph.set_resolution("output", (OUTPUT[0] // 2, OUTPUT[1] // 2))
    running.frames()
    assert running.order == order
    running.close()


def test_steps_of_the_dynamic_resolution_keep_order_and_heaps() -> None:
    running = Running()
    running.searched()
    order, size = running.order, running.runtime.heap_bytes
    for extent in ((960, 540), (1280, 720), (960, 540)):
        running.graph.set_dynamic_resolution("output", extent)
        running.frames()
        assert (running.order, running.runtime.heap_bytes) == (order, size)
    running.close()


def extra(reg):
    reg.create("extra", Texture("rgba8_unorm", (64, 64))).color()
    reg.side_effects()
    return lambda cmd: None


def test_a_structure_that_comes_back_has_its_order_at_once() -> None:
    running = Running()
    running.searched()
    order = running.order
    running.graph.add_node("extra", extra)
    running.frames()
    assert "extra" in running.order
    running.graph.remove_node("extra")
    running.graph.set_resolution("output", (OUTPUT[0] // 2, OUTPUT[1] // 2))  # not a size whose plan is remembered
    running.frames()
    assert running.order == order
    running.close()


def test_new_costs_keep_the_order_found_before() -> None:
    """Adopted GPU times change the options, and no dependency."""
    running = Running()
    running.searched()
    order = running.order
    costs = (("n1", 30.0),)
    running.runtime._current.options = replace(running.runtime._current.options, costs=costs)
    running.runtime._current.decide_again()
    running.frames()
    assert running.order == order
    running.close()


def test_a_change_ends_the_search(monkeypatch) -> None:
    running = Running()
    started = []
    find = search.beam

    def counted(*given):
        started.append(given)
        return find(*given)

    monkeypatch.setattr(search, "beam", counted)
    running.frames()
    running.graph.add_node("extra", extra)
    running.frames()
    running.runtime.finish_repacking()
    running.frames()
    assert "extra" in running.order
    assert running.runtime.plan.graph.preferred is not None
    assert "extra" in running.runtime.plan.graph.preferred.nodes
    assert started
    running.close()


MIX = """
layout(set = 0, binding = 0) uniform sampler2D first;
layout(set = 0, binding = 1) uniform sampler2D second;
layout(location = 0) out vec4 result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    result = fract(texelFetch(first, at, 0) * 1.7 + texelFetch(second, at, 0).yzwx * 0.6 + vec4(at, 3, 4) / 9.0);
}
"""


@pytest.mark.vulkan
def test_pictures_and_histories_stay_in_another_order(make_bench) -> None:
    """The same frames with and without the search, whose order takes over after the third."""
    pictures, sizes, found = [], [], []
    for repack in (False, True):
        bench = make_bench(CompileOptions(order="overlap"), repack=repack)
        bench.shader("mix.frag", MIX)

        def mixing(name, first, second, *, history=False):
            def declare(reg):
                reg.create(name, Texture("rgba32_sfloat", (256, 256))).color()
                reg.read(first).sampled(filter="nearest").bind("first")
                reading = reg.history(name) if history else reg.read(second)
                reading.sampled(filter="nearest").bind("second")
                pipeline = reg.graphics("mix.frag")
                return lambda cmd: cmd.draw(pipeline)

            return declare

        def seed(reg):
            reg.create("s", Texture("rgba32_sfloat", (256, 256))).color(clear=(0.1, 0.2, 0.3, 0.4))
            return lambda cmd: None

        bench.graph.add_node("seed", seed)
        bench.graph.add_node("h", mixing("h", "s", "", history=True))
        # Pairs of branches; their ends meet late.
        for number in range(4):
            bench.graph.add_node(f"wide{number}", mixing(f"w{number}", "s", "h"))
            bench.graph.add_node(f"deep{number}", mixing(f"e{number}", f"w{number}", "h"))
        bench.graph.add_node("m", mixing("m", "e0", "w1"))
        bench.graph.add_node("d", mixing("d", "e1", "e2"))
        bench.graph.add_node("b", mixing("b", "e3", "w2"))
        bench.graph.add_node("c", mixing("c", "w3", "e0"))
        bench.frames(3)
        bench.runtime.finish_repacking()
        bench.frames(3)
        found.append(bench.runtime.plan.graph.preferred)
        sizes.append(bench.runtime.heap_bytes)
        pictures.append([bench.texels(name) for name in "mdbc"])
        assert bench.failures == []
    assert found[0] is None
    assert found[1] is not None
    assert sizes[1] < sizes[0]
    for one, other in zip(*pictures, strict=True):
        assert np.array_equal(one, other)
        assert len(np.unique(one)) > 100
