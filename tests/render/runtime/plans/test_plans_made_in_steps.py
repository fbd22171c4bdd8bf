"""The images of a plan that comes are created behind frames, a few each."""

from __future__ import annotations

from typing import Any

import pytest
from beside_frames import Running

from renderwright.render.errors import OutOfMemoryError
from renderwright.render.runtime.memory.device_memory import A_STEP

NODES = 4 * A_STEP


@pytest.fixture
def placed(slowly: Running, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The textures that have been placed, in order; the one called "full" cannot be, if the backend is full."""
    names: list[str] = []
    place = slowly.backend.place_texture

    def noted(heap: Any, offset: int, info: Any, name: str) -> Any:
        if name == "full" and slowly.backend.full:
            raise OutOfMemoryError("full")
        names.append(name)
        return place(heap, offset, info, name)

    monkeypatch.setattr(slowly.backend, "place_texture", noted)
    return names


def heaps(running: Running) -> list[str]:
    """The heaps that exist. Textures in them are kept for a while."""
    return sorted(name for name in map(str, running.backend.alive) if name.startswith("heap"))


def want_many(running: Running, last: str) -> None:
    """Ask for a plan with many textures, of which one is placed last."""
    for number in range(NODES):
        running.add(f"n{number}")
    running.add(last)
    running.make_plan()


def test_a_frame_creates_few_of_them_and_none_when_the_plan_takes_over(slowly: Running, placed: list[str]) -> None:
    want_many(slowly, "full")
    counts = []
    while "full" not in slowly.ran:
        placed.clear()
        slowly.frame()
        counts.append(len(placed))
    assert max(counts) == A_STEP
    assert sum(counts) >= NODES
    assert counts[-1] == 0


def test_a_plan_whose_images_find_no_room_waits_and_leaves_nothing(slowly: Running, placed: list[str]) -> None:
    before = heaps(slowly)
    slowly.backend.full = True
    want_many(slowly, "full")
    for _ in range(4 * NODES):
        assert slowly.frame() == ["a"]
        if slowly.worker.busy:
            slowly.worker.work()
    for number in range(NODES):
        slowly.graph.remove_node(f"n{number}")
    slowly.graph.remove_node("full")
    slowly.backend.full = False
    for _ in range(2 * NODES):
        slowly.frame()
    assert heaps(slowly) == before
    assert not slowly.failures


def test_a_plan_that_is_taken_back_among_its_images_leaves_nothing(slowly: Running, placed: list[str]) -> None:
    slowly.frame()
    before = heaps(slowly)
    want_many(slowly, "full")
    slowly.frame()
    assert 0 < len(placed) < NODES
    for number in range(NODES):
        slowly.graph.remove_node(f"n{number}")
    slowly.graph.remove_node("full")
    slowly.frame()
    assert heaps(slowly) == before
