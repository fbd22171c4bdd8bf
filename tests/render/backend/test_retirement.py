"""What is no longer wanted is released once the device has passed it, small things a part at a time."""

from __future__ import annotations

from typing import Any, cast

from renderwright.render.backend.timeline import CALM, LEAST, PARTS, DeviceTimeline, Retirement


class Timeline:
    """A queue that finishes its submissions when it is told to."""

    def __init__(self) -> None:
        self.submitted, self.reached = 0, 0

    def completed(self) -> int:
        return self.reached

    def wait(self, value: int) -> None:
        self.reached = max(self.reached, value)


class Thing:
    def __init__(self, name: int, released: list[int]) -> None:
        self._name, self._released = name, released

    def release(self) -> None:
        self._released.append(self._name)


def retired(count: int, *, small: bool = True) -> tuple[Retirement, Timeline, list[int]]:
    """So many things that the last submission may use."""
    timeline, released = Timeline(), list[int]()
    retirement = Retirement([cast(DeviceTimeline, timeline)])
    timeline.submitted = 1
    for name in range(count):
        retirement.add(Thing(name, released), small=small)
    return retirement, timeline, released


def frame(retirement: Retirement, timeline: Timeline) -> None:
    retirement.begin_frame()
    timeline.submitted += 1
    retirement.end_frame()


def test_a_frame_releases_a_part_of_the_small_things_and_all_are_released() -> None:
    count = 10 * LEAST * PARTS
    retirement, timeline, released = retired(count)
    frame(retirement, timeline)
    assert released == []
    timeline.reached = 1
    numbers = []
    while len(retirement):
        before = len(released)
        frame(retirement, timeline)
        numbers.append(len(released) - before)
    assert released == list(range(count))
    assert max(numbers) == count // PARTS
    assert min(numbers[:-1]) == LEAST


def test_what_has_memory_is_released_some_frames_after_the_device_has_passed_it() -> None:
    retirement, timeline, released = retired(10 * LEAST * PARTS)
    for name in range(1000, 1000 + 2 * LEAST):
        retirement.add(Thing(name, released), small=False)
    timeline.reached = 1
    for _ in range(CALM - 1):
        frame(retirement, timeline)
    assert max(released) < 1000
    frame(retirement, timeline)
    assert released[-2 * LEAST :] == list(range(1000, 1000 + 2 * LEAST))


def test_what_the_frame_that_is_recorded_may_use_waits_for_its_submission() -> None:
    retirement, timeline, released = retired(0)
    retirement.begin_frame()
    retirement.add(cast(Any, Thing(7, released)))
    timeline.submitted = 2
    retirement.end_frame()
    timeline.reached = 1
    for _ in range(CALM):
        frame(retirement, timeline)
    assert released == []
    timeline.reached = 2
    frame(retirement, timeline)
    assert released == [7]


def test_whoever_waits_has_all_of_it_released() -> None:
    retirement, _, released = retired(3 * LEAST)
    retirement.wait()
    assert released == list(range(3 * LEAST))
