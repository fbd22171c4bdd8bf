"""Lets frames go first: work beside them pauses between its steps while the render thread makes a frame.

Every call of the graphics API releases the interpreter lock, and a thread that runs Python then holds it for a switch
interval (5 ms). Beside a worker that does not pause, a frame of some ten calls lasts as long as the worker's Python.
A worker that computes all the time also takes a core from the driver's own threads, all of which a frame waits for.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

PATIENCE = 0.05
"""Seconds after which a pause between frames ends anyway, so that the work ends beside frames that never wait."""

FRAME_PATIENCE = 1.0
"""Seconds after which a pause ends although a frame is still being made.

A frame of more than ``PATIENCE`` has much to record, such as the first one of a large plan. Beside a worker each of its
calls waits for the interpreter, which makes it several times as long: it is the last frame to run beside. A frame that
takes longer still may never end (a debugger, a dialog), and the work goes on.
"""


class Gate:
    """An event that a frame opens and closes without a lock, as long as nobody waits for it."""

    def __init__(self, *, is_open: bool) -> None:
        self.is_open = is_open
        self._waiting = 0
        self._opened = threading.Condition()

    def open(self) -> None:
        """Let those who wait go on, and those who come later pass."""
        self.is_open = True
        if self._waiting:  # a worker counts itself before it looks whether the gate is open
            with self._opened:
                self._opened.notify_all()

    def close(self) -> None:
        """Have those who come later wait."""
        self.is_open = False

    def wait(self, seconds: float) -> bool:
        """Wait until the gate is opened, at most for so long; whether it is open or has been."""
        with self._opened:
            self._waiting += 1
            try:
                return self.is_open or self._opened.wait(seconds)
            finally:
                self._waiting -= 1


class RightOfWay:
    """Tells a worker when it can run: between frames, and while the render thread waits for the device.

    The render thread enters the contexts, which nest; the worker calls ``begin`` and ``give_way``. Nothing pauses
    before the first frame.
    """

    def __init__(self) -> None:
        self._free, self._between_frames = Gate(is_open=True), Gate(is_open=True)
        self._awaited = Gate(is_open=False)
        self._frame = _Frame(self._free, self._between_frames)

    def frame(self) -> AbstractContextManager[None]:
        """The render thread makes a frame."""
        return self._frame

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """The render thread waits for the device or the display, perhaps in a frame."""
        was_free = self._free.is_open
        self._free.open()
        try:
            yield
        finally:
            if not was_free:
                self._free.close()

    @contextmanager
    def awaiting(self) -> Iterator[None]:
        """The render thread waits for the worker, which pauses no more."""
        was_between = self._between_frames.is_open
        self._awaited.open()
        self._between_frames.open()
        try:
            with self.waiting():
                yield
        finally:
            self._awaited.close()
            if not was_between:
                self._between_frames.close()

    def begin(self) -> None:
        """Before the first step: wait for the end of the frame that asked for the work, which has had more to do than
        others. Ends after ``PATIENCE``."""
        self._between_frames.wait(PATIENCE)

    def give_way(self, worked: float) -> None:
        """Between two steps of the work: pause for the ``worked`` seconds of CPU time of the last step, at most for
        ``PATIENCE``, and while the render thread makes a frame, at most for ``FRAME_PATIENCE``."""
        if not self._awaited.wait(min(worked, PATIENCE)):
            self._free.wait(FRAME_PATIENCE)


class _Frame(AbstractContextManager[None]):
    """A frame of the render thread. The context nests, and is entered in every frame."""

    def __init__(self, free: Gate, between_frames: Gate) -> None:
        self._free = free
        self._between_frames = between_frames
        self._depth = 0

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth == 1:
            self._between_frames.close()
            self._free.close()

    def __exit__(self, *error: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._free.open()
            self._between_frames.open()
