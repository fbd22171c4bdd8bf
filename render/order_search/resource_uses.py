"""The uses of a resource by the units of an order, which give its live range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.compiler.values.placement import PlacedResource, Placement
from renderwright.render.types.usages import Usage


@dataclass(frozen=True, slots=True)
class ResourceUses:
    """A resource with a copy for even and one for odd frames, in units.

    ``users`` mention the frame's own copy; ``past`` read the copy of the previous frame. One that is ``live_to_end``
    is live until the end of its frame; one that the ``host`` reads is live through the next frame, too.
    ``memory_class`` names the memory that it shares with others of the class.
    """

    size: int
    alignment: int
    memory_class: str
    users: tuple[int, ...]
    past: tuple[int, ...]
    live_to_end: bool
    host: bool

    @property
    def shape(self) -> tuple[object, ...]:
        """The properties of the resource, without its users."""
        return self.memory_class, self.size, self.alignment, self.live_to_end, self.host

    @property
    def has_history(self) -> bool:
        """Whether the next frame uses the copy."""
        return bool(self.past) or self.host

    def renumbered(self, numbers: Mapping[int, int]) -> ResourceUses:
        """The same uses with other unit numbers."""
        users, past = (tuple(sorted({numbers[unit] for unit in units})) for units in (self.users, self.past))
        return replace(self, users=users, past=past)

    def live_range(self, place: Sequence[int]) -> tuple[int, int]:
        """The half-open live range of the even copy; ``place`` is the position of each unit."""
        count = len(place)
        start = min([place[unit] for unit in self.users])
        if self.host:
            return start, 2 * count
        if self.past:
            return start, min(count + max([place[unit] for unit in self.past]) + 1, start + 2 * count)
        if self.live_to_end:
            return start, count
        return start, max([place[unit] for unit in self.users]) + 1


def uses_of(
    placed: PlacedResource, placement: Placement, accessed: AccessHistory, unit_of: Mapping[int, int], *, sink: bool
) -> ResourceUses:
    """The uses of a placed resource with this access history; ``unit_of`` is the unit of each node number."""
    host = any(Usage.HOST_READ in access.usages for access in accessed.own)
    return ResourceUses(
        placed.size,
        placed.alignment,
        placement.heaps[placed.copies[0].heap].memory_class,
        tuple(sorted({unit_of[node] for node in accessed.nodes})),
        tuple(sorted({unit_of[access.node] for access in accessed.history_reads})),
        live_to_end=sink or bool(accessed.history_reads) or host,
        host=host,
    )
