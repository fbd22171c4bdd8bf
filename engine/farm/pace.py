"""How long pieces take: how many are given at once, and when a worker counts as hanging."""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Sequence

BATCH_SECONDS = 2.0
"""What a batch should take: longer than its transfer, shorter than anybody wants to lose."""

OPENING_SECONDS = 300.0
"""What a worker may take until it has a device, and has compiled what it needs."""

PLAYED_SECONDS = 5.0
"""What a frame may take that is played before the pieces, and perhaps rendered."""

LEAST_SECONDS = 20.0
"""What a batch may take, however fast the others were: something may be compiled in between."""

SLOWER = 20.0
"""The pieces of a batch may take so many times the median each."""

_KEPT = 64


class Pace:
    """The times of the latest pieces. ``most`` is the largest batch."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._seconds: deque[float] = deque(maxlen=_KEPT)
        self._places: dict[str, int] = {}

    @property
    def median(self) -> float:
        """Seconds of a piece; 0 before the first."""
        return statistics.median(self._seconds) if self._seconds else 0.0

    @property
    def batch(self) -> int:
        """How many pieces to give to a worker at once."""
        if not self._seconds:
            return 1
        return max(1, min(self._most, round(BATCH_SECONDS / max(self.median, 1e-3))))

    def limit(self, worker: str, numbers: Sequence[int], before: int) -> float:
        """Seconds that a worker may take for these pieces.

        What lies between them and its last piece has to be played. A worker that is new, or has to go back, opens
        everything anew and plays the frames ``before`` them.
        """
        own = max(LEAST_SECONDS, SLOWER * self.median * len(numbers))
        place = self._places.get(worker)
        if place is None or numbers[0] < place:
            return OPENING_SECONDS + PLAYED_SECONDS * before + own
        return PLAYED_SECONDS * (numbers[0] - place) + own

    def note(self, worker: str, numbers: Sequence[int], seconds: Sequence[float]) -> None:
        """Take in the times of pieces that a worker has made. Its first has the opening in it."""
        known = worker in self._places
        self._seconds.extend(seconds if known or not self._seconds else seconds[1:])
        self._places[worker] = numbers[-1] + 1

    def forget(self, worker: str) -> None:
        """The worker begins anew."""
        self._places.pop(worker, None)
