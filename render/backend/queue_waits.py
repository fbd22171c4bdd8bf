"""What each submission has to wait for on other queues: no more than its queue does not know to be done already.

Every queue has a timeline whose value grows with its submissions. A wait for a value is a wait for all that was
submitted to that queue before, and holds back all that is submitted behind it. Source of the clocks: C. J. Fidge,
Timestamps in message-passing systems that preserve the partial ordering, 1988.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

Clock = Mapping[str, int]
"""Values of timelines, by queue."""


@dataclass(frozen=True)
class Waits:
    """The values to wait for, by queue, and all values that are known to be reached after that."""

    values: tuple[tuple[str, int], ...]
    known: Clock


class QueueWaits:
    """All queues begin a frame together: the first submission of each waits for what the others did before, but for the
    late work of the frame before that it is told to leave.

    Call ``begin_frame`` once a frame, then ``of`` for each submission, and ``note`` when it is submitted.
    """

    def __init__(self, queues: Iterable[str]) -> None:
        self._latest: dict[str, Clock] = {queue: {} for queue in queues}
        self._known: dict[tuple[str, int], Clock] = {}
        self._before: dict[str, int] = {}
        self._begun: set[str] = set()
        # By queue and value, the late work of the frame before, and of this one.
        self._left: dict[tuple[str, int], int] = {}
        self._late: dict[tuple[str, int], int] = {}

    def begin_frame(self, submitted: Clock) -> None:
        """What has been submitted so far comes before the frame; ``submitted`` are the timelines' newest values."""
        first = self._before
        self._before = dict(submitted)
        self._known = {key: clock for key, clock in self._known.items() if key[1] >= first.get(key[0], 0)}
        self._begun = set()
        self._left, self._late = self._late, {}

    def of(
        self,
        queue: str,
        others: Iterable[tuple[str, int]] = (),
        joins: Iterable[int] = (),
        leaves: Set[int] = frozenset(),
    ) -> Waits:
        """What the queue's next submission waits for; ``others`` are submissions of the frame that it comes behind,
        ``joins`` late work of the last frame. ``leaves`` is other late work, for the queue's first of the frame."""
        direct = list(others)
        joined = set(joins)
        direct += [key for key, work in self._left.items() if work in joined]
        if queue not in self._begun:
            direct += [(name, self._ended(name, leaves - joined)) for name in self._before]
        wanted: dict[str, int] = {}
        for name, value in direct:
            wanted[name] = max(value, wanted.get(name, 0))
        known = dict(self._latest[queue])
        values = []
        # What was submitted in this frame implies most.
        for name, value in sorted(wanted.items(), key=lambda item: item[1] <= self._before.get(item[0], 0)):
            if name != queue and value > known.get(name, 0):
                values.append((name, value))
                for each, reached in (*self._known.get((name, value), {}).items(), (name, value)):
                    known[each] = max(reached, known.get(each, 0))
        return Waits(tuple(sorted(values)), known)

    def _ended(self, queue: str, leaves: Set[int]) -> int:
        """The newest value of before the frame that is not among the late work at the queue's end that may go on."""
        value = self._before[queue]
        while self._left.get((queue, value), -1) in leaves:
            value -= 1
        return value

    def note(self, queue: str, value: int, waits: Waits, late: int = -1) -> None:
        """The queue's timeline will reach the value when a submission with these waits is done; ``late`` is the number
        of the late work that it is, if any."""
        self._begun.add(queue)
        self._latest[queue] = waits.known
        self._known[queue, value] = waits.known
        if late >= 0:
            self._late[queue, value] = late
