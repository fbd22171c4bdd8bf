"""What is tried again, and what is given up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

MOST_STRIKES = 3.0
"""A piece that has failed so often is given up."""

DEATH = 0.5
"""The death of a worker that had one piece counts as so much of a failure: the cause may be elsewhere.

Where workers are killed at random, three deaths soon meet in one piece, six hardly. A worker that hangs counts in full:
each takes minutes.
"""

MOST_IN_A_ROW = 8
"""If so many pieces are given up and none is made in between, the cause is not in them."""


class Strikes:
    """The failures of pieces, by worker."""

    def __init__(self) -> None:
        #: Why each piece that is given up has failed the last time.
        self.given_up: dict[int, str] = {}
        self._workers: defaultdict[int, list[str]] = defaultdict(list)
        self._strikes: defaultdict[int, float] = defaultdict(float)
        self._suspects: set[int] = set()
        self._end: tuple[int, str] | None = None
        self._in_a_row = 0

    def succeed(self) -> None:
        """Note that a piece was made."""
        self._in_a_row = 0

    def fail(
        self, number: int, worker: str, reason: str, *, weight: float = 1.0, final: bool = False, beyond: bool = False
    ) -> None:
        """Note that a worker could not make a piece; a ``final`` failure is the last, one ``beyond`` ends the game."""
        self._workers[number].append(worker)
        self._strikes[number] += weight
        if final or self._strikes[number] >= MOST_STRIKES or self._is_beyond(number):
            self.given_up[number] = reason
            self._in_a_row += not final
            if beyond and not self._is_beyond(number):
                self._end = number, reason

    def suspect(self, numbers: Collection[int], worker: str, reason: str, *, hung: bool) -> None:
        """Note that a worker was lost with some pieces, since it died or has ``hung``.

        One of the pieces may be the cause, so each is tried alone.
        """
        self._suspects |= set(numbers)
        if len(numbers) == 1:
            for number in numbers:
                self.fail(number, worker, reason, weight=1.0 if hung else DEATH)

    def is_suspect(self, number: int) -> bool:
        """Whether a piece is tried alone."""
        return number in self._suspects or number in self._workers

    def is_for(self, worker: str, number: int, workers: Iterable[str]) -> bool:
        """Whether a worker may try a piece: one that has failed with it leaves it to the others, if there are any."""
        failed = self._workers.get(number, ())
        return worker not in failed or all(other in failed for other in workers)

    def give_up_rest(self, numbers: Iterable[int]) -> None:
        """Give up what lies behind the end of the game, or all if nothing succeeds any more."""
        if self._end is not None:
            first, reason = self._end
            self.given_up |= {number: reason for number in numbers if number > first}
        elif self._in_a_row >= MOST_IN_A_ROW:
            self.given_up |= dict.fromkeys(
                numbers, f"it was not tried, since {self._in_a_row} before it failed in a row"
            )

    def _is_beyond(self, number: int) -> bool:
        return self._end is not None and number >= self._end[0]
