"""Work beside the frames: one worker, the newest request wins, results are taken between two frames."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Generic, Protocol, TypeVar

from renderwright.render.runtime.right_of_way import RightOfWay

NICENESS = 10
"""The niceness that work beside frames adds: a rasteriser on the CPU then gets 0.9 of a core that both want."""

SECONDS_A_FRAME = 0.004
"""Of the render thread, a quarter of a frame at 60 Hz."""

Request = TypeVar("Request")
Made = TypeVar("Made")


class Worker(Protocol):
    """Runs one function at a time beside the frames, which have the ``right_of_way``.

    ``seconds_a_frame`` is how long the render thread, behind each frame, prepares a plan that the worker has made; with
    0 the plan takes over at once.
    """

    @property
    def seconds_a_frame(self) -> float:
        """Seconds, from 0 on."""

    @property
    def right_of_way(self) -> RightOfWay:
        """The render thread's signal that the work waits for between its steps."""

    def start(self, work: Callable[[], None]) -> None:
        """Begin to run ``work``, which does not raise. The previous work has ended."""

    def wait(self) -> None:
        """Return when the work that was started last has ended."""


class ThreadWorker:
    """Runs each function on a new thread called ``name``; without a ``right_of_way`` it has one of its own.

    The thread and the processes that it starts have a low priority where each thread has one (Linux): their cores are
    those of the driver, too.
    """

    def __init__(self, name: str, right_of_way: RightOfWay | None = None) -> None:
        self.right_of_way = right_of_way or RightOfWay()
        self.seconds_a_frame = SECONDS_A_FRAME
        self._name = name
        self._thread: threading.Thread | None = None

    def start(self, work: Callable[[], None]) -> None:
        """Start the thread."""

        def run() -> None:
            _lower_priority()
            work()

        self._thread = threading.Thread(target=run, name=self._name)
        self._thread.start()

    def wait(self) -> None:
        """Join the thread."""
        if self._thread is not None:
            with self.right_of_way.awaiting():
                self._thread.join()
            self._thread = None


def _lower_priority() -> None:
    """Raise the niceness of this thread, which the processes that it starts inherit."""
    if sys.platform == "linux":
        this = threading.get_native_id()
        with contextlib.suppress(OSError):  # a sandbox may forbid it
            os.setpriority(os.PRIO_PROCESS, this, os.getpriority(os.PRIO_PROCESS, this) + NICENESS)


class StoppedError(Exception):
    """Raised on the worker when its request has been replaced or dropped."""


class Stop:
    """The stop flag of one request; the render thread sets it, the worker polls it between its steps."""

    def __init__(self, right_of_way: RightOfWay | None = None) -> None:
        self._stopped = False
        self._right_of_way = right_of_way
        self._since: float | None = None  # CPU time of the worker at the last check

    def set(self) -> None:
        """Stop the work at its next check."""
        self._stopped = True

    def check(self) -> None:
        """Let frames go first, then raise ``StoppedError`` if the work has to stop; call it between steps."""
        if self._right_of_way is not None:
            now = time.thread_time()
            self._right_of_way.give_way(now - self._since if self._since is not None else 0.0)
            self._since = time.thread_time()
        if self._stopped:
            raise StoppedError


class _Run(Generic[Request, Made]):
    """One request on the worker. ``ended`` is set last: a thread that reads it as true also sees the result."""

    def __init__(self, request: Request, work: Callable[[Request, Stop], Made], stop: Stop) -> None:
        self.request = request
        self.stop = stop
        self.made: Made | None = None
        self.error: BaseException | None = None
        self.ended = False
        self._work = work

    def run(self, right_of_way: RightOfWay) -> None:
        right_of_way.begin()
        try:
            self.made = self._work(self.request, self.stop)
        except BaseException as error:  # raised again on the thread that takes the result
            self.error = error
        self.ended = True


class Beside(Generic[Request, Made]):
    """Runs ``work`` on the worker for the newest request.

    Only the render thread calls the methods. A run whose request has been replaced is stopped and its result dropped;
    the newest request starts when that run has ended.
    """

    def __init__(self, worker: Worker, work: Callable[[Request, Stop], Made]) -> None:
        self._worker = worker
        self._work = work
        self._wanted: Request | None = None
        self._run: _Run[Request, Made] | None = None

    @property
    def wanted(self) -> Request | None:
        """The newest request, until its result is taken."""
        return self._wanted

    @property
    def under_way(self) -> Request | None:
        """The request that the worker runs, current or replaced."""
        return self._run.request if self._run is not None and not self._run.ended else None

    def want(self, request: Request | None) -> None:
        """Replace the current request; None cancels it."""
        self._wanted = request
        if self._run is not None and self._run.request is not request:
            self._run.stop.set()
        self._go_on()

    def ended(self) -> bool:
        """Whether the result of the current request can be taken."""
        self._go_on()
        return self._run is not None and self._run.ended

    def take(self) -> Made | None:
        """The result of the current request, once; None until it is ready. Re-raises exceptions of the work."""
        if not self.ended():
            return None
        assert self._run is not None
        run, self._run, self._wanted = self._run, None, None
        self._worker.wait()
        if run.error is not None:
            raise run.error
        return run.made

    def wait(self) -> None:
        """Wait until the result of the current request can be taken; return at once without a request."""
        self._go_on()
        while self._run is not None:
            self._worker.wait()
            if self._run.request is self._wanted:
                return
            self._go_on()

    def close(self) -> None:
        """Cancel the current request and join the worker."""
        self.want(None)
        self.wait()

    def _go_on(self) -> None:
        """Drop an ended run whose request has been replaced; start the current request if the worker is free."""
        if self._run is not None and self._run.ended and self._run.request is not self._wanted:
            self._worker.wait()
            self._run = None
        if self._run is None and self._wanted is not None:
            self._run = _Run(self._wanted, self._work, Stop(self._worker.right_of_way))
            self._worker.start(partial(self._run.run, self._worker.right_of_way))
