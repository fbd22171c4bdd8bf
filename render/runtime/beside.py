"""Work beside the frames: one worker, the newest request wins, results are taken between two frames."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

Asked = TypeVar("Asked")
Made = TypeVar("Made")


class Worker(Protocol):
    """Runs one function at a time beside the frames."""

    def start(self, work: Callable[[], None]) -> None:
        """Begin to run ``work``; it does not raise. The last one has ended."""

    def wait(self) -> None:
        """Return when what was started last has ended."""


class ThreadWorker:
    """A worker that runs each function on a thread of its own, of that ``name``."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: threading.Thread | None = None

    def start(self, work: Callable[[], None]) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=work, name=self._name)
        self._thread.start()

    def wait(self) -> None:
        """Join the thread."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None


class StoppedError(Exception):
    """Raised on the worker by work that has noticed that nobody wants its result any more."""


class Stop:
    """Tells work on the worker whether its result is still wanted."""

    def __init__(self) -> None:
        self._stopped = False

    def set(self) -> None:
        """Nobody wants the result any more."""
        self._stopped = True

    def check(self) -> None:
        """Raise ``StoppedError`` if nobody wants the result any more; call it between steps."""
        if self._stopped:
            raise StoppedError


class _Run(Generic[Asked, Made]):
    """One request on the worker. ``ended`` is set last, so whoever sees it also sees the result."""

    def __init__(self, asked: Asked, work: Callable[[Asked, Stop], Made]) -> None:
        self.asked = asked
        self.stop = Stop()
        self.made: Made | None = None
        self.error: BaseException | None = None
        self.ended = False
        self._work = work

    def run(self) -> None:
        try:
            self.made = self._work(self.asked, self.stop)
        except BaseException as error:  # raised again on the thread that takes the result
            self.error = error
        self.ended = True


class Beside(Generic[Asked, Made]):
    """Runs ``work`` on the worker for the request that was wanted last.

    All methods belong to the thread that renders. A run whose request has been replaced is stopped, and its result
    dropped; the newest request starts when it has ended.
    """

    def __init__(self, worker: Worker, work: Callable[[Asked, Stop], Made]) -> None:
        self._worker = worker
        self._work = work
        self._wanted: Asked | None = None
        self._run: _Run[Asked, Made] | None = None

    @property
    def wanted(self) -> Asked | None:
        """The newest request, as long as its result has not been taken."""
        return self._wanted

    @property
    def under_way(self) -> Asked | None:
        """The request that the worker is busy with, wanted or not."""
        return self._run.asked if self._run is not None and not self._run.ended else None

    def want(self, asked: Asked | None) -> None:
        """Replace whatever was wanted before; None wants nothing."""
        self._wanted = asked
        if self._run is not None and self._run.asked is not asked:
            self._run.stop.set()
        self._go_on()

    def ended(self) -> bool:
        """Whether the result of what is wanted can be taken."""
        self._go_on()
        return self._run is not None and self._run.ended

    def take(self) -> Made | None:
        """The result of what is wanted, once; None as long as there is none. Raises what the work raised."""
        if not self.ended():
            return None
        assert self._run is not None
        run, self._run, self._wanted = self._run, None, None
        self._worker.wait()
        if run.error is not None:
            raise run.error
        return run.made

    def wait(self) -> None:
        """Wait until the result of what is wanted can be taken; return at once if nothing is wanted."""
        self._go_on()
        while self._run is not None:
            self._worker.wait()
            if self._run.asked is self._wanted:
                return
            self._go_on()

    def close(self) -> None:
        """Want nothing, and leave no thread behind."""
        self.want(None)
        self.wait()

    def _go_on(self) -> None:
        """Drop an ended run that nobody wants; start what is wanted if the worker is free."""
        if self._run is not None and self._run.ended and self._run.asked is not self._wanted:
            self._worker.wait()
            self._run = None
        if self._run is None and self._wanted is not None:
            self._run = _Run(self._wanted, self._work)
            self._worker.start(self._run.run)
