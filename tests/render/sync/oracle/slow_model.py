"""The rules for hazards once more, as plainly as can be: every byte by itself, every dependency an edge, and a search
along the edges for each pair of accesses. It knows buffers, barriers, events, and semaphores that are signalled in
order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from renderwright.render.sync.oracle.names import (
    ALL_ACCESSES,
    WRITE_ACCESSES,
    accesses,
    destination_scope_stages,
    source_scope_stages,
    split,
)
from renderwright.render.sync.oracle.stream import (
    Barrier,
    Begin,
    Buffer,
    Dependency,
    Range,
    SetEvent,
    Stream,
    Submit,
    WaitEvents,
    Work,
)

STEP = 32
"""Bytes that are always accessed together."""


@dataclass(frozen=True)
class Access:
    line: int
    queue: str
    position: int
    stage: int
    access: int
    bytes: frozenset[int]
    resource: str

    @property
    def writes(self) -> bool:
        return bool(self.access & WRITE_ACCESSES)


@dataclass(frozen=True)
class Edge:
    """From everything before ``start`` on one queue to everything after ``end`` on another; ``bytes`` None is all."""

    source: str
    start: int
    src_stages: int
    src_access: int
    target: str
    end: int
    dst_stages: int
    dst_access: int
    bytes: frozenset[int] | None
    resource: str = ""

    def covers(self, byte: int, first: Access, then: Access) -> bool:
        """A barrier of one resource says nothing of what goes through another, except between the two."""
        if self.bytes is None:
            return True
        return byte in self.bytes and (first.resource != then.resource or self.resource == then.resource)


class Model:
    """Replays a stream; ``wrong`` are the lines of accesses that something is missing for."""

    def __init__(self, stream: Stream) -> None:
        self.accesses: list[Access] = []
        self.edges: list[Edge] = []
        self._position = 0
        self._places: dict[str, int] = {}
        self._sizes: dict[str, int] = {}
        self._signals: dict[tuple[str, int], tuple[str, int, int]] = {}
        buffers: dict[str, list] = {}
        for item in stream.items:
            match item:
                case Buffer():
                    self._places[item.id], self._sizes[item.id] = item.memory.offset, item.size
                case Begin():
                    buffers[item.buffer] = []
                case Submit():
                    self._submit(item, [command for name in item.buffers for command in buffers[name]])
                case Work() | Barrier() | SetEvent() | WaitEvents():
                    buffers[item.buffer].append(item)

    def _bytes(self, name: str, part: Range) -> frozenset[int]:
        start = self._places[name] + part.offset
        size = part.size if part.size is not None else self._sizes[name] - part.offset
        return frozenset(range(start // STEP, (start + size) // STEP))

    def _submit(self, item: Submit, commands: list) -> None:
        self._position += 1
        for wait in item.waits:
            source, start, stages = self._signals[wait.semaphore, wait.value]
            ends = (item.queue, self._position, wait.stages)
            self.edges.append(Edge(source, start, stages, ALL_ACCESSES, *ends, ALL_ACCESSES, None))
        sets: dict[str, int] = {}
        for command in commands:
            self._position += 1
            match command:
                case Work():
                    for one in command.accesses:
                        place = self._bytes(one.resource, one.range)
                        mask = accesses(one.access)
                        self.accesses.append(
                            Access(command.line, item.queue, self._position, one.stages, mask, place, one.resource)
                        )
                case Barrier():
                    self._edges(item.queue, self._position, command.dependencies)
                case SetEvent():
                    sets[command.event] = self._position
                case WaitEvents():
                    for name, dependencies in command.events:
                        self._edges(item.queue, sets[name], dependencies)
        self._position += 1
        for signal in item.signals:
            self._signals[signal.semaphore, signal.value] = (item.queue, self._position, signal.stages)

    def _edges(self, queue: str, start: int, dependencies: tuple[Dependency, ...]) -> None:
        for one in dependencies:
            place = self._bytes(one.resource, one.range) if one.resource else None
            source = queue, start, one.src_stages, accesses(one.src_access)
            target = queue, self._position, one.dst_stages, accesses(one.dst_access)
            self.edges.append(Edge(*source, *target, place, one.resource))

    # the search -----------------------------------------------------------------------------------------------------

    def wrong(self) -> set[int]:
        return {line for line, _ in self.conflicts()}

    def conflicts(self) -> Iterator[tuple[int, int]]:
        """Lines of an access and of one before it that it is not safe from."""
        for number, then in enumerate(self.accesses):
            for byte in then.bytes:
                for first in self._before(self.accesses[:number], then, byte):
                    if not self._safe(first, then, byte):
                        yield then.line, first.line

    def _before(self, earlier: list[Access], then: Access, byte: int) -> Iterator[Access]:
        """The last write of the byte, and for a write the reads since."""
        for first in reversed(earlier):
            if byte not in first.bytes or first.line == then.line:
                continue
            if first.writes or then.writes:
                yield first
            if first.writes:
                return

    def _safe(self, first: Access, then: Access, byte: int) -> bool:
        reached = self._reach([edge for edge in self.edges if self._leaves(first, edge)])
        if not any(self._arrives(edge, then) for edge in reached):
            return False
        if not first.writes:
            return True
        made = [
            edge
            for edge in self.edges
            if self._leaves(first, edge)
            and first.stage & split(edge.src_stages, source=True)
            and not first.access & WRITE_ACCESSES & ~edge.src_access
            and edge.covers(byte, first, then)
        ]
        seen = 0
        for edge in self._reach(made):
            after = edge.target == then.queue and edge.end < then.position
            held = then.stage & split(edge.dst_stages, source=False)
            if after and held and edge.covers(byte, first, then):
                seen |= edge.dst_access
        return not then.access & ~seen

    def _leaves(self, first: Access, edge: Edge) -> bool:
        return (
            edge.source == first.queue
            and edge.start > first.position
            and bool(first.stage & source_scope_stages(edge.src_stages))
        )

    def _arrives(self, edge: Edge, then: Access) -> bool:
        return (
            edge.target == then.queue
            and edge.end < then.position
            and bool(then.stage & destination_scope_stages(edge.dst_stages))
        )

    def _reach(self, edges: list[Edge]) -> list[Edge]:
        """The edges and those that chain with them."""
        found = list(edges)
        for edge in found:
            for other in self.edges:
                if (
                    other not in found
                    and other.source == edge.target
                    and other.start > edge.end
                    and destination_scope_stages(edge.dst_stages) & source_scope_stages(other.src_stages)
                ):
                    found.append(other)
        return found
