"""The submissions of a frame, with what comes before and behind the plan's own."""

from __future__ import annotations

from renderwright.render.backend.protocol import OpList, QueuedLists
from renderwright.render.runtime.frame_lists import FrameLists

PROLOGUE, WORK, END = OpList(), OpList(), OpList()


def lists(*submissions: QueuedLists, opening: bool = False, closing: bool = False) -> FrameLists:
    return FrameLists([PROLOGUE] if opening else [], list(submissions), [END] if closing else [])


def waits(frame: FrameLists) -> list[tuple[str, int, tuple[int, ...]]]:
    return [(item.queue, item.buffer, item.waits) for item in frame.queued()]


def test_all_of_a_frame_on_one_queue_is_one_submission() -> None:
    frame = lists(QueuedLists([WORK]), opening=True, closing=True)
    (only,) = frame.queued()
    assert [id(one) for one in only.lists] == [id(PROLOGUE), id(WORK), id(END)]
    assert frame.closing_buffer == 0


def test_a_frame_that_begins_on_the_graphics_queue_opens_there() -> None:
    frame = lists(QueuedLists([WORK]), QueuedLists([], "compute", 1), QueuedLists([], "copy", 2, (1,)), opening=True)
    assert waits(frame) == [("graphics", 0, ()), ("compute", 1, (0,)), ("copy", 2, (0, 1))]
    assert [id(one) for one in frame.queued()[0].lists] == [id(PROLOGUE), id(WORK)]


def test_a_frame_that_begins_elsewhere_waits_for_its_opening() -> None:
    frame = lists(QueuedLists([], "compute"), QueuedLists([], buffer=1, waits=(0,)), opening=True)
    assert waits(frame) == [("graphics", 0, ()), ("compute", 0, (0,)), ("graphics", 1, (1,))]


def test_the_end_waits_for_the_last_of_every_queue() -> None:
    frame = lists(
        QueuedLists([], "compute"), QueuedLists([], "compute", 1), QueuedLists([], "copy", 2), QueuedLists([], buffer=3)
    )
    frame.closing.append(END)
    assert waits(frame)[-1] == ("graphics", 4, (1, 2))
    assert frame.closing_buffer == 4


def test_an_opening_alone() -> None:
    assert lists().opened() == []
    assert [one.lists for one in lists(opening=True).opened()] == [[PROLOGUE]]
