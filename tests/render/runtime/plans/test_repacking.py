"""Packings in mid-run: fast at first, better when a thread has found one, with histories carried over."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.packing import pack
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.plans.succession import SETTLED_FRAMES
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Texture

COUNT = """
layout(set = 0, binding = 0) uniform sampler2D previous;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(previous, ivec2(gl_FragCoord.xy), 0) + 1.0; }
"""


def texture(name: str, side: int):
    """A declare function that makes a texture, and one that reads it; textures of several pairs can share memory."""

    def make(reg):
        reg.create(name, Texture("rgba32_sfloat", (side, side))).storage_write()
        return lambda cmd: None

    def read(reg):
        reg.read(name).sampled()
        reg.side_effects()
        return lambda cmd: None

    return make, read


def sized(reg):
    """A texture that follows a resolution."""
    reg.create("sized", Texture("rgba32_sfloat", reg.resolution("size"))).color()
    reg.side_effects()
    return lambda cmd: None


def add(graph: FrameGraph, name: str, side: int) -> None:
    make, read = texture(name, side)
    graph.add_node(f"make {name}", make)
    graph.add_node(f"read {name}", read)


def remove(graph: FrameGraph, name: str) -> None:
    graph.remove_node(f"make {name}")
    graph.remove_node(f"read {name}")


@pytest.fixture
def poor_when_fast(monkeypatch) -> list[PackPolicy]:
    """Has the fast policy share no memory at all, so that any search does better; notes the policies in use."""
    used: list[PackPolicy] = []

    def poor(items, period, policy, between):
        used.append(policy)
        if policy is PackPolicy.FAST:
            items = [PackItem(0, period, item.size, item.alignment) for item in items]
        return pack(items, period, policy)

    monkeypatch.setattr("renderwright.render.compiler.place.heaps.pack", poor)
    return used


class Running:
    """A runtime on the null backend."""

    def __init__(self, *, repack: bool, options: CompileOptions | None = None) -> None:
        self.backend = NullBackend()
        self.graph = FrameGraph()
        self.runtime = Runtime(self.graph, self.backend, ShaderLibrary([]), options=options, repack=repack)
        for name in "ab":
            add(self.graph, name, 256)

    def frames(self, count: int = 1) -> None:
        for _ in range(count):
            self.runtime.render(None)

    def close(self) -> None:
        self.runtime.close()
        assert self.backend.alive == ()
        self.backend.close()


MIB = 2**20


def test_the_first_plan_is_packed_well_and_a_change_fast(poor_when_fast) -> None:
    running = Running(repack=False)
    running.frames()
    assert set(poor_when_fast) == {PackPolicy.BALANCED}
    assert running.runtime.heap_bytes == 1 * MIB
    add(running.graph, "c", 256)
    running.frames(3)
    assert poor_when_fast[-1] is PackPolicy.FAST
    assert running.runtime.heap_bytes == 6 * MIB
    running.close()


def test_what_was_packed_well_before_is_not_packed_again(poor_when_fast) -> None:
    running = Running(repack=False)
    first = running.runtime.plan
    add(running.graph, "c", 256)
    running.frames()
    remove(running.graph, "c")
    used = list(poor_when_fast)
    running.frames()
    assert running.runtime.plan.placement is first.placement
    assert poor_when_fast == used
    running.close()


def test_a_better_packing_takes_over_between_frames(poor_when_fast) -> None:
    running = Running(repack=True)
    running.frames()
    add(running.graph, "c", 256)
    running.frames()
    assert running.runtime.plan.placement.heaps[0].size == 6 * MIB
    running.runtime.finish_repacking()
    running.frames()
    assert poor_when_fast[-1] is PackPolicy.BALANCED
    assert running.runtime.heap_bytes == 1 * MIB
    log = list(running.backend.log)
    running.frames(2)
    assert not [line for line in running.backend.log[len(log) :] if line.startswith(("create", "destroy"))]
    running.close()


def test_a_packing_that_saves_nothing_changes_nothing() -> None:
    running = Running(repack=True)
    running.frames()
    add(running.graph, "c", 256)
    running.frames()
    plan = running.runtime.plan
    running.runtime.finish_repacking()
    running.frames()
    assert running.runtime.plan is plan
    running.close()


def test_another_change_makes_a_search_useless(poor_when_fast) -> None:
    running = Running(repack=True)
    running.frames()
    add(running.graph, "c", 256)
    running.frames()
    running.runtime.finish_repacking()
    add(running.graph, "d", 512)
    running.frames()
    assert running.runtime.plan.placement.heaps[0].size == 6 * MIB + 8 * MIB
    running.runtime.finish_repacking()
    running.frames()
    assert running.runtime.plan.placement.heaps[0].size == 4 * MIB
    running.close()


def test_an_error_in_the_search_reaches_the_frame_loop(poor_when_fast, monkeypatch) -> None:
    running = Running(repack=True)
    running.frames()

    def fails(*given, **more):
        raise RuntimeError("the packer is broken")

    monkeypatch.setattr("renderwright.render.runtime.plans.smaller_plans.plan_in_better_order", fails)
    add(running.graph, "c", 256)
    running.frames()
    running.runtime.finish_repacking()
    with pytest.raises(RuntimeError, match="the packer is broken"):
        running.frames()
    running.frames()
    running.close()


def test_no_thread_is_left_behind(poor_when_fast) -> None:
    running = Running(repack=True)
    running.frames()
    add(running.graph, "c", 256)
    running.frames()
    running.close()
    assert not [thread for thread in threading.enumerate() if "renderwright" in thread.name]


def test_a_settled_plan_gives_back_what_its_heaps_have_too_much() -> None:
    running = Running(repack=False)
    running.frames()
    start = running.runtime.heap_bytes
    add(running.graph, "c", 512)
    running.frames()
    assert running.runtime.heap_bytes == 4 * start
    remove(running.graph, "c")
    running.frames(SETTLED_FRAMES)
    assert running.runtime.heap_bytes == 4 * start
    add(running.graph, "c", 512)
    log = list(running.backend.log)
    running.frames()
    assert not [line for line in running.backend.log[len(log) :] if line.startswith("create heap")]
    remove(running.graph, "c")
    running.frames(SETTLED_FRAMES + 1)
    assert running.runtime.heap_bytes == start
    running.close()


@pytest.mark.vulkan
def test_histories_survive_a_better_packing(make_bench, poor_when_fast) -> None:
    bench = make_bench(repack=True)
    bench.shader("count.frag", COUNT)

    def counter(reg):
        reg.create("c", Texture("rgba32_sfloat", (8, 8))).color()
        reg.history("c").sampled(filter="nearest").bind("previous")
        reg.side_effects()
        pipeline = reg.graphics("count.frag")
        return lambda cmd: cmd.draw(pipeline)

    add(bench.graph, "one", 16)
    bench.graph.add_node("counter", counter)
    add(bench.graph, "two", 32)
    bench.frames(4)
    add(bench.graph, "three", 24)
    bench.frames(1)
    poor = bench.runtime.heap_bytes
    bench.runtime.finish_repacking()
    report = bench.runtime.render(bench.target)
    assert report is not None
    assert report.moved_bytes >= 8 * 8 * 16
    assert bench.runtime.heap_bytes < poor
    assert np.all(bench.texels("c") == 6)


def test_a_step_back_to_a_dynamic_resolution_compiles_nothing(monkeypatch) -> None:
    compiled = []
    compile_plan = Compiler.compile

    def counted(*given):
        compiled.append(threading.current_thread())
        return compile_plan(*given)

    monkeypatch.setattr(Compiler, "compile", counted)
    running = Running(repack=True)
    running.graph.set_resolution("size", (64, 64))
    running.graph.add_node("sized", sized)
    plans = {}
    for side in (60, 50, 60, 50, 60):
        running.graph.set_dynamic_resolution("size", (side, side))
        plans.setdefault(side, running.runtime.plan)
        assert running.runtime.plan is plans[side]
        running.frames()
    assert compiled.count(threading.main_thread()) == 2
    add(running.graph, "c", 256)
    assert running.runtime.plan not in plans.values()
    assert "make c" in [node.id for node in running.runtime.plan.graph.nodes]
    running.close()


def test_a_step_back_stays_in_the_better_packing(poor_when_fast) -> None:
    running = Running(repack=True)
    running.graph.set_resolution("size", (64, 64))
    running.graph.add_node("sized", sized)
    running.frames()
    add(running.graph, "c", 256)
    for side in (60, 50):
        running.graph.set_dynamic_resolution("size", (side, side))
        running.frames()
    running.runtime.finish_repacking()
    running.frames()
    better = running.runtime.heap_bytes
    assert better < 6 * MIB
    for side in (60, 50):
        running.graph.set_dynamic_resolution("size", (side, side))
        running.frames()
        assert running.runtime.heap_bytes == better
    running.close()
