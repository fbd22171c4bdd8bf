"""The first frames of a plan, which take longest, have little to do but what is theirs."""

from __future__ import annotations

from typing import Any

import pytest
from beside_frames import FILL, SLOTS, Running

from renderwright.render.runtime.succession import Succession


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
