"""Frames that are lowered ahead hold what they name, and leave nothing behind if they are not needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.runtime.lowering.lowered import Given, LoweredFrame
from renderwright.render.runtime.lowering.lowered_frames import MAX_LOWERED, LoweredFrames
from renderwright.render.types.physical import Physical

HISTORY = cast(Physical, object())
GIVEN = Given(4, {}, {}, {("history", 0): HISTORY})


def nobody_knows(cell: BlobCell) -> None:
    """The value that a blob is expected to have."""


class Holds:
    """Counts who holds a texture."""

    def __init__(self) -> None:
        self.count: Counter[int] = Counter()

    def hold(self, physical: Physical) -> None:
        self.count[id(physical)] += 1

    def give_back(self, physical: Physical) -> None:
        self.count[id(physical)] -= 1

    @property
    def histories(self) -> int:
        return self.count[id(HISTORY)]


@pytest.fixture
def holds() -> Holds:
    return Holds()


@pytest.fixture
def destroyed() -> list[Any]:
    return []


@pytest.fixture
def frames(holds: Holds, destroyed: list[Any]) -> LoweredFrames:
    def lower(slot: int, given: Given, like: LoweredFrame | None) -> Generator[None, None, LoweredFrame]:
        yield
        yield
        frame = SimpleNamespace(runs={}, segments=())
        frame.destroy = lambda backend: destroyed.append(frame)
        return cast(LoweredFrame, frame)

    def renew(slot: int, frame: LoweredFrame, like: LoweredFrame | None) -> LoweredFrame:
        made = SimpleNamespace(runs={}, segments=(), renewed=frame)
        made.destroy = lambda backend: destroyed.append(made)
        return cast(LoweredFrame, made)

    return LoweredFrames(lower, renew, cast(Any, None), cast(Any, holds))


def test_a_history_of_another_size_is_held_from_the_first_step_on(frames: LoweredFrames, holds: Holds) -> None:
    steps = frames.ahead(0, GIVEN, nobody_knows)
    next(steps)
    assert holds.histories == 1
    assert list(steps) == [None]
    assert holds.histories == 1, "by the frame that is kept"
    assert frames.has(0, GIVEN)
    frames.destroy()
    assert holds.histories == 0


def test_nothing_is_held_for_a_frame_that_is_given_up(frames: LoweredFrames, holds: Holds) -> None:
    steps = cast(Generator[None, None, None], frames.ahead(0, GIVEN, nobody_knows))
    next(steps)
    steps.close()
    assert holds.histories == 0
    assert not frames.has(0, GIVEN)


def test_a_frame_that_was_needed_meanwhile_is_lowered_once(
    frames: LoweredFrames, holds: Holds, destroyed: list[Any]
) -> None:
    steps = frames.ahead(0, GIVEN, nobody_knows)
    next(steps)
    needed = frames.get(0, GIVEN)
    list(steps)
    assert len(destroyed) == 1
    assert frames.get(0, GIVEN) is needed
    assert holds.histories == 1


def test_nothing_more_is_lowered_of_a_frame_that_comes_too_late(
    frames: LoweredFrames, holds: Holds, destroyed: list[Any]
) -> None:
    steps = frames.ahead(0, GIVEN, nobody_knows)
    next(steps)
    frames.destroy()
    assert list(steps) == []
    assert destroyed == []
    assert holds.histories == 0


def test_a_frame_is_renewed_once_when_its_nodes_have_been_declared_anew(
    frames: LoweredFrames, holds: Holds, destroyed: list[Any]
) -> None:
    former = frames.get(0, GIVEN)
    frames.redeclare()
    frames.redeclare()
    assert frames.has(0, GIVEN)
    assert frames.latest(0) is former
    now: Any = frames.get(0, GIVEN)
    assert now.renewed is former
    assert destroyed == [former]
    assert frames.get(0, GIVEN) is now
    assert frames.latest(0) is now
    assert holds.histories == 1
    frames.destroy()
    assert holds.histories == 0


def test_frames_that_are_not_renewed_leave_with_the_others(frames: LoweredFrames, holds: Holds) -> None:
    first, second = frames.get(0, GIVEN), frames.get(1, GIVEN)
    frames.redeclare()
    now = frames.get(1, GIVEN)
    assert frames.leave() == [first, now]
    assert second not in (first, now)
    assert holds.histories == 0


def test_a_frame_is_lowered_ahead_no_further_when_nodes_are_declared_anew(
    frames: LoweredFrames, holds: Holds, destroyed: list[Any]
) -> None:
    steps = frames.ahead(0, GIVEN, nobody_knows)
    next(steps)
    frames.redeclare()
    assert list(steps) == []
    assert not frames.has(0, GIVEN)
    assert holds.histories == 0


def test_former_frames_count_among_those_that_are_kept(frames: LoweredFrames, destroyed: list[Any]) -> None:
    others = [Given(4, {}, {}, {("history", 0): cast(Physical, object())}) for _ in range(MAX_LOWERED)]
    first = frames.get(0, others[0])
    for given in others[1:]:
        frames.get(0, given)
    frames.redeclare()
    assert destroyed == []
    frames.get(0, GIVEN)
    assert destroyed == [first]
