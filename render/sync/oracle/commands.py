"""Executes the commands of command buffers on a queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.render.sync.oracle.clocks import Clock, Order, merge
from renderwright.render.sync.oracle.contents import Contents
from renderwright.render.sync.oracle.events import Events
from renderwright.render.sync.oracle.findings import Finding, Kind, Site
from renderwright.render.sync.oracle.ledger import Applied, Ledger, Report
from renderwright.render.sync.oracle.names import ALL_COMMANDS, HOST, split
from renderwright.render.sync.oracle.places import Places, Release
from renderwright.render.sync.oracle.rendering import Rendering, Touch, begin, draw, end
from renderwright.render.sync.oracle.stream import (
    Barrier,
    BeginRendering,
    Command,
    Dependency,
    EndRendering,
    Label,
    ResetEvent,
    SetEvent,
    WaitEvents,
    Work,
)
from renderwright.render.sync.oracle.supported import supporting, unsupported

_FOREIGN_FAMILIES = frozenset({0xFFFF_FFFE, 0xFFFF_FFFD})
"""VK_QUEUE_FAMILY_EXTERNAL and VK_QUEUE_FAMILY_FOREIGN_EXT: owners outside of the device."""


@dataclass
class QueueState:
    """A queue and the number of commands executed on it."""

    number: int
    name: str
    family: int
    position: int = 0


class Commands:
    """Executes commands one after the other."""

    def __init__(
        self,
        order: Order,
        places: Places,
        ledger: Ledger,
        contents: Contents,
        report: Report,
        families: frozenset[int],
    ) -> None:
        self._order = order
        self._places = places
        self._ledger = ledger
        self._contents = contents
        self._report = report
        self._families = families | _FOREIGN_FAMILIES
        self.events = Events(order, report)
        self._renderings = 0
        self.count = 0
        self.accesses = 0

    def run(self, queue: QueueState, commands: Sequence[Command], frame: int) -> None:
        """Execute the commands of one command buffer."""
        labels: list[str] = []
        rendering: Rendering | None = None
        for command in commands:
            if isinstance(command, Label):
                if command.name:
                    labels.append(command.name)
                elif labels:
                    labels.pop()
                continue
            self.count += 1
            queue.position += 1
            name = command.name if isinstance(command, Work) else _NAMES[type(command)]
            site = Site(self.count, command.line, name, "/".join(labels), queue.name, frame)
            match command:
                case Work():
                    for access in command.accesses:
                        self._supported(site, access.stages & ~HOST, access.access, access.resource)
                        self._touch(site, queue, Touch(access))
                    if command.draws:
                        self._render(site, queue, draw(rendering, command), rendering)
                        if rendering is None:
                            self._misuse(site, "a draw outside of rendering")
                case BeginRendering():
                    if rendering is not None:
                        self._misuse(site, "rendering begins inside rendering")
                    self._renderings += 1
                    rendering = Rendering(self._renderings, command.attachments)
                    self._render(site, queue, begin(rendering), rendering)
                case EndRendering():
                    if rendering is None:
                        self._misuse(site, "rendering ends that has not begun")
                    self._render(site, queue, end(rendering), rendering)
                    rendering = None
                case Barrier():
                    if rendering is not None:
                        self._misuse(site, "a barrier inside rendering")
                    self._barrier(site, queue, command.dependencies)
                case SetEvent():
                    self._scopes(site, command.dependencies)
                    self.events.set(site, queue.number, queue.position, command)
                case ResetEvent():
                    self.events.reset(site, queue.number, queue.position, command)
                case WaitEvents():
                    self._wait(site, queue, command)
        if rendering is not None:
            self._misuse(site, "rendering does not end in its command buffer")

    def _render(self, site: Site, queue: QueueState, touches: Sequence[Touch], rendering: Rendering | None) -> None:
        for touch in touches:
            self._touch(site, queue, touch, rendering.number if rendering is not None else 0)

    def _touch(self, site: Site, queue: QueueState, touch: Touch, rendering: int = 0) -> None:
        access = touch.access
        resource = self._places.resources[access.resource]
        for place in resource.find(access.range):
            self.accesses += 1
            if access.access:
                self._contents.use(site, place, queue.family, access.access, access.layout)
                self._ledger.touch(site, queue.number, queue.position, place, access.stages, access.access, rendering)
            if touch.discards:
                self._contents.discard(site, place)

    # dependencies ---------------------------------------------------------------------------------------------------

    def _barrier(self, site: Site, queue: QueueState, dependencies: Sequence[Dependency]) -> None:
        self._scopes(site, dependencies)
        clocks = [self._before(queue, one, queue.position) for one in dependencies]
        self._complete(site, queue, dependencies, clocks, queue.position)

    def _wait(self, site: Site, queue: QueueState, command: WaitEvents) -> None:
        for half in self.events.wait(site, queue.number, queue.position, command):
            self._complete(site, queue, half.dependencies, half.clocks, half.position)

    def _scopes(self, site: Site, dependencies: Sequence[Dependency]) -> None:
        """Check the masks and families of dependencies, which are wrong whatever they order."""
        for one in dependencies:
            self._supported(site, one.src_stages, one.src_access, one.resource)
            self._supported(site, one.dst_stages, one.dst_access, one.resource)
            for family in one.families or ():
                if family not in self._families:
                    message = f"a transfer between families {one.families}, but no queue has family {family}"
                    remedy = "the families of the two queues"
                    self._report(Finding(Kind.MISSING_OWNERSHIP, message, site, None, one.resource, remedy=remedy))

    def _supported(self, site: Site, stages: int, access: int, resource: str) -> None:
        problem = unsupported(stages, access)
        if problem:
            remedy = f"stages among {supporting(access)}"
            self._report(Finding(Kind.UNSUPPORTED_ACCESS, problem, site, None, resource, remedy=remedy))

    def _before(self, queue: QueueState, dependency: Dependency, position: int) -> Clock:
        clock = self._order.before(queue.number, dependency.src_stages, position)
        if _acquires(dependency, queue) and not split(dependency.src_stages, source=True):
            # An acquire without source stages is ordered by a semaphore wait at its destination stages.
            merge(clock, self._order.before(queue.number, dependency.dst_stages or ALL_COMMANDS, position))
        return clock

    def _complete(
        self,
        site: Site,
        queue: QueueState,
        dependencies: Sequence[Dependency],
        clocks: Sequence[Clock],
        until: int,
    ) -> None:
        """The second half of a barrier; its structs do not see each other's effects."""
        applied = []
        for dependency, clock in zip(dependencies, clocks, strict=True):
            source = split(dependency.src_stages, source=True)
            held = dependency
            if _releases(dependency, queue):
                held = _without_target(dependency)
            applied.append(self._ledger.depend(queue.number, queue.position, held, clock, source, until))
        for dependency, clock, done in zip(dependencies, clocks, applied, strict=True):
            if dependency.resource:
                self._transition(site, queue, dependency, clock, done, until)
        for dependency, clock in zip(dependencies, clocks, strict=True):
            self._order.after(queue.number, dependency.dst_stages, clock)

    def _transition(
        self, site: Site, queue: QueueState, dependency: Dependency, clock: Clock, applied: Applied, until: int
    ) -> None:
        releases, acquires = _releases(dependency, queue), _acquires(dependency, queue)
        changes = dependency.old != dependency.new and not releases
        if dependency.families is not None and not (releases or acquires):
            message = f"a transfer between families {dependency.families} on a queue of family {queue.family}"
            self._report(Finding(Kind.MISSING_OWNERSHIP, message, site, None, dependency.resource))
        for place in self._places.resources[dependency.resource].find(dependency.range):
            if releases:
                assert dependency.families is not None
                self._contents.releases(site, place, queue.family)
                record = self._ledger.release(site, queue.number, queue.position, place, clock, applied)
                layouts = (dependency.old, dependency.new)
                place.release = Release(site, dependency.families, layouts, record)
                continue
            if acquires:
                release = place.release
                if self._contents.take(site, place, dependency) and release is not None:
                    self._after_release(site, release, clock, dependency)
            if changes:
                self._contents.change(site, place, queue.family, dependency)
            if changes or acquires:
                self._ledger.change(site, queue.number, queue.position, place, clock, applied, until)

    def _after_release(self, site: Site, release: Release, clock: Clock, dependency: Dependency) -> None:
        if not release.record.precedes(clock):
            message = "the acquire is not ordered after the release"
            remedy = "a semaphore that is signalled after the release and waited for at the acquire's stages"
            self._report(
                Finding(Kind.MISSING_OWNERSHIP, message, site, release.site, dependency.resource, remedy=remedy)
            )

    def _misuse(self, site: Site, message: str) -> None:
        self._report(Finding(Kind.RENDERING_MISUSE, message, site))


def _releases(dependency: Dependency, queue: QueueState) -> bool:
    families = dependency.families
    return families is not None and families[0] != families[1] and queue.family == families[0]


def _acquires(dependency: Dependency, queue: QueueState) -> bool:
    families = dependency.families
    return families is not None and families[0] != families[1] and queue.family == families[1]


def _without_target(dependency: Dependency) -> Dependency:
    """The dependency without a destination scope: a release makes nothing visible."""
    return Dependency(
        dependency.src_stages,
        dependency.src_access,
        dependency.dst_stages,
        0,
        dependency.resource,
        dependency.range,
        dependency.old,
        dependency.new,
        dependency.families,
    )


_NAMES = {
    Barrier: "barrier",
    SetEvent: "set event",
    WaitEvents: "wait for events",
    ResetEvent: "reset event",
    BeginRendering: "begin rendering",
    EndRendering: "end rendering",
}
