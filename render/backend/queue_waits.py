"""What each submission has to wait for on other queues: no more than its queue does not know to be done already.

Every queue has a timeline whose value grows with its submissions. A wait for a value is a wait for all that was
submitted to that queue before, and holds back all that is submitted behind it. Source of the clocks: C. J. Fidge,
Timestamps in message-passing systems that preserve the partial ordering, 1988.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Clock = Mapping[str, int]
"""Values of timelines, by queue."""


@dataclass(frozen=True)
class Waits:
    """The values to wait for, by queue, and all values that are known to be reached after that."""

    values: tuple[tuple[str, int], ...]
    known: Clock


class QueueWaits:
    """All queues begin a frame together: the first submission of each waits for what the others did before.

    Call ``begin_frame`` once a frame, then ``of`` for each submission, and ``note`` when it is submitted.
    """

    def __init__(self, queues: Iterable[str]) -> None:
        self._latest: dict[str, Clock] = {queue: {} for queue in queues}
        self._known: dict[tuple[str, int], Clock] = {}
        self._before: dict[str, int] = {}
        self._begun: set[str] = set()

    def begin_frame(self, submitted: Clock) -> None:
        """What has been submitted so far comes before the frame; ``submitted`` are the timelines' newest values."""
        self._before = dict(submitted)
        self._known = {key: clock for key, clock in self._known.items() if submitted[key[0]] == key[1]}
        self._begun = set()

    def of(self, queue: str, others: Iterable[tuple[str, int]] = ()) -> Waits:
        """What the queue's next submission waits for; ``others`` are submissions of the frame that it comes behind."""
        direct = list(others)
        if queue not in self._begun:
            direct += self._before.items()
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

    def note(self, queue: str, value: int, waits: Waits) -> None:
        """The queue's timeline will reach the value when a submission with these waits is done."""
        self._begun.add(queue)
        self._latest[queue] = waits.known
        self._known[queue, value] = waits.known
