"""A node that is declared anew with the same requests does something else; the other nodes keep their commands."""

from __future__ import annotations

import gc
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from beside_frames import SLOTS, Running
from runtime_bench import Bench

from renderwright.render.runtime.lowering.lowering import Lowering
from renderwright.render.types.resources import Resolution, Texture

TINTED = """
layout(set = 0, binding = 0) uniform Tint { vec4 value; } tint;
layout(location = 0) out vec4 result;
void main() { result = tint.value; }
"""
FILL = """#version 450
layout(location = 0) out vec4 result;
void main() { result = vec4(VALUE); }
"""
WIDTH = """
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) out vec4 result;
void main() { result = vec4(textureSize(source, 0).x); }
"""
FORMAT = "rgba32_sfloat"
WHOLE_NUMBERS = np.arange(1.0, 9.0)


def tint(graph: Any, name: str, value: float, *, every: int = 1) -> None:
    """A node, perhaps declared anew, that fills a texture with what a block has. The last node stays the last one."""

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create(name, Texture(FORMAT, Resolution("size"))).color()
        reg.uniform("tint", lambda: {"value": (value, 0.0, 0.0, 0.0)})
        if every > 1:
            reg.every(every)
        pipeline = reg.graphics("tinted.frag")
        return lambda cmd: cmd.draw(pipeline)

    if name in graph.node_names:
        graph.remove_node(name)
    graph.add_node(name, declare)


@pytest.mark.vulkan
def test_its_block_has_other_values_in_the_next_frame_and_no_other_node_is_bound(
    bench: Bench, bound: list[str]
) -> None:
    bench.graph.set_resolution("size", (8, 8))
    bench.shader("tinted.frag", TINTED)
    for name in "abc":
        tint(bench.graph, name, 0.5)
    bench.frames(SLOTS)
    bound.clear()
    for value in WHOLE_NUMBERS:
        tint(bench.graph, "c", value)
        for _ in range(int(value) % SLOTS + 1):
            bench.frames()
            assert [bench.texels(name)[0, 0, 0] for name in "abc"] == [0.5, 0.5, value]
    assert set(bound) == {"c"}


@pytest.mark.vulkan
def test_a_rated_node_runs_in_the_frame_behind_the_edit(bench: Bench) -> None:
    bench.graph.set_resolution("size", (8, 8))
    bench.shader("tinted.frag", TINTED)
    for name in "ab":
        tint(bench.graph, name, 0.5, every=100)
    bench.frames(3)
    for value in WHOLE_NUMBERS:
        tint(bench.graph, "b", value, every=100)
        bench.frames()
        assert [bench.texels(name)[0, 0, 0] for name in "ab"] == [0.5, value]


@pytest.mark.vulkan
def test_a_shader_that_was_edited_meanwhile_is_that_of_all_frames(bench: Bench) -> None:
    bench.graph.set_resolution("size", (8, 8))
    bench.shader("tinted.frag", TINTED)
    bench.shader("fill.frag", FILL.replace("VALUE", "1.0"))

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create("a", Texture(FORMAT, Resolution("size"))).color()
        pipeline = reg.graphics("fill.frag")
        return lambda cmd: cmd.draw(pipeline)

    bench.graph.add_node("a", declare)
    tint(bench.graph, "b", 0.5)
    bench.frames(2 * SLOTS)
    bench.shader("fill.frag", FILL.replace("VALUE", "2.0"))
    tint(bench.graph, "b", 0.75)
    found = []
    for extent in (None, (4, 4), None, (4, 4), None):
        bench.graph.set_dynamic_resolution("size", extent)
        bench.frames(SLOTS)
        found.append([bench.texels(name)[0, 0, 0] for name in "ab"])
    assert found == [[2.0, 0.75]] * 5


@pytest.mark.vulkan
@pytest.mark.parametrize("seed", range(4))
def test_frames_that_skip_any_nodes_show_the_newest_declarations(bench: Bench, seed: int) -> None:
    random = Random(seed)
    bench.graph.set_resolution("size", (8, 8))
    bench.shader("tinted.frag", TINTED)
    every = {name: random.choice((1, 1, 2, 3)) for name in "abcd"}
    values = dict.fromkeys(every, 0.0)
    for frame in range(60):
        for name in random.sample("abcd", random.choice((0, 0, 1, 2))) if frame else "abcd":
            values[name] = float(frame + 1)
            tint(bench.graph, name, values[name], every=every[name])
        if random.random() < 0.1:
            bench.graph.set_dynamic_resolution("size", random.choice((None, (4, 4))))
        bench.frames()
        assert {name: bench.texels(name)[0, 0, 0] for name in every} == values


@pytest.mark.vulkan
def test_a_rated_node_runs_again_where_what_it_reads_has_another_size(bench: Bench) -> None:
    bench.graph.set_resolution("size", (8, 8))
    bench.shader("tinted.frag", TINTED)
    bench.shader("width.frag", WIDTH)

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.read("a").sampled(filter="nearest").bind("source")
        reg.create("b", Texture(FORMAT, (8, 8))).color()
        reg.every(100)
        pipeline = reg.graphics("width.frag")
        return lambda cmd: cmd.draw(pipeline)

    bench.graph.add_node("b", declare)
    for name in "ac":
        tint(bench.graph, name, 0.5)
    bench.frames(3)
    found = []
    for value, extent in enumerate(((4, 4), None, (4, 4), None), 1):
        bench.graph.set_dynamic_resolution("size", extent)
        bench.frames(3)
        found.append(bench.texels("b")[0, 0, 0])
        tint(bench.graph, "c", float(value))
        bench.frames(2)
    assert found == [4.0, 8.0, 4.0, 8.0]


@pytest.mark.vulkan
def test_no_frame_is_lowered_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.graph.set_resolution("size", (8, 8))
    bench.shader("tinted.frag", TINTED)
    for number, name in enumerate("abc"):
        tint(bench.graph, name, 0.5, every=number + 1)
    bench.frames(12)
    lowered: list[int] = []
    lower = Lowering.lower

    def noted(self: Any, slot: int, *rest: Any) -> Any:
        lowered.append(slot)
        return lower(self, slot, *rest)

    monkeypatch.setattr(Lowering, "lower", noted)
    for value in WHOLE_NUMBERS:
        tint(bench.graph, "b", value, every=2)
        bench.frames(3)
        assert bench.texels("b")[0, 0, 0] == value
    assert lowered == []


def test_a_node_that_cannot_be_bound_any_more_is_told_and_leaves(running: Running) -> None:
    running.shader("tinted", TINTED.removeprefix("\n"))
    for name in "bc":
        tint(running.graph, name, 0.5)
        running.graph.add_sink(name)
    running.frame()
    running.worker.work()

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create("c", Texture(FORMAT, Resolution("size"))).color()
        pipeline = reg.graphics("tinted.frag")
        return lambda cmd: cmd.draw(pipeline)

    running.graph.remove_node("c")
    running.graph.add_node("c", declare)
    for _ in range(4):
        running.frame()
        if running.worker.busy:
            running.worker.work()
    assert [failure.node for failure in running.failures] == ["c"]
    assert "tint" in str(running.failures[0].error)


def test_pipelines_that_nobody_uses_any_more_are_trimmed(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("renderwright.render.runtime.pipelines.KEPT", 2)
    for number in range(12):
        running.shader("a", FILL.replace("VALUE", f"{number}.0"))
        running.add("a")
        running.frame()
        if running.worker.busy:
            running.worker.work()
            running.frame()
    living = [one for one in running.backend.pipelines if one in running.backend.alive]
    assert len(running.backend.pipelines) == 12
    assert len(living) <= 1 + 2


@pytest.mark.parametrize("before", range(4))
@pytest.mark.parametrize("meanwhile", [3, 6, 12])
def test_a_texture_of_a_resolution_that_is_dropped_is_held_by_no_frame_to_come(
    slowly: Running, before: int, meanwhile: int
) -> None:
    slowly.shader("x")

    def add(name: str, every: int = 1) -> None:
        def declare(reg: Any) -> Callable[[Any], None]:
            reg.create(name, Texture("rgba8_unorm", reg.resolution("size"))).color()
            reg.side_effects()
            if name == "h":
                reg.history("h").sampled()
            if every > 1:
                reg.every(every)
            pipeline = reg.graphics("x.frag")
            return lambda cmd: cmd.draw(pipeline)

        slowly.graph.add_node(name, declare)

    def frames(count: int) -> None:
        for _ in range(count):
            slowly.frame()
            if slowly.worker.busy:
                slowly.worker.work()

    for name, every in (("h", 1), *((f"n{number}", 1) for number in range(5)), ("r2", 2), ("r3", 3), ("r5", 5)):
        add(name, every)
    frames(60)
    add("new")
    old = slowly.runtime.plan
    while slowly.runtime.plan is old:
        frames(1)
    frames(before)
    slowly.graph.set_dynamic_resolution("size", (20, 10))
    frames(1 + meanwhile)
    add("n0")
    frames(60)
    placed = slowly.runtime._memory.placed
    assert placed._idle_bytes == sum(one.span.end - one.span.start for one in placed._idle.values())
    assert not any(one.users for one in placed._idle.values())


def test_what_its_frames_bind_goes_with_them(running: Running) -> None:
    running.shader("tinted", TINTED.removeprefix("\n"))
    for name in "bdc":
        tint(running.graph, name, 0.5)
        running.graph.add_sink(name)
    running.frame()
    running.worker.work()
    counts = []
    for number in range(60):
        tint(running.graph, "c", float(number))
        for _ in range(3):
            running.frame()
            if running.worker.busy:
                running.worker.work()
        gc.collect()
        counts.append(len(running.backend.alive))
    assert not running.failures
    assert counts[20] == counts[-1]
