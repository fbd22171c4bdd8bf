"""Textures and buffers placed in heaps, kept after their last use so that going back creates nothing."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render.backend.protocol import Backend, Heap
from renderwright.render.types.physical import BufferInfo, Physical, PhysicalInfo, TextureInfo

MAX_IDLE = 512
"""Unused placed resources that are kept."""

MAX_IDLE_BYTES = 4 * 2**30
"""Total bytes of their ranges; overlapping ranges count each."""

_Key = tuple[int, int, PhysicalInfo, str]


@dataclass(frozen=True)
class Span:
    """The bytes [start, end) of a heap."""

    heap: Heap
    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """Whether the ranges share a byte."""
        return self.heap is other.heap and self.start < other.end and other.start < self.end


@dataclass
class _Placed:
    key: _Key
    physical: Physical
    span: Span
    users: int = 0


class PlacedCache:
    """Reference-counted placed resources by heap, offset, description and name.

    Unused resources are kept; beyond ``MAX_IDLE`` or ``MAX_IDLE_BYTES`` those unused longest are destroyed. A resource
    in a dedicated heap is destroyed with its last user.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._by_key: dict[_Key, _Placed] = {}
        self._by_physical: dict[int, _Placed] = {}
        self._idle: dict[_Key, _Placed] = {}
        self._idle_bytes = 0

    def take(self, heap: Heap, offset: int, size: int, info: PhysicalInfo, name: str) -> Physical:
        """The resource at that place, created if it does not exist, with a user added; ``size`` is in bytes."""
        key = (id(heap), offset, info, name)
        placed = self._by_key.get(key)
        if placed is None:
            physical = self._create(heap, offset, info, name)
            placed = _Placed(key, physical, Span(heap, offset, offset + size))
            self._by_key[key] = self._by_physical[id(physical)] = placed
        elif not placed.users:
            self._wake(placed)
        placed.users += 1
        return placed.physical

    def hold(self, physical: Physical) -> None:
        """Add a user to a resource that has one."""
        placed = self._by_physical[id(physical)]
        assert placed.users, f"{physical.name} has no user"
        placed.users += 1

    def give_back(self, physical: Physical) -> None:
        """Remove a user."""
        placed = self._by_physical[id(physical)]
        placed.users -= 1
        if placed.users:
            return
        self._idle[placed.key] = placed
        self._idle_bytes += placed.span.end - placed.span.start
        if placed.span.heap.dedicated:
            self._destroy(placed)
        while len(self._idle) > MAX_IDLE or self._idle_bytes > MAX_IDLE_BYTES:
            self._destroy(next(iter(self._idle.values())))

    def span(self, physical: Physical) -> Span:
        """The bytes of a placed resource."""
        return self._by_physical[id(physical)].span

    def empty(self, heap: Heap) -> None:
        """Destroy all resources in a heap; none may have a user."""
        for placed in [placed for placed in self._by_key.values() if placed.span.heap is heap]:
            assert not placed.users, f"{placed.physical.name} is in use"
            self._destroy(placed)

    def _wake(self, placed: _Placed) -> None:
        del self._idle[placed.key]
        self._idle_bytes -= placed.span.end - placed.span.start

    def _destroy(self, placed: _Placed) -> None:
        self._wake(placed)
        del self._by_key[placed.key], self._by_physical[id(placed.physical)]
        self._backend.destroy(placed.physical)

    def _create(self, heap: Heap, offset: int, info: PhysicalInfo, name: str) -> Physical:
        if isinstance(info, TextureInfo):
            return self._backend.place_texture(heap, offset, info, name)
        assert isinstance(info, BufferInfo)
        return self._backend.place_buffer(heap, offset, info, name)
