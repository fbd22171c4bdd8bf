"""A plan that moves into smaller heaps can wait."""

from __future__ import annotations

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
