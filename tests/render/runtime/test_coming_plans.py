"""The first frames of a plan that was made beside the frames are lowered behind those of the old plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from beside_frames import Running

from renderwright.render.errors import BackendError
from renderwright.render.graph.external import ExternalContext
from renderwright.render.runtime.bindings import bind_node
from renderwright.render.types.physical import BufferInfo
from renderwright.render.types.resources import Buffer
from renderwright.render.types.usages import Usage

ONE_NODE = 1e-9
"""Seconds a frame in which one node is lowered."""
SLOTS = 2


@pytest.fixture
def slowly(running: Running) -> Running:
    """Lowers a node of a coming plan behind each frame."""
    running.worker.seconds_a_frame = ONE_NODE
    return running


@pytest.fixture
def bound(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The nodes that have been bound, in order."""
    names: list[str] = []

    def noted(instance: Any, *rest: Any) -> Any:
        names.append(instance.id)
        return bind_node(instance, *rest)

    monkeypatch.setattr("renderwright.render.runtime.lowering.bind_node", noted)
    return names


def frames_until(running: Running, wanted: list[str]) -> int:
    """The number of frames that are rendered before one with the ``wanted`` nodes."""
    return next(number for number in range(20) if running.frame() == wanted)


def test_a_node_is_lowered_behind_each_frame_and_none_when_the_plan_takes_over(
    slowly: Running, bound: list[str]
) -> None:
    slowly.frame()  # in the second slot
    for name in ("b", "c"):
        slowly.add(name)
    slowly.frame()
    slowly.worker.work()
    bound.clear()
    per_frame = []
    while slowly.frame() == ["a"]:
        per_frame.append(list(bound))
        bound.clear()
    assert max(len(names) for names in per_frame) == 1
    assert sorted(name for names in per_frame for name in names) == ["a", "a", "b", "b", "c", "c"]
    assert slowly.frame() == ["a", "b", "c"]
    assert bound == []
    assert not slowly.runtime.behind


def test_another_edit_lets_the_plan_take_over_first(slowly: Running) -> None:
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    assert slowly.frame() == ["a"]
    slowly.add("c")
    assert slowly.frame() == ["a", "b"]
    slowly.worker.work()
    assert 1 <= frames_until(slowly, ["a", "b", "c"]) <= SLOTS * 3 + 1


def test_whoever_waits_for_the_compile_has_its_plan_in_the_next_frame(slowly: Running) -> None:
    slowly.add("b")
    slowly.frame()
    slowly.runtime.finish_compile()
    assert slowly.frame() == ["a", "b"]
    slowly.add("c")
    slowly.frame()
    slowly.worker.work()
    assert slowly.frame() == ["a", "b"]
    slowly.runtime.finish_compile()
    assert slowly.frame() == ["a", "b", "c"]


def test_a_resize_meanwhile_is_in_the_next_frame(slowly: Running) -> None:
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    assert slowly.frame() == ["a"]
    slowly.graph.set_resolution("size", (64, 8))
    assert slowly.frame() == ["a", "b"]
    assert set(slowly.extents.values()) == {(64, 8)}


def test_actions_wait_until_the_plan_takes_over(slowly: Running) -> None:
    shown: list[str] = []
    slowly.add("b")
    slowly.runtime.when_shown(lambda: shown.append("b"))
    slowly.frame()
    slowly.worker.work()
    slowly.frame()
    assert shown == []
    frames_until(slowly, ["a", "b"])
    assert shown == ["b"]


def test_a_node_that_fails_meanwhile_is_in_no_later_frame(slowly: Running) -> None:
    failing: list[bool] = []

    def fail() -> None:
        if failing:
            raise ValueError("out of order")

    slowly.add("b", fail=fail)
    slowly.frame()
    slowly.worker.work()
    frames_until(slowly, ["a", "b"])
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
        patched.setattr("renderwright.render.runtime.lowering.bind_node", refuse)
        slowly.frame()
        for _ in range(2 * SLOTS + 1):
            slowly.frame()
    assert {failure.node for failure in slowly.failures} == {"a", "b"}


def outside(running: Running, name: str, desc: Any, provider: Callable[[ExternalContext], Any]) -> None:
    """Add a node that is given something from outside the graph."""

    def declare(reg: Any) -> Callable[[Any], None]:
        given = reg.external("given", desc, provider)
        if desc is not int:
            given.storage_read(stage="compute")
        reg.side_effects()
        return lambda cmd: running.ran.append(name)

    running.graph.add_node(name, declare)


def test_no_value_is_asked_for_before_the_plan_takes_over(slowly: Running) -> None:
    asked: list[int] = []

    def provide(context: ExternalContext) -> int:
        asked.append(context.frame)
        return 7

    outside(slowly, "outside", int, provide)
    slowly.frame()
    slowly.worker.work()
    frames_until(slowly, ["a", "outside"])
    assert asked == [slowly.runtime.frame - 1]


def test_a_buffer_is_asked_for_once_in_a_slot_and_then_in_each_frame(slowly: Running) -> None:
    asked: list[tuple[int, int]] = []
    buffer = slowly.backend.create_buffer(BufferInfo(64, frozenset({Usage.STORAGE_READ})), "given")

    def provide(context: ExternalContext) -> Any:
        asked.append((context.frame, context.slot))
        return buffer

    outside(slowly, "outside", Buffer(64), provide)
    slowly.frame()
    slowly.worker.work()
    frames_until(slowly, ["a", "outside"])
    *ahead, last = asked
    assert last == (slowly.runtime.frame - 1, (slowly.runtime.frame - 1) % SLOTS)
    assert sorted(slot for _, slot in ahead) == [0, 1]
    assert all(frame % SLOTS == slot for frame, slot in ahead)
    slowly.backend.destroy(buffer)


def test_a_buffer_that_is_replaced_meanwhile_is_bound_by_no_node(
    slowly: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = slowly.backend
    released: list[bool] = []

    def noted(instance: Any, pipelines: Any, bound: Any, *rest: Any) -> Any:
        released.extend(physical.released for each in bound.values() for physical in each.physicals)
        return bind_node(instance, pipelines, bound, *rest)

    monkeypatch.setattr("renderwright.render.runtime.lowering.bind_node", noted)
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


def test_nodes_that_are_skipped_against_expectation_cost_no_bindings(slowly: Running, bound: list[str]) -> None:
    """A new rated node runs in the first frame and is skipped in the next ones."""
    slowly.add("b", every=64)
    slowly.frame()
    slowly.worker.work()
    frames_until(slowly, ["a", "b"])
    bound.clear()
    assert [slowly.frame() for _ in range(2)] == [["a"], ["a"]]
    assert "a" not in bound


def test_nothing_is_left_of_a_plan_that_never_takes_over(slowly: Running) -> None:
    """``Running.close`` looks for what is alive."""
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    slowly.frame()
    assert slowly.runtime.behind
