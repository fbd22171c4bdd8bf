"""A ring of staging memory: bytes are taken at the head and reused once the device has read them."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple


class Span(NamedTuple):
    """Bytes of the ring."""

    start: int
    size: int


class StagingRing:
    """A ring allocator of bytes.

    Taken bytes are marked with the timeline value at which the device has read them, and are reused only after that.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        # Positions only grow; modulo the size they are offsets.
        self._head = 0
        self._tail = 0
        self._marks: deque[tuple[int, int]] = deque()

    @property
    def free(self) -> int:
        """Free bytes."""
        return self.size - (self._head - self._tail)

    def take(self, least: int, most: int, alignment: int = 16) -> Span | None:
        """From ``least`` to ``most`` contiguous bytes, a multiple of ``least``; None if fewer are free."""
        if self._head == self._tail:
            # The ring is empty: start at offset 0 so that all of it is contiguous.
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
        """Mark all bytes taken so far as read once the timeline reaches the value."""
        self._marks.append((value, self._head))

    def reached(self, value: int) -> None:
        """Free the bytes marked up to ``value``, which the timeline has reached."""
        while self._marks and self._marks[0][0] <= value:
            self._tail = self._marks.popleft()[1]

    @property
    def position(self) -> int:
        """The current head, for ``rewind``."""
        return self._head

    def rewind(self, position: int) -> None:
        """Free the bytes taken since ``position`` that are not marked."""
        self._head = max(position, self._tail)
