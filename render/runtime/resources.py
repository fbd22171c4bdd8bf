"""The physical side of a placement: heaps, the resources placed in them, and cells for CPU values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from render.backend.protocol import Heap, Physical
from render.compiler.stages import PlacedResource
from render.graph.handles import BlobCell

CopyKey = tuple[str, int]
"""A resource id, and copy 0 (even frames) or 1 (odd ones)."""


@dataclass(frozen=True)
class PlanResources:
    """Everything that a plan's resource ids stand for, but for external resources.

    ``physicals`` and ``cells`` are the GPU resources and the CPU values; ``placed`` maps ids to their place. ``valid``
    are the copies that have contents for a later frame to read, ``histories`` the ids that the next frame reads. The
    same plan at another dynamic resolution has the same ``heaps``, ``cells`` and ``valid``.
    """

    heaps: tuple[Heap, ...]
    physicals: Mapping[CopyKey, Physical]
    placed: Mapping[str, PlacedResource]
    cells: dict[CopyKey, BlobCell]
    valid: set[CopyKey]
    histories: tuple[str, ...]

    @property
    def heap_bytes(self) -> int:
        """Bytes of device memory in the heaps."""
        return sum(heap.size for heap in self.heaps)
