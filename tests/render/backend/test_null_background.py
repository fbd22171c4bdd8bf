"""Background work of the null backend when a slice fails."""

from __future__ import annotations

import pytest

from renderwright.render.backend.command_buffers import OpList, QueuedCommands
from renderwright.render.backend.null.background import NullBackground
from renderwright.render.errors import BackendError


def label(work: NullBackground) -> OpList:
    recorder = work.recorder(0)
    recorder.begin_label("buffer")
    recorder.end_label()
    return recorder.take()


def slice_of(work: NullBackground, oplist: OpList) -> QueuedCommands:
    commands = work.create_commands(0, "slice")
    commands.lists = [oplist]
    return QueuedCommands((commands,))


def fails() -> None:
    raise ValueError("a call that fails")


def test_a_slice_that_fails_ends_the_playing_of_its_commands() -> None:
    work = NullBackground([])
    prepared = label(work)
    work.begin(0)
    with pytest.raises(ValueError, match="a call that fails"):
        work.submit(0, [slice_of(work, OpList([(fails, ())]))])
    function, arguments = prepared.ops[0]
    with pytest.raises(BackendError, match="outside a frame"):
        function(*arguments)


def test_slices_in_front_of_one_that_fails_are_not_played_again() -> None:
    log: list[str] = []
    work = NullBackground(log)
    calls = [True]

    def fails_once() -> None:
        if calls.pop():
            fails()

    slices = [slice_of(work, label(work)), slice_of(work, OpList([(fails_once, ())]))]
    work.begin(0)
    with pytest.raises(ValueError, match="a call that fails"):
        work.submit(0, slices)
    calls.append(False)
    work.submit(0, slices)
    assert [line for line in log if line.startswith(" slice")] == [" slice 0", " slice 1", " slice 1"]
