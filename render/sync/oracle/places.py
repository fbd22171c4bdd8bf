"""Places: the parts of resources that are judged separately, and the memory that they share.

A resource is cut only where an item of the stream names a part of it, so most images and buffers are one place. The
bytes of a subresource inside an image are unknown: all places of two overlapping images share memory.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property
from itertools import pairwise

from renderwright.render.sync.oracle.clocks import Clock, key
from renderwright.render.sync.oracle.findings import Site
from renderwright.render.sync.oracle.grants import Grant, Interval, Scope
from renderwright.render.sync.oracle.names import bits
from renderwright.render.sync.oracle.stream import (
    Access,
    Barrier,
    BeginRendering,
    Buffer,
    HostAccess,
    Image,
    Item,
    Range,
    SetEvent,
    Stream,
    WaitEvents,
    Work,
)


class Content(Enum):
    """The contents of a place."""

    NEVER_WRITTEN = auto()
    DISCARDED = auto()
    CLOBBERED = auto()
    DEFINED = auto()


@dataclass(slots=True, eq=False)
class Record:
    """An access to a place. ``change`` is the barrier of a layout change, which belongs to no stage.

    ``stages`` and ``access`` have single stages and accesses. ``rendering`` numbers the rendering of attachment
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
        """Whether it is ordered before the clock's owner."""
        if self.change is not None:
            return self.change.precedes(clock)
        position = self.position
        return all(clock.get(key(self.queue, bit), 0) > position for bit in bits(self.stages))

    def make_available(self, grant: Grant) -> None:
        """Record that the write is available after the grant's dependency."""
        if not any(known.includes(grant) for known in self.available):
            self.available.append(grant)

    def make_visible(self, grant: Grant) -> None:
        """Record that the write is visible to the grant's accesses."""
        if not any(known.includes(grant) for known in self.visible):
            self.visible.append(grant)

    def is_available(self, clock: Clock, wanted: Place) -> bool:
        """Whether the write was made available, in the bytes that the places share, before the clock's owner."""
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


class Place:
    """A part of a resource with its state."""

    def __init__(self, number: int, resource: Resource, text: str, interval: Interval | None) -> None:
        self.number = number
        self.resource = resource
        self.text = text
        self.interval = interval
        self.aliases: list[Place] = []
        self.newest = -1
        self.write: Record | None = None
        self.reads: dict[int, Record] = {}
        self.content = Content.NEVER_WRITTEN
        self.culprit: tuple[str, Site] | None = None
        self.layout = "UNDEFINED"
        self.owner: int | None = None
        self.release: Release | None = None

    @cached_property
    def scope(self) -> Scope:
        """The place as the scope of a barrier."""
        return Scope(frozenset({self.number}), self.interval if self.whole else None)

    @property
    def whole(self) -> bool:
        """Whether a write to it covers all bytes of its interval, unlike one to a mip of an image."""
        return not self.resource.is_image or len(self.resource.places) == 1


class Release:
    """The first half of an ownership transfer."""

    def __init__(self, site: Site, families: tuple[int, int], layouts: tuple[str, str], record: Record) -> None:
        self.site = site
        self.families = families
        self.layouts = layouts
        self.record = record


class Resource:
    """An image or buffer, cut into places."""

    def __init__(self, item: Image | Buffer) -> None:
        self.id = item.id
        self.is_image = isinstance(item, Image)
        self.concurrent = item.concurrent
        self.display = isinstance(item, Image) and item.display
        self.acquired = not self.display
        self.places: tuple[Place, ...] = ()
        self.rows: list[tuple[int, int, int, int]] = []
        memory = item.memory
        self.interval = (memory.heap, memory.offset, memory.offset + memory.size) if memory is not None else None
        self._found: dict[Range, tuple[Place, ...]] = {}
        self._scopes: dict[Range, Scope] = {}

    def find(self, range: Range) -> tuple[Place, ...]:
        """The places of a part."""
        found = self._found.get(range)
        if found is None:
            found = self._found[range] = tuple(self._search(range))
        return found

    def scope(self, range: Range) -> Scope:
        """The part as the scope of a barrier."""
        scope = self._scopes.get(range)
        if scope is None:
            places = self.find(range)
            interval = self.interval if len(places) == len(self.places) else None
            if not self.is_image and places and interval is None:
                first, last = places[0].interval, places[-1].interval
                interval = (first[0], first[1], last[2]) if first and last else None
            scope = self._scopes[range] = Scope(frozenset(place.number for place in places), interval)
        return scope

    def _search(self, range: Range) -> Iterator[Place]:
        if self.is_image:
            mip, mip_end = _ends(range.mips)
            layer, layer_end = _ends(range.layers)
        else:
            mip, mip_end, layer, layer_end = *_bytes(range), 0, 1
        for place, (first, end, first_layer, end_layer) in zip(self.places, self.rows, strict=True):
            if first < mip_end and mip < end and first_layer < layer_end and layer < end_layer:
                yield place


_ENDLESS = 1 << 65


def _ends(part: tuple[int, int] | None) -> tuple[int, int]:
    return (part[0], part[0] + part[1]) if part is not None else (0, _ENDLESS)


def _bytes(range: Range) -> tuple[int, int]:
    return range.offset, range.offset + range.size if range.size is not None else _ENDLESS


class Cuts:
    """The cuts of each resource by the items of a stream."""

    def __init__(self, stream: Stream) -> None:
        self._mips: dict[str, set[int]] = {}
        self._layers: dict[str, set[int]] = {}
        for item in stream.items:
            for name, range in parts_of(item):
                if range.mips is not None:
                    self._mips.setdefault(name, set()).update(_ends(range.mips))
                if range.layers is not None:
                    self._layers.setdefault(name, set()).update(_ends(range.layers))
                if range.offset or range.size is not None:
                    self._mips.setdefault(name, set()).update(_bytes(range))

    def rows(self, item: Image | Buffer) -> list[tuple[int, int, int, int]]:
        """(first mip, end, first layer, end) of each place of an image; of a buffer (first byte, end, 0, 1)."""
        if isinstance(item, Buffer):
            return [(first, end, 0, 1) for first, end in _pieces(self._mips.get(item.id, ()), item.size)]
        layers = _pieces(self._layers.get(item.id, ()), item.layers)
        mips = _pieces(self._mips.get(item.id, ()), item.mips)
        return [(*mip, *layer) for mip in mips for layer in layers]


def _pieces(cuts: Iterable[int], end: int) -> list[tuple[int, int]]:
    points = [0, *sorted(cut for cut in cuts if 0 < cut < end), end]
    return list(pairwise(points))


def parts_of(item: Item) -> Iterator[tuple[str, Range]]:
    """The parts of resources that a command or the host accesses; the name is '' for all memory."""
    match item:
        case Work():
            yield from ((access.resource, access.range) for access in item.accesses)
        case Barrier() | SetEvent():
            yield from ((one.resource, one.range) for one in item.dependencies)
        case WaitEvents():
            for _, dependencies in item.events:
                yield from ((one.resource, one.range) for one in dependencies)
        case BeginRendering():
            for attachment in item.attachments:
                yield attachment.resource, attachment.range
                yield attachment.resolve, attachment.resolve_range
        case HostAccess():
            yield item.resource, item.range
        case Access():
            yield item.resource, item.range
        case _:
            pass


class Places:
    """All resources. A destroyed one stays known to the commands that still use it, but shares no memory."""

    def __init__(self, stream: Stream) -> None:
        self.resources: dict[str, Resource] = {}
        self.written: dict[int, Place] = {}
        self._cuts = Cuts(stream)
        self._heaps: dict[str, list[Resource]] = {}
        self._starts: dict[str, list[int]] = {}
        self._count = 0

    def add(self, item: Image | Buffer) -> None:
        """Add a resource, which shares memory with resources at the same bytes."""
        resource = Resource(item)
        resource.rows = self._cuts.rows(item)
        places = []
        for row in resource.rows:
            self._count += 1
            place = Place(self._count, resource, _text(item, row), self._interval(resource, row))
            if item.content == "defined":
                place.content = Content.DEFINED
            if isinstance(item, Image):
                place.layout = item.layout
            places.append(place)
        resource.places = tuple(places)
        self.resources[item.id] = resource
        if resource.interval is not None:
            self._share(resource)

    def release(self, name: str) -> None:
        """Release the memory of a destroyed resource."""
        resource = self.resources[name]
        for place in resource.places:
            self.written.pop(place.number, None)
            for other in place.aliases:
                other.aliases.remove(place)
            place.aliases.clear()
        if resource.interval is not None:
            heap = resource.interval[0]
            at = self._heaps[heap].index(resource)
            del self._heaps[heap][at], self._starts[heap][at]

    def _interval(self, resource: Resource, row: tuple[int, int, int, int]) -> Interval | None:
        if resource.interval is None or resource.is_image:
            return resource.interval
        heap, start, _ = resource.interval
        return heap, start + row[0], start + row[1]

    def _share(self, resource: Resource) -> None:
        assert resource.interval is not None
        heap, start, end = resource.interval
        others, starts = self._heaps.setdefault(heap, []), self._starts.setdefault(heap, [])
        for other in others[: bisect_left(starts, end)]:
            assert other.interval is not None
            if other.interval[2] > start:
                _link(resource, other)
        at = bisect_left(starts, start)
        others.insert(at, resource)
        starts.insert(at, start)


def _link(one: Resource, other: Resource) -> None:
    for place in one.places:
        for shared in other.places:
            assert place.interval is not None
            assert shared.interval is not None
            if place.interval[1] < shared.interval[2] and shared.interval[1] < place.interval[2]:
                place.aliases.append(shared)
                shared.aliases.append(place)


def _text(item: Image | Buffer, row: tuple[int, int, int, int]) -> str:
    if isinstance(item, Buffer):
        return f"bytes {row[0]} to {row[1]}" if (row[0], row[1]) != (0, item.size) else ""
    parts = []
    if (row[0], row[1]) != (0, item.mips):
        parts.append(f"mip {row[0]}" if row[1] == row[0] + 1 else f"mips {row[0]} to {row[1] - 1}")
    if (row[2], row[3]) != (0, item.layers):
        parts.append(f"layer {row[2]}" if row[3] == row[2] + 1 else f"layers {row[2]} to {row[3] - 1}")
    return ", ".join(parts)
