"""Allocates and releases the device memory of plans."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence

from renderwright.render.backend.protocol import Backend, Heap
from renderwright.render.compiler.values.placement import Copy, PlacedResource
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import BackendError, OutOfMemoryError
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.checks.poisoner import Poisoner
from renderwright.render.runtime.checks.texel_counter import TexelCounter
from renderwright.render.runtime.memory.constant_textures import ConstantTextures
from renderwright.render.runtime.memory.given_arrays import GivenArrays
from renderwright.render.runtime.memory.heap_pool import HeapPool
from renderwright.render.runtime.memory.placed_cache import PlacedCache
from renderwright.render.runtime.memory.resources import CopyKey, PlanResources
from renderwright.render.runtime.out_of_memory import explained
from renderwright.render.sync.images import ImageReuse
from renderwright.render.types.physical import Physical, PhysicalInfo, TextureInfo
from renderwright.render.types.resources import Blob

A_STEP = 8
"""Resources that are placed in one step, less than a millisecond's work."""


class DeviceMemory:
    """Reference-counted heaps and the resources placed in them; ``arrays`` are the textures of providers' arrays,
    ``constants`` those for optional textures that are absent.

    ``Backend.destroy`` is deferred until the GPU is done, so nothing waits. With ``poison``, ``poisoner`` fills the
    bytes of copies whose live range has ended, and ``counter`` counts texels, in memory of its own (for debugging).
    """

    def __init__(self, backend: Backend, poison: Poison | None = None, counter: TexelCounter | None = None) -> None:
        self.placed = PlacedCache(backend)
        self._backend = backend
        self._heaps = HeapPool(backend)
        self.arrays = GivenArrays(backend)
        self.constants = ConstantTextures(backend)
        self.counter = counter
        self.poisoner = Poisoner(poison, backend) if poison is not None else None

    def provide(
        self, plan: Plan, near: Sequence[Heap] = (), *, tight: bool = False
    ) -> Generator[None, None, PlanResources]:
        """Resources for a plan, in heaps of ``near`` where these are large enough (see ``HeapPool.lease``).

        The first step makes the heaps. Closed before its end, or if a step fails, it releases everything again.
        """
        placement = plan.placement
        try:
            heaps = self._heaps.lease(placement.heaps, near, tight=tight)
        except OutOfMemoryError as error:
            raise explained(error, placement) from error
        physicals: dict[CopyKey, Physical] = {}
        try:
            yield
            for number, placed in enumerate(placement.resources, 1):
                self._place(placed, heaps, plan.sync.image_reuse, physicals)
                if number % A_STEP == 0:
                    yield
        except BaseException:
            self._take_back(physicals.values(), heaps)
            raise
        resources = {placed.id: placed for placed in placement.resources}
        cells: dict[CopyKey, BlobCell] = {}
        for instance in plan.graph.resources:
            if isinstance(instance.resource.desc, Blob):
                even = BlobCell()
                odd = even if resources[instance.id].kept else BlobCell()
                cells[instance.id, 0], cells[instance.id, 1] = even, odd
        histories = tuple(placed.id for placed in placement.resources if placed.has_history)
        return PlanResources(heaps, physicals, resources, cells, set(), histories)

    def resize(self, old: PlanResources, plan: Plan) -> PlanResources:
        """The resources of the same plan at another dynamic resolution, in the same bytes.

        Raises ``BackendError`` if the driver needs more bytes for a smaller texture than for the full-sized one.
        """
        self._heaps.share(old.heaps)
        physicals = dict(old.physicals)
        resources = {}
        changed = []
        for placed in plan.placement.resources:
            resources[placed.id] = placed
            if placed is not old.placed[placed.id] and placed.copies:
                changed.append(placed)
                for copy in range(len(placed.copies)):
                    del physicals[placed.id, copy]
        for physical in physicals.values():
            self.placed.hold(physical)
        try:
            for placed in changed:
                self._check(placed)
                self._place(placed, old.heaps, plan.sync.image_reuse, physicals)
        except BaseException:
            self._take_back(physicals.values(), old.heaps)
            raise
        return PlanResources(old.heaps, physicals, resources, old.cells, old.valid, old.histories)

    def take_at(self, placed: PlacedResource, copy: int, info: PhysicalInfo, heaps: Sequence[Heap]) -> Physical | None:
        """Another resource at the place of a copy, to be given back to ``self.placed``; None if it does not fit."""
        if isinstance(info, TextureInfo) and not self._fits(placed, info):
            return None
        place = placed.copies[copy]
        return self.placed.take(heaps[place.heap], place.offset, placed.size, info, _name(placed, copy))

    def give_back(self, resources: PlanResources) -> None:
        """Release resources. Heaps without another user are destroyed, with everything placed in them."""
        self._take_back(resources.physicals.values(), resources.heaps)

    def _take_back(self, physicals: Iterable[Physical], heaps: Sequence[Heap]) -> None:
        for physical in physicals:
            self.placed.give_back(physical)
        for heap in self._heaps.release(heaps):
            self.placed.empty(heap)
            if self.poisoner is not None:
                self.poisoner.forget(heap)
            self._backend.destroy(heap)

    def _place(
        self, placed: PlacedResource, heaps: Sequence[Heap], reuse: ImageReuse, physicals: dict[CopyKey, Physical]
    ) -> None:
        if placed.info is None:
            return
        for number, copy in enumerate(placed.copies):
            # Resources with one name at one place share one texture, with one set of views and bindings.
            physicals[placed.id, number] = self.placed.take(
                heaps[copy.heap],
                copy.offset,
                placed.size,
                placed.info,
                reuse.image_names.get((placed.id, number)) or _name(placed, number),
            )

    def _check(self, placed: PlacedResource) -> None:
        if isinstance(placed.info, TextureInfo) and not self._fits(placed, placed.info):
            width, height = placed.info.extent
            raise BackendError(
                f'"{placed.id}" at {width} x {height} does not fit into its memory of the full size',
                hint="use another dynamic resolution",
            )

    def _fits(self, placed: PlacedResource, info: TextureInfo) -> bool:
        needs = self._backend.texture_needs(info)
        offsets_fit = all(copy.offset % needs.alignment == 0 for copy in placed.copies)
        return needs.size <= placed.size and offsets_fit


def _name(placed: PlacedResource, number: int) -> str:
    if len(placed.copies) > 2:
        return f"{placed.id} ({number})"
    even, odd = placed.copies
    return f"{placed.id} (odd)" if number and not _same_place(even, odd) else placed.id


def _same_place(even: Copy, odd: Copy) -> bool:
    return (even.heap, even.offset) == (odd.heap, odd.offset)
