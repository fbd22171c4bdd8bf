"""What is remembered of an access: where it was, and to whom a write has been made available and visible."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from renderwright.render.sync.oracle.clocks import BARRIERS, Clock, key
from renderwright.render.sync.oracle.findings import Site
from renderwright.render.sync.oracle.names import bits

if TYPE_CHECKING:
    from renderwright.render.sync.oracle.places import Place


Interval = tuple[str, int, int]
"""A heap and the bytes [start, end) of it."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The memory that a barrier is about: some places, and the bytes of a resource when it takes in all of that.

    The bytes count between aliases only. What goes through one resource needs a barrier that names that resource or
    all memory: the access scopes of a barrier are limited to accesses through the range that it names.
    """

    places: frozenset[int]
    interval: Interval | None

    def covers(self, written: Place, wanted: Place) -> bool:
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


@dataclass(slots=True, eq=False)
class Record:
    """An access at a place. ``change`` is the barrier of a layout change, which is no stage's access.

    ``stages`` and ``access`` name single stages and accesses. ``rendering`` numbers the rendering of attachment
    accesses, which are ordered among themselves.
    """

    site: Site
    sequence: int
    queue: int
    position: int
    stages: int
    access: int
    place: Place
    writes: bool
    rendering: int = 0
    change: Grant | None = None
    available: list[Grant] = field(default_factory=list)
    visible: list[Grant] = field(default_factory=list)

    def precedes(self, clock: Clock) -> bool:
        """Whether it is finished before the clock's owner goes on."""
        if self.change is not None:
            return self.change.precedes(clock)
        position = self.position
        return all(clock.get(key(self.queue, bit), 0) > position for bit in bits(self.stages))

    def make_available(self, grant: Grant) -> None:
        """Remember that the write is available after the grant's dependency."""
        if not any(known.includes(grant) for known in self.available):
            self.available.append(grant)

    def make_visible(self, grant: Grant) -> None:
        """Remember that the write is visible to what the grant says."""
        if not any(known.includes(grant) for known in self.visible):
            self.visible.append(grant)

    def is_available(self, clock: Clock, wanted: Place) -> bool:
        """Whether what the two places share was made available before the clock's owner goes on."""
        return any(
            grant.precedes(clock) and (grant.scope is None or grant.scope.covers(self.place, wanted))
            for grant in self.available
        )

    def seen_by(self, queue: int, bit: int, wanted: Place) -> int:
        """The accesses of a stage of the queue that see the write at a place."""
        access = 0
        for grant in self.visible:
            if (
                grant.queue == queue
                and grant.stages >> bit & 1
                and (grant.scope is None or grant.scope.covers(self.place, wanted))
            ):
                access |= grant.access
        return access
