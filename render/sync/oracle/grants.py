"""The effect of a barrier: its memory, the stages ordered after it, and the accesses that see its writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from renderwright.render.sync.oracle.clocks import BARRIERS, Clock, key
from renderwright.render.sync.oracle.names import bits

Interval = tuple[str, int, int]
"""A heap and the bytes [start, end) of it."""


class Located(Protocol):
    """The properties of a place that a scope reads."""

    @property
    def number(self) -> int:
        """The number of the place among all places."""

    @property
    def resource(self) -> object:
        """The resource that it is a part of."""

    @property
    def interval(self) -> Interval | None:
        """Its bytes, None if unknown."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The memory of a barrier: some places, and the bytes of a resource if the barrier covers all of it.

    The bytes count between aliases only. An access through a resource needs a barrier that names that resource or all
    memory, because the access scopes of a barrier are limited to accesses through its range.
    """

    places: frozenset[int]
    interval: Interval | None

    def covers(self, written: Located, wanted: Located) -> bool:
        """Whether the scope contains all bytes that the two places share."""
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
    """The second half of a dependency: from ``position`` on, the ``held`` stages of the queue come after it, and
    accesses of the ``stages`` (a mask) see the writes that it made visible. ``scope`` None is all memory."""

    queue: int
    position: int
    held: int
    stages: int
    access: int
    scope: Scope | None

    def precedes(self, clock: Clock) -> bool:
        """Whether the clock's owner comes after this dependency, through a held stage or through all barriers."""
        position = self.position
        if clock.get(key(self.queue, BARRIERS), 0) > position:
            return True
        return any(clock.get(key(self.queue, bit), 0) > position for bit in bits(self.held))

    def holds(self, queue: int, bit: int) -> bool:
        """Whether that stage of a command issued now comes directly after this dependency."""
        return self.queue == queue and bool(self.held >> bit & 1)

    def includes(self, other: Grant) -> bool:
        """Whether this grant implies ``other``, which is not older."""
        return (
            self.queue == other.queue
            and not other.held & ~self.held
            and not other.stages & ~self.stages
            and not other.access & ~self.access
            and (self.scope is None or self.scope == other.scope)
        )
