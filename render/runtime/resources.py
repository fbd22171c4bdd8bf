"""The physical side of a placement: heaps, and the resources placed in them."""

from __future__ import annotations

from dataclasses import dataclass, field

from render.backend.protocol import Backend, Heap, Physical
from render.compiler.plan import Plan
from render.compiler.stages import PlacedResource
from render.graph.handles import BlobCell
from render.graph.resources import Blob
from render.memory.physical import BufferInfo, PhysicalInfo, TextureInfo


@dataclass
class PlanResources:
    """Everything that a plan's resource ids stand for.

    ``physicals`` and ``cells`` map (resource id, copy 0 even or 1 odd) to the GPU resource or the CPU value. External
    resources are not here. ``placed`` maps ids to their place.
    """

    heaps: list[Heap] = field(default_factory=list)
    physicals: dict[tuple[str, int], Physical] = field(default_factory=dict)
    cells: dict[tuple[str, int], BlobCell] = field(default_factory=dict)
    placed: dict[str, PlacedResource] = field(default_factory=dict)
    valid: set[tuple[str, int]] = field(default_factory=set)

    @property
    def heap_bytes(self) -> int:
        """Bytes of device memory in the heaps."""
        return sum(heap.size for heap in self.heaps)

    def destroy(self, backend: Backend) -> None:
        """Give everything back once the GPU has finished with it."""
        for physical in {id(p): p for p in self.physicals.values()}.values():
            backend.destroy(physical)
        for heap in self.heaps:
            backend.destroy(heap)
        self.physicals.clear()
        self.heaps.clear()


def create_resources(plan: Plan, backend: Backend) -> PlanResources:
    """Allocate a plan's heaps and place its resources; nothing stays allocated if that fails."""
    resources = PlanResources(placed={placed.id: placed for placed in plan.placement.resources})
    try:
        for number, heap in enumerate(plan.placement.heaps):
            resources.heaps.append(backend.create_heap(heap.memory_class, heap.size, f"heap {number}"))
        for placed in plan.placement.resources:
            _place(placed, resources, backend)
    except Exception:
        resources.destroy(backend)
        raise
    for instance in plan.graph.resources:
        if isinstance(instance.resource.desc, Blob):
            even = BlobCell()
            odd = even if resources.placed[instance.id].kept else BlobCell()
            resources.cells[instance.id, 0], resources.cells[instance.id, 1] = even, odd
    return resources


def _place(placed: PlacedResource, resources: PlanResources, backend: Backend) -> None:
    if placed.info is None or not placed.copies:
        return
    even, odd = placed.copies
    resources.physicals[placed.id, 0] = _create(
        placed.info, resources.heaps[even.heap], even.offset, placed.id, backend
    )
    if (even.heap, even.offset) == (odd.heap, odd.offset):
        # One texture serves both frames, so views, layouts and bindings exist once.
        resources.physicals[placed.id, 1] = resources.physicals[placed.id, 0]
    else:
        name = f"{placed.id} (odd)"
        resources.physicals[placed.id, 1] = _create(placed.info, resources.heaps[odd.heap], odd.offset, name, backend)


def _create(info: PhysicalInfo, heap: Heap, offset: int, name: str, backend: Backend) -> Physical:
    if isinstance(info, TextureInfo):
        return backend.place_texture(heap, offset, info, name)
    assert isinstance(info, BufferInfo)
    return backend.place_buffer(heap, offset, info, name)
