"""The oracle: checks a stream against Vulkan's synchronisation rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from renderwright.render.sync.oracle.clocks import Order
from renderwright.render.sync.oracle.commands import Commands, QueueState
from renderwright.render.sync.oracle.contents import Contents
from renderwright.render.sync.oracle.findings import Finding, Kind, Site
from renderwright.render.sync.oracle.ledger import Ledger
from renderwright.render.sync.oracle.places import Places
from renderwright.render.sync.oracle.stream import (
    Acquire,
    Begin,
    Buffer,
    Destroy,
    Frame,
    HostAccess,
    HostReset,
    HostResetEvent,
    HostSignal,
    HostWait,
    Image,
    Item,
    Present,
    Semaphore,
    Stream,
    Submit,
)
from renderwright.render.sync.oracle.submissions import Submissions


@dataclass(frozen=True)
class Report:
    """The oracle's verdict: its findings in execution order, and counts of what it has checked.

    ``repeated`` counts findings that repeat a listed one in another frame.
    """

    findings: tuple[Finding, ...]
    repeated: int
    submissions: int
    commands: int
    accesses: int

    def __str__(self) -> str:
        seen = f"{self.submissions} submissions, {self.commands} commands, {self.accesses} accesses"
        if not self.findings:
            return f"clean: {seen}"
        kinds = Counter(finding.kind for finding in self.findings)
        words = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        again = f" (and {self.repeated} repeated)" if self.repeated else ""
        return f"{len(self.findings)} findings{again} in {seen}: {words}"


def check(stream: Stream) -> Report:
    """The report on a stream. The stream must be well formed, as the reader ensures."""
    return _Run(stream).report()


class _Findings:
    """Collects distinct findings, because frames repeat."""

    def __init__(self) -> None:
        self.kept: list[Finding] = []
        self.repeated = 0
        self._known: set[tuple[object, ...]] = set()

    def add(self, finding: Finding) -> None:
        sites = tuple(_place(site) for site in (finding.at, finding.before))
        known = (finding.kind, sites, finding.resource, finding.part)
        if known in self._known:
            self.repeated += 1
            return
        self._known.add(known)
        self.kept.append(finding)


def _place(site: Site | None) -> tuple[str, str, str] | None:
    return (site.name, site.node, site.queue) if site is not None and site.node else (str(site), "", "")


class _Run:
    def __init__(self, stream: Stream) -> None:
        queues = [QueueState(number, queue.name, queue.family) for number, queue in enumerate(stream.queues)]
        names = (*(queue.name for queue in queues), "the host")
        self._stream = stream
        self._findings = _Findings()
        add = self._findings.add
        order = Order(len(names))
        self._places = Places(stream)
        ledger = Ledger(order, self._places, len(queues), names, add)
        contents = Contents(add)
        families = frozenset(queue.family for queue in queues)
        self._commands = Commands(order, self._places, ledger, contents, add, families)
        self._submissions = Submissions(queues, order, self._places, ledger, contents, self._commands, add)

    def report(self) -> Report:
        for item in self._stream.items:
            self._item(item)
        self._submissions.finish()
        return Report(
            tuple(self._findings.kept),
            self._findings.repeated,
            self._submissions.batches,
            self._commands.count,
            self._commands.accesses,
        )

    def _item(self, item: Item) -> None:
        submissions = self._submissions
        if isinstance(item, _USES):
            submissions.use(item)
        match item:
            case Image() | Buffer():
                self._places.add(item)
            case Semaphore():
                submissions.semaphore(item)
            case Destroy():
                submissions.destroy(item.line, item.id)
            case Frame():
                submissions.frame = item.number
            case Begin():
                submissions.begin(item.line, item.buffer)
            case Submit():
                submissions.submit(item)
            case Present():
                submissions.present(item)
            case Acquire():
                submissions.acquire(item)
            case HostWait():
                submissions.host_wait(item)
            case HostReset():
                submissions.host_reset(item.semaphore)
            case HostResetEvent():
                submissions.host_reset_event(item)
            case HostSignal():
                submissions.host_signal(item)
            case HostAccess():
                submissions.host_access(item)
            case _:
                submissions.record(item)


_USES = (Submit, Present, Acquire, HostWait, HostReset, HostSignal, HostAccess)
"""Items that use objects when they are issued; recorded commands use theirs when they are submitted."""

__all__ = ["Kind", "Report", "check"]
