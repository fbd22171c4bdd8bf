"""Accesses and dependencies in stream order; every conflict is checked against the clocks.

Two accesses conflict if they share memory and one of them writes. The later must be ordered after the earlier, and an
earlier write must be available and visible to it. Accesses before the last write of the same place need no check: that
write was ordered after them, and execution order is transitive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from renderwright.render.sync.oracle.clocks import BARRIERS, SUBMITS, Clock, Order, key
from renderwright.render.sync.oracle.findings import Finding, Kind, Site
from renderwright.render.sync.oracle.grants import Grant
from renderwright.render.sync.oracle.names import (
    ACCESSES,
    ALL_ACCESSES,
    ALL_COMMANDS,
    HOST,
    WRITE_ACCESSES,
    accesses,
    bits,
    destination_scope_stages,
    spell,
    split,
)
from renderwright.render.sync.oracle.places import Place, Places, Record
from renderwright.render.sync.oracle.stream import Dependency

Report = Callable[[Finding], None]

_HOST_BIT = HOST.bit_length() - 1
_DEVICE = split(ALL_COMMANDS, source=False)


@dataclass(frozen=True, slots=True)
class Applied:
    """The grant of a dependency, and the records (by sequence) that it made available itself."""

    grant: Grant
    released: frozenset[int]


class Ledger:
    """The records of all accesses, and the rules for hazards."""

    def __init__(self, order: Order, places: Places, host: int, names: tuple[str, ...], report: Report) -> None:
        self._order = order
        self._places = places
        self._host = host
        self._names = names
        self._report = report
        self._sequence = 0

    # accesses -------------------------------------------------------------------------------------------------------

    def touch(
        self, site: Site, queue: int, position: int, place: Place, stages: int, access: int, rendering: int = 0
    ) -> None:
        """Record one access as the newest of its place; conflicts with earlier accesses are reported."""
        single = split(stages, source=False) if queue != self._host else HOST
        known = accesses(access)
        writes = bool(known & WRITE_ACCESSES)
        record = self._record(site, queue, position, single, known, place, writes)
        record.rendering = rendering
        clocks = [(bit, self._order.at(queue, bit)) for bit in bits(single)]
        for other in _earlier(place, writes):
            if other.queue == queue == self._host:
                continue
            if other.site is site and bool(other.rendering) == bool(rendering):
                continue  # but what a draw's shader touches must not be what it renders to
            if rendering and other.rendering == rendering and other.place is place:
                continue
            self._compare(other, record, clocks)
        self._enter(record)

    def _compare(self, first: Record, then: Record, clocks: list[tuple[int, Clock]]) -> None:
        for bit, clock in clocks:
            if not first.precedes(clock) and not (first.change is not None and first.change.holds(then.queue, bit)):
                self._unordered(first, then)
                return
        if not first.writes:
            return
        for bit, clock in clocks:
            if then.queue == self._host:
                seen = self._seen_by_host(first, then.place, clock)
            else:
                seen = first.seen_by(then.queue, bit, then.place)
            if then.access & ~seen:
                self._unseen(first, then, bit, clock, seen)
                return

    def _seen_by_host(self, first: Record, place: Place, clock: Clock) -> int:
        if first.queue == self._host and first.change is None:
            return ALL_ACCESSES
        seen = 0
        for grant in first.visible:
            finished = clock.get(key(grant.queue, BARRIERS), 0) > grant.position
            if grant.stages & HOST and finished and (grant.scope is None or grant.scope.covers(first.place, place)):
                seen |= grant.access
        return seen

    # dependencies ---------------------------------------------------------------------------------------------------

    def depend(
        self, queue: int, position: int, dependency: Dependency, clock: Clock, source: int, until: int
    ) -> Applied:
        """A barrier or the second half of an event: make writes available and visible, and change layouts.

        The first half waits for ``clock`` and for everything before the position ``until``. ``source`` are the stages
        whose writes it makes available itself.
        """
        scope = None
        places: Iterable[Place] = list(self._places.written.values())
        if dependency.resource:
            resource = self._places.resources[dependency.resource]
            scope = resource.scope(dependency.range)
            places = resource.find(dependency.range)
        grant = Grant(
            queue,
            position,
            destination_scope_stages(dependency.dst_stages),
            split(dependency.dst_stages, source=False),
            accesses(dependency.dst_access),
            scope,
        )
        access = accesses(dependency.src_access)
        released = set()
        for place in places:
            for record in _writes(place) if scope is not None else _own(place):
                direct = (
                    record.queue == queue
                    and record.change is None
                    and record.position < until
                    and not record.stages & ~source
                    and not record.access & WRITE_ACCESSES & ~access
                )
                if direct or self._host_write_direct(record, clock, source, access):
                    released.add(record.sequence)
                    made = grant
                elif record.is_available(clock, place):
                    # This does not hold for the bytes that other places share with the record.
                    made = grant if scope is None or len(scope.places) == 1 else replace(grant, scope=place.scope)
                else:
                    continue
                record.make_available(made)
                record.make_visible(made)
        return Applied(grant, frozenset(released))

    def _host_write_direct(self, record: Record, clock: Clock, source: int, access: int) -> bool:
        return (
            record.queue == self._host
            and bool(source & HOST)
            and bool(access & ACCESSES["HOST_WRITE"])
            and record.precedes(clock)
        )

    def change(
        self, site: Site, queue: int, position: int, place: Place, clock: Clock, applied: Applied, until: int
    ) -> Record:
        """A layout change: a read and write of the place between the halves of its barrier, the first at ``until``."""
        record = self._record(site, queue, position, 0, 0, place, True)
        record.change = applied.grant
        self._precede(record, clock, applied.released, until)
        record.available.append(applied.grant)
        record.visible.append(applied.grant)
        self._enter(record)
        return record

    def release(self, site: Site, queue: int, position: int, place: Place, clock: Clock, applied: Applied) -> Record:
        """Release: the first half of an ownership transfer, which must come after all accesses to the place."""
        record = self._record(site, queue, position, 0, 0, place, True)
        record.change = applied.grant
        self._precede(record, clock, applied.released)
        return record

    def _precede(self, record: Record, clock: Clock, released: frozenset[int] = frozenset(), until: int = 0) -> None:
        """Check a record without a stage against its predecessors; it makes the writes in ``released`` available."""
        for other in _earlier(record.place, True):
            if _earlier_change(other, record, until):
                continue
            if not other.precedes(clock):
                self._unordered(other, record)
            elif other.writes and other.sequence not in released and not other.is_available(clock, record.place):
                message = f"{_what(record)} comes after a write that is not made available"
                self._report(_finding(Kind.NOT_AVAILABLE, message, other, record, self._remedy(other, record)))

    # semaphores and the host ----------------------------------------------------------------------------------------

    def signalled(self, queue: int, position: int, stages: int, clock: Clock, grant: Grant) -> None:
        """A semaphore, signalled by ``queue`` at that position for these stages; the grant's queue waits for it."""
        source = split(stages, source=True)
        for place in self._places.written.values():
            record = place.write
            assert record is not None
            direct = (
                record.queue == queue
                and record.change is None
                and record.position < position
                and not record.stages & ~source
            )
            if direct or record.is_available(clock, place):
                record.make_available(grant)
                record.make_visible(grant)

    def submitted(self, queue: int, position: int, clock: Clock) -> None:
        """A submission makes earlier host writes visible to the device; work that the host has waited for is
        available."""
        grant = Grant(queue, position, _DEVICE | 1 << SUBMITS, _DEVICE, ALL_ACCESSES, None)
        for place in self._places.written.values():
            record = place.write
            if record is None or not record.precedes(clock):
                continue
            record.make_available(grant)
            if record.queue == self._host:
                record.make_visible(grant)

    def shown(self, site: Site, queue: int, position: int, place: Place, clock: Clock) -> None:
        """The display reads a place after the clock."""
        record = self._record(site, queue, position, 0, 0, place, False)
        self._precede(record, clock)
        self._let_go(record, place)

    def let_go(self, site: Site, queue: int, position: int, place: Place) -> None:
        """The display has read a place up to that position of its own queue."""
        self._let_go(self._record(site, queue, position, 0, 0, place, False), place)

    def _let_go(self, record: Record, place: Place) -> None:
        record.change = Grant(record.queue, record.position, 0, 0, 0, None)
        place.newest = record.sequence
        place.reads[key(record.queue, BARRIERS)] = record

    def unfinished(self, places: Iterable[Place], clock: Clock) -> Iterator[Record]:
        """The accesses to places that are not ordered before the clock's owner."""
        for place in places:
            records = [*place.reads.values(), *([place.write] if place.write is not None else [])]
            yield from (record for record in records if not record.precedes(clock))

    # records --------------------------------------------------------------------------------------------------------

    def _record(
        self, site: Site, queue: int, position: int, stages: int, access: int, place: Place, writes: bool
    ) -> Record:
        self._sequence += 1
        return Record(site, self._sequence, queue, position, stages, access, place, writes)

    def _enter(self, record: Record) -> None:
        place = record.place
        place.newest = record.sequence
        if record.writes:
            place.write = record
            place.reads.clear()
            self._places.written[place.number] = place
        else:
            for bit in bits(record.stages):
                place.reads[key(record.queue, bit)] = record

    # words ----------------------------------------------------------------------------------------------------------

    def _unordered(self, first: Record, then: Record) -> None:
        if not first.writes:
            kind = Kind.WRITE_AFTER_READ
        else:
            kind = Kind.WRITE_AFTER_WRITE if then.writes else Kind.READ_AFTER_WRITE
        message = f"nothing makes {_what(then)} wait for {_what(first)}"
        self._report(_finding(kind, message, first, then, self._remedy(first, then)))

    def _unseen(self, first: Record, then: Record, bit: int, clock: Clock, seen: int) -> None:
        missing = spell(then.access & ~seen, access=True)
        if first.is_available(clock, then.place) or any(g.holds(then.queue, bit) for g in first.available):
            kind, message = Kind.NOT_VISIBLE, f"the write is not visible to {missing} in {spell(1 << bit)}"
        else:
            kind, message = Kind.NOT_AVAILABLE, f"the write is never made available before {missing}"
        self._report(_finding(kind, message, first, then, self._remedy(first, then)))

    def _remedy(self, first: Record, then: Record) -> str:
        source = spell(first.change.stages if first.change is not None else first.stages)
        written = spell(first.access & WRITE_ACCESSES, access=True) if first.writes else "NONE"
        if then.stages:
            target = f"{spell(then.stages)} ({spell(then.access, access=True)})"
        else:
            target = "this barrier (its source)"
        barrier = f"{source} ({written}) -> {target}"
        if first.queue != then.queue and first.queue != self._host:
            earlier, later = self._name(first.queue), self._name(then.queue)
            return f"a semaphore from {earlier} to {later} between them, as in {barrier}"
        return f"a barrier {barrier}"

    def _name(self, queue: int) -> str:
        return self._names[queue] if queue < len(self._names) else "the display"


def _earlier(place: Place, writes: bool) -> Iterable[Record]:
    """The earlier accesses that conflict with an access to this place."""
    own = place.write
    base = own.sequence if own is not None else -1
    found = [own] if own is not None else []
    if writes:
        found += _unique(place.reads)
    fresh = [other for other in place.aliases if other.newest > base]
    if not fresh:
        return found
    found += [other.write for other in fresh if other.write is not None and other.write.sequence > base]
    if writes:
        found += [record for other in fresh for record in _unique(other.reads) if record.sequence > base]
    owners = [record for record in found if record.writes and record.place.whole]
    return [record for record in found if not any(_replaces(owner, record, place) for owner in owners)]


def _earlier_change(first: Record, then: Record, until: int) -> bool:
    """Whether ``first`` is an earlier layout change of the same queue. Layout changes of one queue execute in command
    order, and the later sees the writes of the earlier without a barrier ("Image Layout Transitions"). For events the
    position of the set counts."""
    return first.change is not None and first.writes and first.queue == then.queue and first.position < until


def _replaces(owner: Record, record: Record, place: Place) -> bool:
    """Whether a later write covered all memory that an access and a place share, and thus was ordered after it."""
    if owner.sequence <= record.sequence or owner.place is place:
        return False
    taken, before, now = owner.place.interval, record.place.interval, place.interval
    assert taken is not None
    assert before is not None
    assert now is not None
    return taken[1] <= max(before[1], now[1]) and taken[2] >= min(before[2], now[2])


def _unique(reads: dict[int, Record]) -> list[Record]:
    return list(dict.fromkeys(reads.values()))


def _own(place: Place) -> Iterator[Record]:
    if place.write is not None:
        yield place.write


def _writes(place: Place) -> Iterator[Record]:
    return (record for record in _earlier(place, False) if record.writes)


def _what(record: Record) -> str:
    if record.change is not None:
        return "the barrier's layout change" if record.writes else "the display"
    if not record.stages:
        return "the barrier" if record.writes else "the display"
    return f"{spell(record.access, access=True)} in {spell(record.stages)}"


def _finding(kind: Kind, message: str, first: Record, then: Record, remedy: str) -> Finding:
    place = then.place
    if first.place.resource is not place.resource:
        message += f', which goes through "{first.place.resource.id}" in the same memory'
    return Finding(kind, message, then.site, first.site, place.resource.id, place.text, remedy)
