"""A worker that works when it is told to: tests decide in which frame a compile ends. Every test may import this."""

from __future__ import annotations

from collections.abc import Callable

from renderwright.render.runtime.right_of_way import RightOfWay


class HandDriven:
    """Runs what it is given in ``work``, or when somebody waits for it; ``started`` counts what it was given.

    A plan that it has made takes over in the next frame, unless ``seconds_a_frame`` is above 0.
    """

    def __init__(self) -> None:
        self.seconds_a_frame = 0.0
        self.started = 0
        self.right_of_way = RightOfWay()
        self._work: Callable[[], None] | None = None

    @property
    def busy(self) -> bool:
        """Whether there is anything to do."""
        return self._work is not None

    def start(self, work: Callable[[], None]) -> None:
        assert self._work is None, "one at a time"
        self.started += 1
        self._work = work

    def work(self) -> None:
        """Do it now."""
        assert self._work is not None, "there is nothing to do"
        self.wait()

    def wait(self) -> None:
        work, self._work = self._work, None
        if work is not None:
            with self.right_of_way.awaiting():
                work()
