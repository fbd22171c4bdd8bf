"""What a barrier grants: the memory that it is about, what comes after it, and what sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from renderwright.render.sync.oracle.clocks import BARRIERS, Clock, key
from renderwright.render.sync.oracle.names import bits

Interval = tuple[str, int, int]
"""A heap and the bytes [start, end) of it."""


class Located(Protocol):
    """What a scope asks of a place."""

    @property
    def number(self) -> int:
        """The number of the place among all places."""

    @property
    def resource(self) -> object:
        """The resource that it is a part of."""

    @property
    def interval(self) -> Interval | None:
        """Its bytes, None where they are not known."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The memory that a barrier is about: some places, and the bytes of a resource when it takes in all of that.

    The bytes count between aliases only. What goes through one resource needs a barrier that names that resource or
    all memory: the access scopes of a barrier are limited to accesses through the range that it names.
    """

    places: frozenset[int]
    interval: Interval | None

    def covers(self, written: Located, wanted: Located) -> bool:
        """Whether all bytes that the two places share are in it."""
        if wanted.number in self.places or written.number in self.places:
            return True
        if self.interval is None or written.interval is None or wanted.interval is None:
            return False
        if written.resource is wanted.resource:
            return False
        heap, start, end = self.interval
        if heap != written.interval[0]:
            return False
        return start <= max(written.interval[1], wanted.interval[1]) and end >= min(
            written.interval[2], wanted.interval[2]
        )


@dataclass(slots=True)
class Grant:
    """A dependency's second half: from ``position`` on, the ``held`` stages of the queue come after it, and accesses of
    the ``stages`` (a mask) see what it made visible. ``scope`` None is all memory."""

    queue: int
    position: int
    held: int
    stages: int
    access: int
    scope: Scope | None

    def precedes(self, clock: Clock) -> bool:
        """Whether the clock's owner comes after this dependency: through a stage that it holds, or all barriers."""
        position = self.position
        if clock.get(key(self.queue, BARRIERS), 0) > position:
            return True
        return any(clock.get(key(self.queue, bit), 0) > position for bit in bits(self.held))

    def holds(self, queue: int, bit: int) -> bool:
        """Whether that stage of a command issued now comes after this dependency without anything in between."""
        return self.queue == queue and bool(self.held >> bit & 1)

    def includes(self, other: Grant) -> bool:
        """Whether ``other``, which is not older, adds nothing."""
        return (
            self.queue == other.queue
            and not other.held & ~self.held
            and not other.stages & ~self.stages
            and not other.access & ~self.access
            and (self.scope is None or self.scope == other.scope)
        )
