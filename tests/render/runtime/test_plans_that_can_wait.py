"""A plan that has no edit which the running one lacks can wait."""

from __future__ import annotations

from dataclasses import replace

from beside_frames import ONE_NODE, Running, frames_until

from renderwright.render.backend.null.resources import NullHeap
from renderwright.render.runtime.succession import SETTLED_FRAMES


def heaps(running: Running) -> list[int]:
    return sorted(one.size for one in running.backend._objects if isinstance(one, NullHeap))


def test_an_edit_drops_a_plan_that_moves_into_smaller_heaps(slowly: Running) -> None:
    for number in range(6):
        slowly.add(f"more{number}", size=(256, 256))
    slowly.frame()
    slowly.worker.work()
    slowly.worker.seconds_a_frame = 60.0
    while len(slowly.frame()) < 7:
        pass
    for number in range(6):
        slowly.graph.remove_node(f"more{number}")
    slowly.frame()
    slowly.worker.work()
    frames_until(slowly, ["a"])
    slowly.worker.seconds_a_frame = ONE_NODE
    large = heaps(slowly)
    for _ in range(SETTLED_FRAMES + 3):
        slowly.frame()
        if len(heaps(slowly)) > len(large):
            break
    assert len(heaps(slowly)) == len(large) + 1  # the plan that comes has its own
    slowly.add("b")
    assert slowly.frame() == ["a"]
    slowly.frame()
    assert heaps(slowly) == large
    slowly.worker.work()
    frames_until(slowly, ["a", "b"])


def test_an_edit_drops_a_plan_of_other_options(slowly: Running) -> None:
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    frames_until(slowly, ["a", "b"])
    slowly.runtime.options = replace(slowly.runtime.options, alias=False)
    slowly.runtime._current.decide_again()
    slowly.frame()
    slowly.worker.work()
    slowly.frame()
    coming = len(slowly.runtime._current.present)
    slowly.add("c")
    before = slowly.runtime._current.running
    assert slowly.frame() == ["a", "b"]
    assert (coming, slowly.runtime._current.running) == (2, before)
    slowly.worker.work()
    frames_until(slowly, ["a", "b", "c"])
