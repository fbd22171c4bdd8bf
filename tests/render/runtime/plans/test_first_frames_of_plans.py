"""The first frames of a plan, which take longest, have little to do but what is theirs."""

from __future__ import annotations

from typing import Any

import pytest
from beside_frames import FILL, SLOTS, Running

from renderwright.render.errors import OutOfMemoryError
from renderwright.render.runtime.plans.succession import Succession


def test_a_plan_with_the_same_operations_and_other_pipelines_is_lowered_behind_the_old_frames(
    slowly: Running, late: list[int]
) -> None:
    slowly.frame()  # in the second slot
    late.clear()
    slowly.shader("a", FILL.replace("VALUE", "0.5"))
    slowly.graph.reload_shaders()
    slowly.frame()
    slowly.worker.wait()
    frames = [slowly.frame() for _ in range(SLOTS * 4)]
    assert not slowly.runtime.behind
    assert frames == [["a"]] * len(frames)
    assert late == []


def test_nodes_that_are_declared_anew_meanwhile_execute_behind_the_first_frames_of_the_plan(
    slowly: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes: list[tuple[str, int]] = []

    def noted(name: str) -> None:
        method = getattr(Succession, name)

        def note(*arguments: Any) -> None:
            changes.append((name, slowly.runtime.frame))
            method(*arguments)

        monkeypatch.setattr(Succession, name, note)

    noted("replace")
    noted("redeclare")
    for name in ("b", "c", "d"):
        slowly.add(name)
    slowly.make_plan()
    slowly.frame()
    slowly.graph.remove_node("d")
    slowly.add("d")
    for _ in range(20):
        slowly.frame()
        if slowly.worker.busy:
            slowly.worker.work()
    assert not slowly.runtime.behind
    (first, replaced), (second, redeclared) = changes
    assert (first, second) == ("replace", "redeclare")
    assert redeclared - replaced >= SLOTS


def test_a_plan_whose_first_frame_lacks_memory_is_replaced_by_one_that_has_enough(
    slowly: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = slowly.backend.begin_frame

    def begin_frame(slot: int) -> None:
        if "b" in {node.declaration.name for node in slowly.runtime.plan.graph.nodes}:
            raise OutOfMemoryError("full")
        begin(slot)

    slowly.frame()
    slowly.add("b")
    slowly.make_plan()
    monkeypatch.setattr(slowly.backend, "begin_frame", begin_frame)
    while slowly.runtime.render(None) is not None:
        assert slowly.runtime.behind
    slowly.graph.remove_node("b")
    frames = []
    for _ in range(10):
        frames.append(slowly.runtime.render(None))
        if slowly.worker.busy:
            slowly.worker.work()
    assert frames[-1] is not None
