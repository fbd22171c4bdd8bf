"""Split barriers: the dependencies from an event's set to its wait, and the rules of its reuse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from renderwright.render.sync.oracle.clocks import EVENTS, Clock, Order, key, merge
from renderwright.render.sync.oracle.findings import Finding, Kind, Site
from renderwright.render.sync.oracle.grants import Grant
from renderwright.render.sync.oracle.ledger import Report
from renderwright.render.sync.oracle.names import destination_scope_stages
from renderwright.render.sync.oracle.stream import Dependency, ResetEvent, SetEvent, WaitEvents


@dataclass(frozen=True)
class Half:
    """The first half of a split barrier: the clock of each dependency, which covers commands before ``position``."""

    site: Site
    queue: int
    position: int
    dependencies: tuple[Dependency, ...]
    clocks: tuple[Clock, ...]


@dataclass
class _Event:
    """``half`` is not None while the event is set. ``changed`` is the last set or reset; ``waits`` follow the set."""

    half: Half | None = None
    changed: tuple[Site, int, int] | None = None
    waits: list[tuple[Site, Grant]] = field(default_factory=list)


class Events:
    """All events; initially none is set."""

    def __init__(self, order: Order, report: Report) -> None:
        self._order = order
        self._report = report
        self._events: dict[str, _Event] = {}

    def set(self, site: Site, queue: int, position: int, command: SetEvent) -> None:
        """Set an event after the source stages of its dependencies."""
        event = self._events.setdefault(command.event, _Event())
        clocks = tuple(self._order.before(queue, one.src_stages, position) for one in command.dependencies)
        if event.half is not None:
            self._misuse(site, command.event, "it is set already", event.half.site, "a reset between the two")
        elif event.changed is not None:
            self._ordered(site, command.event, event, clocks, "set")
        event.half = Half(site, queue, position, command.dependencies, clocks)
        event.changed = (site, queue, position)
        event.waits = []

    def reset(self, site: Site, queue: int, position: int, command: ResetEvent) -> None:
        """Reset an event after the given stages."""
        event = self._events.setdefault(command.event, _Event())
        clock = self._order.before(queue, command.stages, position)
        if event.half is not None:
            if event.waits:
                for before, grant in event.waits:
                    if not grant.precedes(clock):
                        remedy = "a reset after the destination stages of the wait"
                        self._misuse(site, command.event, "it is reset while it may be waited for", before, remedy)
            else:
                self._ordered(site, command.event, event, (clock,), "reset")
        event.half = None
        event.changed = (site, queue, position)

    def host_reset(self, site: Site, name: str, clock: Clock) -> None:
        """Reset an event by the host, whose clock is given; later submissions come after it."""
        event = self._events.setdefault(name, _Event())
        for before, grant in event.waits:
            if not grant.precedes(clock):
                remedy = "a wait on the host for the submission that waits for it"
                self._misuse(site, name, "the host resets it while it may be waited for", before, remedy)
        event.half, event.changed, event.waits = None, None, []

    def wait(self, site: Site, queue: int, position: int, command: WaitEvents) -> Iterator[Half]:
        """The first halves of the events that a command waits for, with the dependencies of the wait."""
        for name, dependencies in command.events:
            event = self._events.setdefault(name, _Event())
            half = event.half
            if half is None or half.queue != queue:
                elsewhere = "" if half is None else ", only on another queue"
                message = f'the event "{name}" is not set before the wait{elsewhere}'
                self._report(Finding(Kind.NEVER_SIGNALLED, message, site, remedy="set it earlier on the same queue"))
                continue
            held = 0
            for dependency in dependencies:
                held |= destination_scope_stages(dependency.dst_stages)
            event.waits.append((site, Grant(queue, position, held, 0, 0, None)))
            if half.dependencies != dependencies:
                remedy = "the very dependency info that it was set with"
                self._misuse(site, name, "the wait's barriers differ from those of the set", half.site, remedy)
            if len(half.dependencies) == len(dependencies):
                yield Half(half.site, queue, half.position, dependencies, half.clocks)

    def _ordered(self, site: Site, name: str, event: _Event, clocks: tuple[Clock, ...], verb: str) -> None:
        """Sets and resets belong to no stage: only a dependency with ALL_COMMANDS orders them."""
        assert event.changed is not None
        before, queue, position = event.changed
        union: Clock = {}
        for clock in clocks:
            merge(union, clock)
        if union.get(key(queue, EVENTS), 0) <= position:
            message = f"nothing orders that it is {verb} after the last set or reset"
            self._misuse(site, name, message, before, "a barrier from ALL_COMMANDS between the two")

    def _misuse(self, site: Site, name: str, message: str, before: Site, remedy: str) -> None:
        self._report(Finding(Kind.EVENT_MISUSE, f'event "{name}": {message}', site, before, remedy=remedy))
