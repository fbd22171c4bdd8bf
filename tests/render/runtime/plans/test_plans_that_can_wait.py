"""A plan that has no edit which the running one lacks can wait."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from beside_frames import ONE_NODE, Running, frames_until

from renderwright.render.backend.null.resources import NullHeap
from renderwright.render.runtime.plans.succession import SETTLED_FRAMES


def heaps(running: Running) -> list[int]:
    return sorted(one.size for one in running.backend._objects if isinstance(one, NullHeap))


def until_a_plan_in_smaller_heaps_comes(slowly: Running) -> list[int]:
    """Run a plan in heaps that are larger than it needs, until one in smaller heaps comes; the sizes of the heaps."""
    for number in range(6):
        slowly.add(f"more{number}", size=(256, 256))
    slowly.make_plan()
    slowly.worker.seconds_a_frame = 60.0
    while len(slowly.frame()) < 7:
        pass
    for number in range(6):
        slowly.graph.remove_node(f"more{number}")
    slowly.make_plan()
    frames_until(slowly, ["a"])
    slowly.worker.seconds_a_frame = ONE_NODE
    large = heaps(slowly)
    for _ in range(SETTLED_FRAMES + 3):
        slowly.frame()
        if len(heaps(slowly)) > len(large):
            break
    assert len(heaps(slowly)) == len(large) + 1  # the plan that comes has its own
    return large


def test_an_edit_drops_a_plan_that_moves_into_smaller_heaps(slowly: Running) -> None:
    large = until_a_plan_in_smaller_heaps_comes(slowly)
    slowly.add("b")
    assert slowly.frame() == ["a"]
    slowly.frame()
    assert heaps(slowly) == large
    slowly.worker.work()
    frames_until(slowly, ["a", "b"])


def test_a_resize_drops_a_plan_that_moves_into_smaller_heaps(slowly: Running) -> None:
    large = until_a_plan_in_smaller_heaps_comes(slowly)
    slowly.graph.set_resolution("size", (31, 16))
    assert slowly.frame() == ["a"]
    assert heaps(slowly) == large
    assert not slowly.runtime.behind


def add_a_node_that_fails(running: Running) -> None:
    def declare(reg: Any) -> None:
        raise ValueError("no")

    running.graph.add_node("bad", declare)


EDITS: dict[str, Callable[[Running], None]] = {
    "size": lambda running: running.graph.set_resolution("size", (31, 16)),
    "step": lambda running: running.graph.set_dynamic_resolution("size", (16, 8)),
    "failure": add_a_node_that_fails,
    "options": lambda running: running.runtime._current.decide_again(),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_plan_moves_into_smaller_heaps_whatever_comes_in_between(slowly: Running, edit: str) -> None:
    slowly.graph.set_dynamic_resolution("size", (32, 16))
    large = until_a_plan_in_smaller_heaps_comes(slowly)
    EDITS[edit](slowly)
    for _ in range(2 * SETTLED_FRAMES):
        slowly.frame()
        if slowly.worker.busy:
            slowly.worker.work()
    assert sum(heaps(slowly)) < sum(large)


def test_a_plan_moves_into_smaller_heaps_after_an_edit_that_was_taken_back(slowly: Running) -> None:
    large = until_a_plan_in_smaller_heaps_comes(slowly)
    slowly.add("b")
    slowly.frame()
    slowly.graph.remove_node("b")
    for _ in range(2 * SETTLED_FRAMES):
        slowly.frame()
        if slowly.worker.busy:
            slowly.worker.work()
    assert sum(heaps(slowly)) < sum(large)


def test_an_edit_drops_a_plan_of_other_options(slowly: Running) -> None:
    slowly.add("b")
    slowly.make_plan()
    frames_until(slowly, ["a", "b"])
    slowly.runtime.options = replace(slowly.runtime.options, alias=False)
    slowly.runtime._current.decide_again()
    slowly.make_plan()
    slowly.frame()
    coming = len(slowly.runtime._current.present)
    slowly.add("c")
    before = slowly.runtime._current.running
    assert slowly.frame() == ["a", "b"]
    assert (coming, slowly.runtime._current.running) == (2, before)
    slowly.worker.work()
    frames_until(slowly, ["a", "b", "c"])
