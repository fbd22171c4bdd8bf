"""The lifetimes of objects: no use after destruction, no destruction or new recording while a submission needs them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from renderwright.render.sync.oracle.clocks import BARRIERS, Clock, key
from renderwright.render.sync.oracle.findings import Finding, Kind, Site
from renderwright.render.sync.oracle.ledger import Report
from renderwright.render.sync.oracle.places import parts_of
from renderwright.render.sync.oracle.stream import (
    Acquire,
    HostReset,
    HostSignal,
    HostWait,
    Item,
    Present,
    Submit,
)

_WAIT = "wait on the host for its semaphore first"


class Lifetimes:
    """Knows what is destroyed, and what the submissions use. An id names one object of the whole stream."""

    def __init__(self, queues: Mapping[str, int], report: Report) -> None:
        self._queues = queues
        self._report = report
        self._kinds: dict[str, str] = {}
        self._destroyed: dict[str, Site] = {}
        self._recorded: dict[str, dict[str, int]] = {}
        self._waiting: Counter[str] = Counter()
        self._last_use: dict[str, tuple[str, int]] = {}

    def add(self, name: str, kind: str) -> None:
        """Add a semaphore or command buffer; ``kind`` is the word for messages."""
        self._kinds[name] = kind

    def begin(self, site: Site, buffer: str, seen: Clock) -> None:
        """Begin the recording of a command buffer; ``seen`` is what the host knows to have finished."""
        self._used(site, buffer, "it is recorded anew")
        if buffer not in self._destroyed:
            self.idle(site, buffer, "it is recorded anew", seen)
        self.add(buffer, "command buffer")
        self._recorded[buffer] = {}

    def record(self, site: Site, buffer: str, item: Item) -> None:
        """Record a command, which must refer to objects that are alive."""
        resources = self._recorded[buffer]
        for name, _ in parts_of(item):
            if name and name not in resources and not self._used(site, name, "a command that uses it is recorded"):
                resources[name] = site.line

    def use(self, site: Site, item: Item) -> None:
        """Check the objects that an item of the host or of a queue names, and those that submitted commands use."""
        for name in _named(item):
            self._used(site, name, "it is used")
        if not isinstance(item, Submit):
            return
        for buffer in item.buffers:
            for name, line in self._recorded[buffer].items():
                self._used(site, name, f'command buffer "{buffer}", which uses it in line {line}, is submitted')

    def _used(self, site: Site, name: str, how: str) -> bool:
        """Whether the object is destroyed, which is reported."""
        destroyed = self._destroyed.get(name)
        if destroyed is None:
            return False
        message = f"{how} after its destruction"
        self._report(Finding(Kind.DESTROYED, message, site, destroyed, name, remedy="destroy it after its last use"))
        return True

    # submissions ----------------------------------------------------------------------------------------------------

    def objects_of(self, item: Submit | Present) -> frozenset[str]:
        """The objects that must outlive a submission or presentation."""
        names = set(_named(item))
        for buffer in item.buffers if isinstance(item, Submit) else ():
            names.update(self._recorded[buffer])
        return frozenset(names)

    def submitted(self, names: Iterable[str]) -> None:
        """Note objects of a batch that is submitted."""
        self._waiting.update(names)

    def executed(self, names: Iterable[str], queue: str, position: int) -> None:
        """Note objects of a batch that is executed; its end is at that position of the queue."""
        self._waiting.subtract(names)
        for name in names:
            if name in self._kinds:
                self._last_use[name] = queue, position

    def destroy(self, site: Site, name: str) -> bool:
        """Destroy an object. Whether it was alive."""
        if self._used(site, name, "it is destroyed again"):
            return False
        self._destroyed[name] = site
        return True

    def idle(self, site: Site, name: str, what: str, seen: Clock) -> bool:
        """Whether the host knows that no submission needs the object; reported if not.

        The last use of a resource is not judged here: the ledger knows its commands.
        """
        if self._waiting[name]:
            self._in_use(site, name, f"{what} while a submission that uses it waits to be executed")
            return False
        if name in self._last_use:
            queue, position = self._last_use[name]
            if seen.get(key(self._queues[queue], BARRIERS), 0) < position:
                self._in_use(site, name, f"{what}, but the host has not waited for its last submission")
                return False
        return True

    def _in_use(self, site: Site, name: str, message: str) -> None:
        text = f'{self._kinds.get(name, "resource")} "{name}": {message}'
        self._report(Finding(Kind.STILL_IN_USE, text, site, remedy=_WAIT))


def _named(item: Item) -> Iterator[str]:
    """The objects that an item names itself, without those of recorded commands."""
    match item:
        case Submit():
            yield from item.buffers
            yield from (one.semaphore for one in (*item.waits, *item.signals))
        case Present():
            yield item.image
            yield from item.waits
        case Acquire():
            yield item.image
            yield item.semaphore
        case HostWait() if item.semaphore:
            yield item.semaphore
        case HostSignal() | HostReset():
            yield item.semaphore
        case _:
            yield from (name for name, _ in parts_of(item))
