"""The submissions of a frame, with what comes before and behind the plan's own."""

from __future__ import annotations

from renderwright.render.backend.command_buffers import CommandBuffer, OpList, QueuedCommands
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.runtime.frame_lists import FrameEnds, FrameLists

WORK: CommandBuffer = NullBackend().create_commands(0, "graphics", "work")
OPENING, CLOSING = OpList(), OpList()


def lists(*submissions: QueuedCommands, opening: bool = False, closing: bool = False) -> FrameLists:
    ends = FrameEnds(NullBackend())
    ends.reserve(0)
    return FrameLists(0, ends, [OPENING] if opening else [], list(submissions), [CLOSING] if closing else [])


def waits(frame: FrameLists) -> list[tuple[str, tuple[int, ...]]]:
    return [(item.queue, item.waits) for item in frame.queued()]


def names(submission: QueuedCommands) -> list[str]:
    return [str(commands) for commands in submission.commands]


def test_a_frame_with_nothing_around_it_is_the_plans_own() -> None:
    frame = lists(QueuedCommands((WORK,)))
    assert frame.queued() is frame.submissions


def test_all_of_a_frame_on_one_queue_is_one_submission() -> None:
    frame = lists(QueuedCommands((WORK,)), opening=True, closing=True)
    (only,) = frame.queued()
    assert names(only) == ['commands "begin of frame slot 0"', 'commands "work"', 'commands "end of frame slot 0"']


def test_a_frame_that_begins_on_the_graphics_queue_opens_there() -> None:
    frame = lists(
        QueuedCommands((WORK,)), QueuedCommands((), "compute"), QueuedCommands((), "copy", (1,)), opening=True
    )
    assert waits(frame) == [("graphics", ()), ("compute", (0,)), ("copy", (0, 1))]
    assert names(frame.queued()[0]) == ['commands "begin of frame slot 0"', 'commands "work"']


def test_a_frame_that_begins_elsewhere_waits_for_its_opening() -> None:
    frame = lists(QueuedCommands((), "compute"), QueuedCommands((), waits=(0,)), opening=True)
    assert waits(frame) == [("graphics", ()), ("compute", (0,)), ("graphics", (1,))]


def test_the_end_waits_for_the_last_of_every_queue() -> None:
    frame = lists(
        QueuedCommands((), "compute"), QueuedCommands((), "compute"), QueuedCommands((), "copy"), QueuedCommands(())
    )
    frame.closing.append(CLOSING)
    assert waits(frame)[-1] == ("graphics", (1, 2))


def test_an_opening_alone() -> None:
    assert lists().opened() == []
    assert [names(one) for one in lists(opening=True).opened()] == [['commands "begin of frame slot 0"']]
