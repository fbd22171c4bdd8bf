"""A change of sizes that may wait is lowered beside the frames, as a change of structure is."""

from __future__ import annotations

from beside_frames import Running, frames_until

from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.types.resources import Extent


def resize(running: Running, size: Extent, *, may_wait: bool = True) -> None:
    running.graph.define_resolution(ResolutionRule("size", size, may_wait=may_wait))


def frames_in_size(running: Running, size: Extent) -> int:
    """The number of frames before one in that size."""
    return next(number for number in range(20) if running.frame() and running.extents["a"] == size)


def test_a_size_that_may_wait_comes_beside_the_frames(slowly: Running, late: list[int]) -> None:
    slowly.frame()  # in the second slot
    late.clear()
    resize(slowly, (64, 8))
    slowly.frame()
    slowly.worker.work()
    assert slowly.runtime.behind
    assert frames_in_size(slowly, (64, 8)) > 0
    assert late == []
    assert not slowly.runtime.behind


def test_a_size_that_may_wait_no_longer_is_in_the_next_frame(slowly: Running) -> None:
    resize(slowly, (64, 8))
    slowly.frame()
    assert slowly.extents["a"] == (32, 16)
    resize(slowly, (64, 8), may_wait=False)
    slowly.frame()
    assert slowly.extents["a"] == (64, 8)
    before = slowly.worker.started
    resize(slowly, (64, 8))
    slowly.frame()
    assert slowly.worker.started == before


def test_a_size_that_may_wait_is_in_the_next_frame_where_nothing_is_lowered_ahead(running: Running) -> None:
    resize(running, (64, 8))
    running.frame()
    assert running.extents["a"] == (64, 8)


def test_a_size_that_must_not_wait_takes_the_other_one_along(slowly: Running) -> None:
    slowly.graph.set_resolution("other", (8, 8))
    slowly.frame()
    resize(slowly, (64, 8))
    slowly.frame()
    assert slowly.extents["a"] == (32, 16)
    slowly.graph.set_resolution("other", (4, 4))
    slowly.frame()
    assert slowly.extents["a"] == (64, 8)


def test_a_size_that_may_wait_does_not_hurry_a_plan_that_comes(slowly: Running, late: list[int]) -> None:
    slowly.frame()  # in the second slot
    late.clear()
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    assert slowly.frame() == ["a"]
    resize(slowly, (64, 8))
    assert slowly.frame() == ["a"]
    frames_until(slowly, ["a", "b"])
    slowly.worker.work()
    frames_in_size(slowly, (64, 8))
    assert (slowly.extents, late) == ({"a": (64, 8), "b": (64, 8)}, [])


def test_a_size_that_is_taken_back_drops_the_plan_that_comes(slowly: Running, late: list[int]) -> None:
    slowly.frame()  # in the second slot
    late.clear()
    resize(slowly, (64, 8))
    slowly.frame()
    slowly.worker.work()
    slowly.frame()
    resize(slowly, (32, 16))
    for _ in range(8):
        slowly.frame()
        assert slowly.extents["a"] == (32, 16)
    assert (late, len(slowly.runtime._current.present), slowly.runtime.behind) == ([], 1, False)


def test_a_step_of_the_dynamic_resolution_does_not_wait_for_a_size(slowly: Running) -> None:
    resize(slowly, (64, 8))
    slowly.graph.set_dynamic_resolution("size", (16, 4))
    slowly.frame()
    assert slowly.extents["a"] == (16, 4)


def test_a_step_while_a_size_is_on_its_way_takes_it_along(slowly: Running) -> None:
    resize(slowly, (64, 8))
    slowly.frame()
    slowly.worker.work()
    slowly.frame()
    slowly.graph.set_dynamic_resolution("size", (16, 4))
    slowly.frame()
    assert slowly.extents["a"] == (16, 4)


def test_a_step_is_in_the_next_frame_of_a_plan_that_is_behind_in_structure_and_size(slowly: Running) -> None:
    slowly.add("b")
    resize(slowly, (64, 8))
    slowly.frame()
    slowly.graph.set_dynamic_resolution("size", (16, 4))
    slowly.frame()
    assert slowly.extents["a"] == (16, 4)


def test_a_structure_that_is_taken_back_is_not_shown_if_a_size_changes_with_it(slowly: Running) -> None:
    slowly.frame()
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    slowly.frame()
    slowly.graph.remove_node("b")
    resize(slowly, (64, 8))
    for _ in range(4):
        assert slowly.frame() == ["a"]
    slowly.worker.work()
    frames_in_size(slowly, (64, 8))
    assert slowly.frame() == ["a"]
