"""A plan that comes while nodes, providers, memory and devices fail: no frame waits for it, and nothing is left."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from beside_frames import ONE_NODE, SLOTS, Running, frames_until, outside

from renderwright.render.backend.null.recorder import NullRecorder
from renderwright.render.errors import BackendError, OutOfMemoryError
from renderwright.render.graph.external import ExternalContext
from renderwright.render.runtime.lowering.bindings import bind_node
from renderwright.render.runtime.lowering.lowered_frames import MAX_LOWERED
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.resources import Buffer, Texture
from renderwright.render.types.usages import Usage


def show_node_that_fails_later(running: Running) -> list[bool]:
    """Add node "b" and render until it is shown; it fails from when the list that is returned has an item."""
    failing: list[bool] = []

    def fail() -> None:
        if failing:
            raise ValueError("out of order")

    running.add("b", fail=fail)
    running.frame()
    running.worker.work()
    frames_until(running, ["a", "b"])
    return failing


def test_a_node_that_fails_meanwhile_is_in_no_later_frame(slowly: Running) -> None:
    failing = show_node_that_fails_later(slowly)
    slowly.add("c")
    slowly.frame()
    slowly.worker.work()
    failing.append(True)
    slowly.frame()
    assert [failure.node for failure in slowly.failures] == ["b"]
    assert slowly.frame() == ["a", "c"]


def test_what_cannot_be_lowered_ahead_is_told_by_the_first_frame(
    slowly: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly.frame()

    def refuse(*_: Any) -> Any:
        raise BackendError("no more bindings")

    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    with monkeypatch.context() as patched:
        patched.setattr("renderwright.render.runtime.lowering.node_lowering.bind_node", refuse)
        slowly.frame()
        while slowly.runtime.behind:
            slowly.frame()
    assert {failure.node for failure in slowly.failures} == {"a", "b"}


def test_a_buffer_that_is_replaced_meanwhile_is_bound_by_no_node(
    slowly: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = slowly.backend
    released: list[bool] = []

    def noted(instance: Any, pipelines: Any, bound: Any, *rest: Any) -> Any:
        released.extend(physical.released for each in bound.values() for physical in each.physicals)
        return bind_node(instance, pipelines, bound, *rest)

    monkeypatch.setattr("renderwright.render.runtime.lowering.node_lowering.bind_node", noted)
    info = BufferInfo(64, frozenset({Usage.STORAGE_READ}))
    buffers = [backend.create_buffer(info, "first")]
    outside(slowly, "outside", Buffer(64), lambda context: buffers[-1])
    slowly.frame()
    slowly.worker.work()
    frames_until(slowly, ["a", "outside"])
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    slowly.frame()
    backend.destroy(buffers[0])
    buffers.append(backend.create_buffer(info, "second"))
    assert slowly.frame() == ["a", "outside"]
    assert frames_until(slowly, ["a", "b", "outside"]) <= SLOTS * 3
    assert slowly.failures == []
    assert True not in released
    backend.destroy(buffers[1])


def test_a_provider_that_fails_ahead_is_named_by_the_first_frame(slowly: Running) -> None:
    def provide(context: ExternalContext) -> Any:
        raise ValueError("nothing to give")

    outside(slowly, "outside", Buffer(64), provide)
    slowly.frame()
    slowly.worker.work()
    for _ in range(6):
        assert slowly.frame() == ["a"]
    assert [failure.node for failure in slowly.failures] == ["outside"]


def test_an_old_node_that_fails_after_it_has_left_does_not_stop_the_plan(slowly: Running) -> None:
    failing = show_node_that_fails_later(slowly)
    slowly.graph.remove_node("b")
    slowly.add("c")
    slowly.frame()
    failing.append(True)
    slowly.worker.work()
    assert frames_until(slowly, ["a", "c"]) <= 2
    assert not slowly.runtime.behind


def test_a_provider_of_the_old_plan_that_fails_lets_the_new_one_take_over(slowly: Running) -> None:
    failing: list[bool] = []
    buffer = slowly.backend.create_buffer(BufferInfo(64, frozenset({Usage.STORAGE_READ})), "given")

    def provide(context: ExternalContext) -> Any:
        if failing:
            raise ValueError("nothing to give")
        return buffer

    outside(slowly, "outside", Buffer(64), provide)
    slowly.frame()
    slowly.worker.work()
    frames_until(slowly, ["a", "outside"])
    slowly.graph.remove_node("outside")
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    slowly.frame()
    failing.append(True)
    assert slowly.frame() == ["a", "b"]
    slowly.backend.destroy(buffer)


def test_frames_that_are_dropped_let_the_plan_take_over(slowly: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    slowly.frame()

    def begin_frame(slot: int) -> None:
        raise OutOfMemoryError("full")

    with monkeypatch.context() as patched:
        patched.setattr(slowly.backend, "begin_frame", begin_frame)
        assert slowly.runtime.render(None) is None
    assert slowly.frame() == ["a", "b"]


def test_a_name_may_be_that_of_another_kind_of_resource_now(slowly: Running) -> None:
    buffer = slowly.backend.create_buffer(BufferInfo(64, frozenset({Usage.STORAGE_READ})), "given")
    info = TextureInfo("rgba8_unorm", (8, 8), 1, 1, 1, frozenset({Usage.COLOR}))
    texture = slowly.backend.create_texture(info, "given")

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.external("given", Texture("rgba8_unorm", (8, 8)), lambda context: texture).color()
        reg.side_effects()
        return lambda cmd: slowly.ran.append("drawn")

    outside(slowly, "outside", Buffer(64), lambda context: buffer)
    slowly.frame()
    slowly.worker.work()
    frames_until(slowly, ["a", "outside"])
    slowly.graph.remove_node("outside")
    slowly.graph.add_node("drawn", declare)
    slowly.frame()
    slowly.worker.work()
    frames_until(slowly, ["a", "drawn"])
    assert slowly.failures == []
    slowly.backend.destroy(buffer)
    slowly.backend.destroy(texture)


def test_nothing_half_recorded_is_in_the_commands_of_the_old_plan(
    slowly: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_pass = NullRecorder.begin_pass
    begun: list[int] = []

    def failing(self: NullRecorder, *arguments: Any) -> None:
        begun.append(1)
        if len(begun) == 2:
            raise BackendError("incomplete")
        begin_pass(self, *arguments)

    for _ in range(SLOTS):
        slowly.frame()
    for name in ("b", "c"):
        slowly.add(name)
    slowly.make_plan()
    monkeypatch.setattr(NullRecorder, "begin_pass", failing)
    for _ in range(3):
        assert slowly.frame() == ["a"]


def test_an_abandoned_plan_is_dropped_while_its_device_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = Running(tmp_path)
    running.worker.seconds_a_frame = ONE_NODE
    for name in ("a", "b"):
        running.add(name)
    running.frame()
    running.add("c")
    running.frame()
    running.worker.work()
    for _ in range(2):
        running.frame()
    told: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: told.append(repr(raised.exc_value)))
    running.runtime.abandon()
    running.backend.close()
    del running
    gc.collect()
    assert told == []


READS = """#version 450
layout(set = 0, binding = 0) readonly buffer Given { vec4 value; } given;
layout(location = 0) out vec4 result;
void main() { result = given.value; }
"""


def test_what_frames_of_late_have_bound_may_be_gone_before_another_one_is_lowered(slowly: Running) -> None:
    """Each frame is given another buffer than the last ones, so few of them are kept."""
    backend = slowly.backend
    info = BufferInfo(64, frozenset({Usage.STORAGE_READ}))
    buffers = [backend.create_buffer(info, f"given {number}") for number in range(2 * MAX_LOWERED + 1)]
    slowly.shader("outside", READS)

    def declare(reg: Any) -> Callable[[Any], None]:
        given = reg.external("given", Buffer(64), lambda context: buffers[context.frame % len(buffers)])
        given.storage_read(stage="fragment").bind("given")
        reg.create("outside", Texture("rgba8_unorm", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("outside.frag")
        return lambda cmd: cmd.draw(pipeline)

    for number in range(2 * MAX_LOWERED):
        slowly.add(f"before {number}")
    slowly.graph.add_node("outside", declare)
    slowly.add("rare", every=1000)
    slowly.frame()
    slowly.runtime.finish_compile()
    for _ in range(2 * SLOTS):
        slowly.frame()
    slowly.add("new")
    slowly.frame()
    slowly.runtime.finish_compile()
    for _ in range(6 * len(buffers)):
        slowly.frame()
    assert slowly.failures == []
    slowly.runtime.close()
    for buffer in buffers:
        backend.destroy(buffer)
