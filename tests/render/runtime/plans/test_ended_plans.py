"""What plans that are replaced all the time leave behind stays bounded."""

from __future__ import annotations

import pytest
from beside_frames import SLOTS, Running

MOST = 24
"""Lowered frames of ended plans, of which a few are destroyed behind each frame."""


def leaving(running: Running) -> int:
    return len(running.runtime._current._succession._leaving)


def frame(running: Running) -> None:
    running.frame()
    if running.worker.busy:
        running.worker.work()


@pytest.mark.parametrize("every", [1, 3, 5, 12])
@pytest.mark.parametrize("rated", [False, True])
def test_a_node_that_is_switched_every_few_frames_leaves_few_frames(slowly: Running, every: int, rated: bool) -> None:
    slowly.worker.seconds_a_frame = 60.0
    slowly.add("r", every=2 if rated else 1)
    left = []
    for number in range(200):
        if number % every == 0 and "b" in slowly.graph.node_names:
            slowly.graph.remove_node("b")
        elif number % every == 0:
            slowly.add("b")
        frame(slowly)
        left.append(leaving(slowly))
    assert max(left) <= MOST


@pytest.mark.parametrize("rated", [False, True])
def test_a_size_that_changes_in_each_frame_leaves_few_frames(slowly: Running, rated: bool) -> None:
    slowly.add("r", every=2 if rated else 1)
    left = []
    for number in range(200):
        slowly.graph.set_resolution("size", (64 + number, 32))
        frame(slowly)
        left.append(leaving(slowly))
    assert max(left) <= MOST


def test_what_is_lowered_of_a_plan_that_never_ran_is_destroyed_behind_frames(slowly: Running) -> None:
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    slowly.worker.seconds_a_frame = 60.0
    slowly.frame()
    slowly.graph.remove_node("b")
    slowly.runtime.update()
    assert leaving(slowly)
    while leaving(slowly):
        slowly.frame()


def test_nothing_is_destroyed_behind_the_first_frames_of_the_next_plan(slowly: Running) -> None:
    slowly.worker.seconds_a_frame = 60.0
    slowly.frame()
    slowly.add("b")
    while slowly.frame() == ["a"]:
        if slowly.worker.busy:
            slowly.worker.work()
    left = [leaving(slowly)]
    for _ in range(SLOTS + 1):
        slowly.frame()
        left.append(leaving(slowly))
    assert left[0] == left[SLOTS - 1] > left[SLOTS]
