"""The timeline waits of each submission, without those that earlier waits of its queue imply (vector clocks).

Every queue has a timeline semaphore whose value grows with its submissions. A wait for a value covers that submission
and all earlier ones of its queue, and holds for all later submissions of the waiting queue. Source: C. J. Fidge,
Timestamps in message-passing systems that preserve the partial ordering, 1988.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

Clock = Mapping[str, int]
"""Values of timelines, by queue."""


@dataclass(frozen=True)
class Waits:
    """The values to wait for, by queue, and all values known to be reached after these waits."""

    values: tuple[tuple[str, int], ...]
    known: Clock


class QueueWaits:
    """Computes the waits of submissions.

    All queues begin a frame together: the first submission of each waits for the earlier work of the others, except
    cross-frame work of the previous frame in ``continuing``. Call ``begin_frame`` once a frame, then ``of`` for each
    submission, and ``note`` when it is submitted.
    """

    def __init__(self, queues: Iterable[str]) -> None:
        self._latest: dict[str, Clock] = {queue: {} for queue in queues}
        self._known: dict[tuple[str, int], Clock] = {}
        self._before: dict[str, int] = {}
        self._begun: set[str] = set()
        # Numbers of cross-frame work by queue and value: of the previous frame, and of this one.
        self._cross_frame_before: dict[tuple[str, int], int] = {}
        self._cross_frame: dict[tuple[str, int], int] = {}

    def begin_frame(self, submitted: Clock) -> None:
        """Begin a frame after everything submitted so far; ``submitted`` are the timelines' newest values."""
        first = self._before
        self._before = dict(submitted)
        self._known = {key: clock for key, clock in self._known.items() if key[1] >= first.get(key[0], 0)}
        self._begun = set()
        self._cross_frame_before, self._cross_frame = self._cross_frame, {}

    def of(
        self,
        queue: str,
        others: Iterable[tuple[str, int]] = (),
        cross_frame_waits: Iterable[int] = (),
        continuing: Set[int] = frozenset(),
    ) -> Waits:
        """The waits of the queue's next submission.

        It depends on the submissions ``others`` of the frame and on the previous frame's cross-frame work
        ``cross_frame_waits``. The queue's first submission of the frame does not wait for the cross-frame work
        ``continuing``.
        """
        direct = list(others)
        awaited = set(cross_frame_waits)
        direct += [key for key, work in self._cross_frame_before.items() if work in awaited]
        if queue not in self._begun:
            direct += [(name, self._ended(name, continuing - awaited)) for name in self._before]
        required: dict[str, int] = {}
        known = self._latest[queue]
        for name, value in direct:
            if name != queue and value > known.get(name, 0):
                required[name] = max(value, required.get(name, 0))
        if not required:
            return Waits((), known)
        known = dict(known)
        values = []
        # Submissions of this frame come first because they imply the most.
        for name, value in sorted(required.items(), key=lambda item: item[1] <= self._before.get(item[0], 0)):
            if value > known.get(name, 0):
                values.append((name, value))
                for each, reached in (*self._known.get((name, value), {}).items(), (name, value)):
                    known[each] = max(reached, known.get(each, 0))
        return Waits(tuple(sorted(values)), known)

    def _ended(self, queue: str, continuing: Set[int]) -> int:
        """The newest value from before the frame, without trailing cross-frame work in ``continuing``."""
        value = self._before[queue]
        while self._cross_frame_before.get((queue, value), -1) in continuing:
            value -= 1
        return value

    def note(self, queue: str, value: int, waits: Waits, cross_frame: int = -1) -> None:
        """Note a submission with these waits, after which the queue's timeline reaches the value; ``cross_frame`` is
        its number as cross-frame work, -1 for none."""
        self._begun.add(queue)
        self._latest[queue] = waits.known
        self._known[queue, value] = waits.known
        if cross_frame >= 0:
            self._cross_frame[queue, value] = cross_frame
