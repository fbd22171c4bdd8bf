"""A ring of staging memory: what is written at its head is free again when the device has read it at its tail."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple


class Span(NamedTuple):
    """Bytes of the ring."""

    start: int
    size: int


class StagingRing:
    """Hands out the bytes of a block of memory in turn.

    Bytes are taken, then marked with the value that a timeline will reach when they have been read. Nothing is handed
    out twice before that: whoever is a whole ring ahead gets nothing.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        # Positions grow for good; modulo the size they are places.
        self._head = 0
        self._tail = 0
        self._marks: deque[tuple[int, int]] = deque()

    @property
    def free(self) -> int:
        """Bytes that nobody has."""
        return self.size - (self._head - self._tail)

    def take(self, least: int, most: int, alignment: int = 16) -> Span | None:
        """From ``least`` to ``most`` bytes in one piece, a multiple of ``least``; None if there are not so many."""
        if self._head == self._tail:
            # Nobody has anything, so all of it can be had in one piece.
            self._head = self._tail = -(-self._head // self.size) * self.size
        head = -(-self._head // alignment) * alignment
        place = head % self.size
        if self.size - place < least:
            head += self.size - place
            place = 0
        room = min(self.size - place, self.size - (head - self._tail), most)
        if room < least:
            return None
        span = Span(place, room - room % least)
        self._head = head + span.size
        return span

    def mark(self, value: int) -> None:
        """What was taken so far has been read when the timeline reaches the value."""
        self._marks.append((value, self._head))

    def reached(self, value: int) -> None:
        """The timeline has come so far."""
        while self._marks and self._marks[0][0] <= value:
            self._tail = self._marks.popleft()[1]

    @property
    def position(self) -> int:
        """Where the next bytes are taken, for ``rewind``."""
        return self._head

    def rewind(self, position: int) -> None:
        """Give back what was taken since and not marked."""
        self._head = max(position, self._tail)
