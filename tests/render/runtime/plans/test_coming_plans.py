"""The first frames of a plan that was made beside the frames are lowered behind those of the old plan."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from beside_frames import ONE_NODE, SLOTS, Running, frames_until, outside

from renderwright.render.backend.null.resources import NullCommandBuffer, NullObject
from renderwright.render.graph.external import ExternalContext
from renderwright.render.runtime.plans.stepwise import StepwiseCompiler
from renderwright.render.types.physical import BufferInfo
from renderwright.render.types.resources import Buffer
from renderwright.render.types.usages import Usage


def test_a_node_is_lowered_behind_each_frame_and_none_when_the_plan_takes_over(
    slowly: Running, bound: list[str]
) -> None:
    slowly.frame()  # in the second slot
    for name in ("b", "c"):
        slowly.add(name)
    slowly.make_plan()
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


def test_a_plan_that_comes_takes_over_before_that_of_a_later_edit_and_both_are_lowered(
    slowly: Running, late: list[int]
) -> None:
    slowly.frame()  # in the second slot
    late.clear()
    seen = []
    for name in ("b", "c"):
        slowly.add(name)
        slowly.frame()
        slowly.worker.work()
        seen.append(slowly.frame())
    seen += [slowly.frame() for _ in range(SLOTS * 7 + 3)]
    shown = [nodes for before, nodes in pairwise([[], *seen]) if nodes != before]
    assert shown == [["a"], ["a", "b"], ["a", "b", "c"]]
    assert late == []


def test_one_edit_after_another_does_not_keep_plans_from_showing(slowly: Running) -> None:
    shown: set[str] = set()
    for number in range(20):
        slowly.add(f"n{number}")
        slowly.frame()
        slowly.worker.wait()
        shown.update(slowly.frame())
    assert len(shown) > 3


def test_an_edit_that_is_taken_back_drops_the_plan_that_comes(slowly: Running, late: list[int]) -> None:
    slowly.frame()  # in the second slot
    late.clear()
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    assert slowly.frame() == ["a"]
    slowly.graph.remove_node("b")
    assert slowly.frame() == ["a"]
    assert not slowly.runtime.behind
    assert [slowly.frame() for _ in range(8)] == [["a"]] * 8
    assert (late, len(slowly.runtime._current.present)) == ([], 1)


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


def test_the_buffer_of_an_array_leaves_with_the_plan_that_is_taken_back(slowly: Running) -> None:
    array = np.zeros(64, np.uint8)
    outside(slowly, "outside", Buffer(64), lambda context: array)
    slowly.frame()
    slowly.worker.work()
    for _ in range(3):
        assert slowly.frame() == ["a"]
    assert any("given" in name for name in slowly.backend.alive)
    slowly.graph.remove_node("outside")
    for _ in range(8):
        slowly.frame()
    assert not any("given" in name for name in slowly.backend.alive)


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


@pytest.mark.parametrize("remembered", [False, True])
def test_a_resize_in_the_frame_that_finds_the_plan_is_in_that_frame(running: Running, remembered: bool) -> None:
    running.add("b")
    running.frame()
    if remembered:
        running.worker.work()
        running.frame()
        running.graph.remove_node("b")
        running.frame()
        running.add("b")
    else:
        running.worker.work()
    running.worker.seconds_a_frame = ONE_NODE
    running.graph.set_resolution("size", (64, 8))
    running.extents.clear()
    for _ in range(10):
        running.frame()
        assert set(running.extents.values()) == {(64, 8)}
        if running.worker.busy:
            running.worker.work()
    assert not running.runtime.behind


def test_an_array_is_uploaded_once(slowly: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    create = slowly.backend.create_buffer

    def noted(info: Any, name: str, *rest: Any) -> Any:
        made.append(name)
        return create(info, name, *rest)

    monkeypatch.setattr(slowly.backend, "create_buffer", noted)
    array = np.zeros(64, np.uint8)
    slowly.frame()
    outside(slowly, "outside", Buffer(64), lambda context: array)
    slowly.frame()
    slowly.worker.work()
    assert frames_until(slowly, ["a", "outside"]) >= SLOTS * 2
    assert made == ["given"]


def test_frames_that_skip_what_frames_of_late_have_skipped_are_lowered_behind_others(
    slowly: Running, late: list[int]
) -> None:
    slowly.add("b", every=9)
    slowly.frame()
    slowly.worker.work()
    for _ in range(2 * 9 * SLOTS):
        slowly.frame()
    slowly.add("c")
    slowly.frame()
    slowly.worker.work()
    slowly.worker.seconds_a_frame = 60.0  # all that there is to lower
    late.clear()
    while "c" not in slowly.frame():
        pass
    frames = [slowly.frame() for _ in range(2 * 9 * SLOTS)]
    assert ["a", "b", "c"] in frames
    assert ["a", "c"] in frames
    assert late == []


def test_the_sets_of_nodes_that_took_turns_of_late_are_lowered_before_the_plan_takes_over(
    slowly: Running, late: list[int]
) -> None:
    for name, every in (("b", 2), ("c", 3)):
        slowly.add(name, every=every)
    slowly.make_plan()
    turns = 2 * 2 * 3 * SLOTS
    for _ in range(3 * turns):
        slowly.frame()
    slowly.add("d")
    slowly.make_plan()
    late.clear()
    while "d" not in slowly.frame():
        pass
    frames = [slowly.frame() for _ in range(turns)]
    assert set(map("".join, frames)) == {"ad", "abd", "acd", "abcd"}
    assert late == []


def test_what_frames_skip_since_the_worker_has_looked_is_compiled_behind_them(slowly: Running, late: list[int]) -> None:
    slowly.worker.seconds_a_frame = 60.0  # all that there is to lower
    for name, every in (("b", 100), ("c", 20)):
        slowly.add(name, every=every)
    slowly.frame()
    slowly.worker.work()
    while slowly.runtime.frame % 20 != 19:
        slowly.frame()
    slowly.add("d")
    assert slowly.frame() == ["a"]
    slowly.worker.work()
    assert slowly.frame() == ["a", "c"]
    late.clear()
    assert [slowly.frame() for _ in range(21)] == [*[["a", "d"]] * 19, ["a", "c", "d"], ["a", "d"]]
    assert late == []


def test_the_pipelines_of_a_remembered_plan_are_looked_up_beside_the_frames(
    slowly: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    frames_until(slowly, ["a", "b"])
    compiled: list[str] = []
    monkeypatch.setattr(StepwiseCompiler, "compile", lambda *_: compiled.append("a plan"))
    slowly.graph.remove_node("b")
    assert slowly.frame() == ["a", "b"]
    assert slowly.worker.busy
    slowly.worker.work()
    frames_until(slowly, ["a"])
    assert compiled == []


def test_a_coming_plan_is_lowered_for_the_buffer_of_an_array_that_allows_its_usages(
    slowly: Running, bound: list[str]
) -> None:
    corners = np.zeros((3, 4), np.float32)

    def first(reg: Any) -> Any:
        reg.external("given", Buffer(corners.nbytes), lambda context: corners).storage_read()
        reg.side_effects()
        return lambda cmd: slowly.ran.append("first")

    def second(reg: Any) -> Any:
        given = reg.read("given").vertex()
        reg.side_effects()

        def execute(cmd: Any) -> None:
            cmd.vertices(given.buffer)
            slowly.ran.append("second")

        return execute

    slowly.graph.add_node("first", first)
    slowly.frame()
    slowly.runtime.finish_compile()
    assert slowly.frame() == slowly.frame() == ["a", "first"]
    slowly.graph.add_node("second", second)
    slowly.frame()
    slowly.worker.work()
    frames_until(slowly, ["a", "first", "second"])
    bound.clear()
    assert slowly.frame() == ["a", "first", "second"]
    assert bound == []
    assert slowly.failures == []


def living(running: Running) -> set[NullObject]:
    return {one for one in running.backend._objects if isinstance(one, NullCommandBuffer)}


@pytest.mark.parametrize("phase", range(9))
def test_both_slots_are_lowered_whatever_the_last_frames_have_skipped(
    slowly: Running, late: list[int], phase: int
) -> None:
    slowly.add("b", every=9)
    slowly.frame()
    slowly.worker.work()
    slowly.worker.seconds_a_frame = 60.0  # all that there is to lower
    for _ in range(2 * 9 * SLOTS + phase):
        slowly.frame()
    slowly.add("c")
    slowly.frame()
    slowly.worker.work()
    late.clear()
    frames: list[list[str]] = []
    while len(frames) < SLOTS:
        ran = slowly.frame()
        if "c" in ran:
            frames.append(ran)
            assert "b" in ran or late == []
            late.clear()


def test_the_frames_of_a_plan_that_has_ended_are_destroyed_one_behind_each_frame(slowly: Running) -> None:
    for name in ("b", "c", "d"):
        slowly.add(name)
    slowly.make_plan()
    frames_until(slowly, ["a", "b", "c", "d"])
    slowly.frame()
    old = living(slowly)
    slowly.graph.remove_node("d")
    slowly.make_plan()
    frames_until(slowly, ["a", "b", "c"])
    left = [len(old & living(slowly))]
    while left[-1] and len(left) < 9:
        slowly.frame()
        left.append(len(old & living(slowly)))
    fewer = [before - after for before, after in pairwise([len(old), *left])]
    assert sum(fewer) == len(old) - left[-1]
    assert max(fewer) < len(old) - left[-1]
