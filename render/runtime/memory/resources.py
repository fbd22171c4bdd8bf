"""The physical resources of a plan: heaps, resources placed in them, and cells for CPU values."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from renderwright.render.backend.protocol import Heap
from renderwright.render.compiler.values.placement import PlacedResource
from renderwright.render.errors import BackendError
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.types.physical import Physical

CopyKey = tuple[str, int]
"""A resource id, and copy 0 (even frames) or 1 (odd frames); for a ring, the number of the copy."""


@dataclass(frozen=True)
class PlanResources:
    """The physical resources of a plan's resource ids, except external ones.

    ``physicals`` and ``cells`` are GPU resources and CPU values; ``placed`` are the placed resources by id. ``valid``
    are the copies with contents for later frames, ``histories`` the ids that the next frame reads as history. The same
    plan at another dynamic resolution shares ``heaps``, ``cells`` and ``valid``.
    """

    heaps: tuple[Heap, ...]
    physicals: Mapping[CopyKey, Physical]
    placed: Mapping[str, PlacedResource]
    cells: dict[CopyKey, BlobCell]
    valid: set[CopyKey]
    histories: tuple[str, ...]

    @cached_property
    def rings(self) -> Mapping[str, int]:
        """The number of copies of resources with more than two, by id."""
        return {name: placed.turns for name, placed in self.placed.items() if placed.turns > 2}

    def written_in(self, name: str, frame: int) -> CopyKey:
        """The copy that a frame writes."""
        return name, frame % self.rings.get(name, 2)

    def physical(self, name: str, frame: int) -> Physical:
        """The physical resource that held ``name`` (a resource instance's id) in a frame."""
        key = self.written_in(name, frame)
        if key not in self.physicals:
            known = sorted({resource for resource, _ in self.physicals})
            raise BackendError(f'the plan has no GPU resource "{name}"', hint=f"it has: {', '.join(known)}")
        return self.physicals[key]

    def read_in(self, frame: int) -> Mapping[CopyKey, CopyKey]:
        """The copies of ``rings`` that a frame uses, by copy in its plan.

        The frame's parity maps to the copy that it writes, the other parity to its history: the oldest copy, which the
        next frame writes.
        """
        found = {}
        for name, turns in self.rings.items():
            found[name, frame % 2] = name, frame % turns
            found[name, 1 - frame % 2] = name, (frame + 1) % turns
        return found

    def valid_in(self, frame: int) -> Set[CopyKey]:
        """``valid`` by copy in the frame's plan."""
        if not self.rings:
            return self.valid
        others = {key for key in self.valid if key[0] not in self.rings}
        return others | {key for key, copy in self.read_in(frame).items() if copy in self.valid}

    @property
    def heap_bytes(self) -> int:
        """Bytes of device memory in the heaps."""
        return sum(heap.size for heap in self.heaps)
