"""Submissions: queues, which run when their waits are satisfied, the host, and the display.

The stream is in host call order. A batch runs as soon as all of its waits are signalled; the batches of one queue run
in order. The order of independent batches does not matter, because only clocks are compared.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from renderwright.render.sync.oracle.clocks import BARRIERS, DISPLAY, Clock, Order, key, merge
from renderwright.render.sync.oracle.commands import Commands, QueueState
from renderwright.render.sync.oracle.contents import Contents
from renderwright.render.sync.oracle.findings import Finding, Kind, Site
from renderwright.render.sync.oracle.grants import Grant
from renderwright.render.sync.oracle.ledger import Ledger, Report
from renderwright.render.sync.oracle.lifetimes import Lifetimes
from renderwright.render.sync.oracle.names import (
    ACCESSES,
    ALL_ACCESSES,
    ALL_COMMANDS,
    HOST,
    STAGES,
    destination_scope_stages,
    split,
)
from renderwright.render.sync.oracle.places import Content, Places
from renderwright.render.sync.oracle.semaphores import SemaphoreState, Signal, describe
from renderwright.render.sync.oracle.stream import (
    Acquire,
    Command,
    HostAccess,
    HostResetEvent,
    HostSignal,
    HostWait,
    Item,
    Present,
    Semaphore,
    Submit,
    Wait,
    Work,
)

_HOST_BIT = HOST.bit_length() - 1
_BOTTOM = STAGES["BOTTOM_OF_PIPE"]


@dataclass
class _Batch:
    """A batch of a queue: waits, then ``work``, then signals."""

    site: Site
    waits: Sequence[Wait]
    signals: Sequence[Wait]
    work: Callable[[QueueState, Sequence[Signal]], None]
    host: Clock
    uses: frozenset[str] = frozenset()


class Submissions:
    """Queues, semaphores, host and display."""

    def __init__(
        self,
        queues: Sequence[QueueState],
        order: Order,
        places: Places,
        ledger: Ledger,
        contents: Contents,
        commands: Commands,
        report: Report,
    ) -> None:
        self._queues = {queue.name: queue for queue in queues}
        self._host = QueueState(len(queues), "", -1)
        self._displays: dict[str, QueueState] = {}
        self._order = order
        self._places = places
        self._ledger = ledger
        self._contents = contents
        self._commands = commands
        self._report = report
        self._semaphores: dict[str, SemaphoreState] = {}
        self._pending: dict[str, deque[_Batch]] = {queue.name: deque() for queue in queues}
        self._buffers: dict[str, list[Command]] = {}
        self._lifetimes = Lifetimes({queue.name: queue.number for queue in queues}, report)
        self._seen: Clock = {}
        self.frame = -1
        self.batches = 0

    # recording ------------------------------------------------------------------------------------------------------

    def begin(self, line: int, name: str) -> list[Command]:
        """Begin the recording of a command buffer."""
        self._lifetimes.begin(self._site(line, "begin recording"), name, self._seen)
        self._buffers[name] = []
        return self._buffers[name]

    def record(self, command: Command) -> None:
        """Append a command to its buffer."""
        name = command.name if isinstance(command, Work) else "recording"
        self._lifetimes.record(Site(self._commands.count, command.line, name), command.buffer, command)
        self._buffers[command.buffer].append(command)

    def destroy(self, line: int, name: str) -> None:
        """Destroy an object, which the device must no longer use."""
        site = self._site(line, "destroy")
        if not self._lifetimes.destroy(site, name):
            return
        idle = self._lifetimes.idle(site, name, "it is destroyed", self._seen)
        resource = self._places.resources.get(name)
        if resource is None:
            return
        for record in self._ledger.unfinished(resource.places, self._seen) if idle else ():
            if resource.display and record.queue == self._display(name).number:
                continue
            message, remedy = "it is destroyed while the device may use it", "wait on the host for its last use"
            self._report(Finding(Kind.STILL_IN_USE, message, site, record.site, name, record.place.text, remedy))
            break
        self._places.release(name)

    def use(self, item: Item) -> None:
        """Check that the objects which an item names are alive."""
        words = re.sub("(?<=[a-z])(?=[A-Z])", " ", type(item).__name__).lower()
        self._lifetimes.use(Site(self._commands.count + 1, item.line, words, frame=self.frame), item)

    # queues ---------------------------------------------------------------------------------------------------------

    def semaphore(self, item: Semaphore) -> None:
        """Add a semaphore."""
        self._lifetimes.add(item.id, "semaphore")
        self._semaphores[item.id] = SemaphoreState(item)

    def submit(self, item: Submit) -> None:
        """Append a batch to its queue."""
        buffers = [self._buffers[name] for name in item.buffers]

        def work(queue: QueueState, _: Sequence[Signal]) -> None:
            for commands in buffers:
                self._commands.run(queue, commands, frame)

        frame = self.frame
        uses = self._lifetimes.objects_of(item)
        self._enqueue(item.queue, item.line, "submit", item.waits, item.signals, work, uses)

    def present(self, item: Present) -> None:
        """Present an image after the semaphores."""
        waits = [Wait(name, 0, 0) for name in item.waits]
        site = self._site(item.line, "present", item.queue)

        def work(queue: QueueState, signals: Sequence[Signal]) -> None:
            self._show(site, item.image, signals)

        self._enqueue(item.queue, item.line, "present", waits, (), work, self._lifetimes.objects_of(item))

    def _enqueue(
        self,
        queue: str,
        line: int,
        name: str,
        waits: Sequence[Wait],
        signals: Sequence[Wait],
        work: Callable[[QueueState, Sequence[Signal]], None],
        uses: frozenset[str],
    ) -> None:
        self._lifetimes.submitted(uses)
        self._host.position += 1
        host = dict(self._known())
        host[key(self._host.number, _HOST_BIT)] = self._host.position
        self._pending[queue].append(_Batch(self._site(line, name, queue), waits, signals, work, host, uses))
        self._pump()

    def _pump(self) -> None:
        """Run all batches whose waits are satisfied."""
        moved = True
        while moved:
            moved = False
            for name, batches in self._pending.items():
                while batches and all(self._semaphores[w.semaphore].ready(w.value) for w in batches[0].waits):
                    self._run(self._queues[name], batches.popleft())
                    moved = True

    def _run(self, queue: QueueState, batch: _Batch) -> None:
        self.batches += 1
        queue.position += 1
        number, position = queue.number, queue.position
        self._order.submitted(number, position, batch.host)
        self._ledger.submitted(number, position, batch.host)
        signals = []
        for wait in batch.waits:
            signal = self._semaphores[wait.semaphore].wait(wait.value)
            if signal is None:
                continue
            signals.append(signal)
            if not wait.stages:
                continue  # a presentation holds nothing else on its queue
            grant = Grant(
                number,
                position,
                destination_scope_stages(wait.stages),
                split(wait.stages, source=False),
                ALL_ACCESSES,
                None,
            )
            self._ledger.signalled(signal.queue, signal.position, signal.stages, signal.clock, grant)
            self._order.after(number, wait.stages, signal.clock)
        batch.work(queue, signals)
        queue.position += 1
        for asked in batch.signals:
            clock = self._order.before(number, asked.stages, queue.position)
            if asked.stages & (ALL_COMMANDS | _BOTTOM):
                clock[key(number, BARRIERS)] = queue.position
            done = Signal(batch.site, number, queue.position, asked.stages, clock)
            self._semaphores[asked.semaphore].signal(asked.value, done, self._report)
        self._lifetimes.executed(batch.uses, queue.name, queue.position)

    def finish(self) -> None:
        """End the stream: remaining waits are never satisfied."""
        left = [batch for batches in self._pending.values() for batch in batches]
        promised = {(signal.semaphore, signal.value) for batch in left for signal in batch.signals}
        for batches in self._pending.values():
            for batch in list(batches)[:1]:
                missing = [w for w in batch.waits if not self._semaphores[w.semaphore].ready(w.value)]
                words = describe([(w.semaphore, w.value) for w in missing])
                if all(self._promised(wait, promised) for wait in missing):
                    message = f"it waits for {words}, which can only come after it"
                    self._report(Finding(Kind.DEADLOCK, message, batch.site, remedy="another order of submissions"))
                else:
                    message = f"it waits for {words}, which nothing signals"
                    self._report(Finding(Kind.NEVER_SIGNALLED, message, batch.site, remedy="a signal of that value"))

    def _promised(self, wait: Wait, promised: set[tuple[str, int]]) -> bool:
        timeline = self._semaphores[wait.semaphore].timeline
        return any(name == wait.semaphore and (value >= wait.value or not timeline) for name, value in promised)

    # host -----------------------------------------------------------------------------------------------------------

    def host_wait(self, item: HostWait) -> None:
        """Order the host after a signal, or after all submissions."""
        site = self._site(item.line, "host wait")
        clock = self._order.at(self._host.number, _HOST_BIT)
        merged: Clock = dict(clock)
        if not item.semaphore:
            if any(self._pending.values()):
                message = "the host waits for submissions that wait for ever"
                self._report(Finding(Kind.NEVER_SIGNALLED, message, site, remedy="signals before it"))
            for queue in self._queues.values():
                merge(merged, self._order.before(queue.number, ALL_COMMANDS, queue.position + 1))
                merged[key(queue.number, BARRIERS)] = queue.position + 1
        else:
            semaphore = self._semaphores[item.semaphore]
            if not semaphore.ready(item.value):
                words = describe([(item.semaphore, item.value)])
                message = f"the host waits for {words}, which nothing submitted before signals"
                self._report(Finding(Kind.NEVER_SIGNALLED, message, site, remedy="a signal of that value before it"))
                return
            signal = semaphore.peek(item.value)
            if signal is not None:
                merge(merged, signal.clock)
        merge(self._seen, merged)
        if not item.polled:
            self._order.after(self._host.number, HOST, merged)

    def host_reset(self, semaphore: str) -> None:
        """Reset a fence by the host."""
        self._semaphores[semaphore].reset()

    def host_reset_event(self, item: HostResetEvent) -> None:
        """Reset an event by the host."""
        self._commands.events.host_reset(self._site(item.line, "host reset"), item.event, self._seen)

    def host_signal(self, item: HostSignal) -> None:
        """Signal a timeline by the host."""
        self._host.position += 1
        site = self._site(item.line, "host signal")
        clock = dict(self._known())
        clock[key(self._host.number, _HOST_BIT)] = self._host.position
        signal = Signal(site, self._host.number, self._host.position, 0, clock)
        self._semaphores[item.semaphore].signal(item.value, signal, self._report)
        self._pump()

    def host_access(self, item: HostAccess) -> None:
        """Read or write memory by the host."""
        self._host.position += 1
        site = self._site(item.line, "host write" if item.write else "host read")
        access = ACCESSES["HOST_WRITE" if item.write else "HOST_READ"]
        for place in self._places.resources[item.resource].find(item.range):
            self._contents.use(site, place, None, access, place.layout)
            self._ledger.touch(site, self._host.number, self._host.position, place, HOST, access)

    # display --------------------------------------------------------------------------------------------------------

    def acquire(self, item: Acquire) -> None:
        """Acquire an image after the display has read it."""
        display = self._display(item.image)
        display.position += 1
        site = self._site(item.line, "acquire")
        resource = self._places.resources[item.image]
        if resource.acquired:
            message = "it is acquired, but the display does not have it"
            self._report(Finding(Kind.PRESENT_MISUSE, message, site, resource=item.image, remedy="present it first"))
        resource.acquired = True
        for place in resource.places:
            self._ledger.let_go(site, display.number, display.position, place)
        clock = {key(display.number, BARRIERS): display.position + 1}
        signal = Signal(site, display.number, display.position, 0, clock)
        self._semaphores[item.semaphore].signal(0, signal, self._report)
        self._pump()

    def _show(self, site: Site, image: str, signals: Sequence[Signal]) -> None:
        display = self._display(image)
        display.position += 1
        position = display.position
        resource = self._places.resources[image]
        if not resource.acquired or not resource.display:
            message = "it is presented without having been acquired"
            self._report(Finding(Kind.PRESENT_MISUSE, message, site, resource=image, remedy="acquire it first"))
        resource.acquired = False
        clock: Clock = {key(display.number, DISPLAY): position + 1}
        for signal in signals:
            grant = Grant(display.number, position, 1 << DISPLAY, 0, ALL_ACCESSES, None)
            self._ledger.signalled(signal.queue, signal.position, signal.stages, signal.clock, grant)
            merge(clock, signal.clock)
        for place in resource.places:
            if place.layout != "PRESENT_SRC_KHR":
                message = f"it is presented in {place.layout}"
                remedy = f"a layout change {place.layout} -> PRESENT_SRC_KHR"
                self._report(Finding(Kind.WRONG_LAYOUT, message, site, None, image, place.text, remedy))
            if place.content is not Content.DEFINED:
                self._contents.undefined(site, place, "is shown")
            place.owner = None
            self._ledger.shown(site, display.number, position, place, clock)

    def _display(self, image: str) -> QueueState:
        """The display as a queue: one for each image, because images are released in any order."""
        if image not in self._displays:
            self._displays[image] = QueueState(self._host.number + 1 + len(self._displays), "the display", -1)
        return self._displays[image]

    def _known(self) -> Clock:
        """The host's clock."""
        return self._order.at(self._host.number, _HOST_BIT)

    def _site(self, line: int, name: str, queue: str = "") -> Site:
        self._commands.count += 1
        return Site(self._commands.count, line, name, "", queue, self.frame)
