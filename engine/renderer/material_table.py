"""The numbers of the materials that are drawn, and their parameters on the GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.renderer.material_layers import LAYERS, packed_layers, second_uv_bits
from renderwright.engine.renderer.material_textures import OWN_SLOTS, PLAIN_SLOTS, ImageSet, images_of
from renderwright.engine.renderer.surface_rows import SurfaceRows
from renderwright.engine.renderer.surface_variants import NO_SURFACES, ChosenSurfaces
from renderwright.engine.scene.material import Material
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage

MATERIAL = np.dtype(
    [
        ("base_color", np.float32, 4),
        ("emissive_metallic", np.float32, 4),
        ("parameters", np.float32, 4),
        ("images", np.uint32, PLAIN_SLOTS),
        ("second_uvs", np.uint32),
        ("layered", np.uint32),
        ("hashed", np.uint32),
    ]
)


class MaterialTable:
    """A row for each material. A material keeps its number while it is drawn; then another one gets it."""

    def __init__(self, backend: Backend) -> None:
        self._buffers = GrowingBuffer(backend, "scene materials", Usage.STORAGE_READ)
        self._layer_buffers = GrowingBuffer(backend, "scene layers", Usage.STORAGE_READ)
        self._rows: NDArray[Any] = np.zeros(0, MATERIAL)
        self._layer_rows: NDArray[Any] = np.zeros(0, LAYERS)
        self._free: list[int] = []
        #: Held materials whose images have no numbers yet.
        self._without_images: list[Material] = []
        self._revision = 0
        self._written = [-1] * FRAMES_IN_FLIGHT
        self._layers_written = [-1] * FRAMES_IN_FLIGHT
        self.numbers: dict[Material, int] = {}
        self.surfaces = SurfaceRows(backend)
        self._surfaces = NO_SURFACES

    def update(self, materials: Iterable[Material], surfaces: ChosenSurfaces = NO_SURFACES) -> None:
        """Hold exactly these materials, drawn with these surface functions: the same object until these change."""
        wanted = dict.fromkeys(materials)
        for material in [material for material in self.numbers if material not in wanted]:
            self._free.append(self.numbers.pop(material))
        added = [material for material in wanted if material not in self.numbers]
        more = len(added) - len(self._free)
        if more > 0:
            end = len(self._rows)
            self._rows = np.concatenate([self._rows, np.zeros(more, MATERIAL)])
            self._layer_rows = np.concatenate([self._layer_rows, np.zeros(more, LAYERS)])
            self._free += reversed(range(end, end + more))
        for material in added:
            number = self.numbers[material] = self._free.pop()
            self._rows[number] = _packed(material)
            self._layer_rows[number] = packed_layers(material)
        if added:
            self._revision += 1
        without_images = [*self._without_images, *added] if surfaces is self._surfaces else self.numbers
        self._without_images = [material for material in without_images if material in self.numbers]
        self._surfaces = surfaces
        self.surfaces.update(self.numbers, self._surfaces)

    def set_images(self, numbers_of: Callable[[ImageSet], Sequence[int]]) -> None:
        """Set the numbers of images in the table of images for materials that have none yet.

        They stay valid as long as a material is held: images in use keep their numbers.
        """
        for material in self._without_images:
            number, images = self.numbers[material], numbers_of(images_of(material, self._surfaces))
            self._rows["images"][number] = images[:PLAIN_SLOTS]
            self._layer_rows["images"][number, : OWN_SLOTS - PLAIN_SLOTS] = images[PLAIN_SLOTS:OWN_SLOTS]
        if self._without_images:
            self._without_images = []
            self._revision += 1
        self.surfaces.set_images(numbers_of)

    def write(self, slot: int) -> PhysicalBuffer:
        """The slot's buffer, written if materials have changed."""
        if self._written[slot] != self._revision:
            self._buffers.write(slot, self._rows)
            self._written[slot] = self._revision
        return self._buffers.buffer(slot)

    def layers(self, slot: int) -> PhysicalBuffer:
        """The slot's buffer of the materials' layers, written if materials have changed."""
        if self._layers_written[slot] != self._revision:
            self._layer_buffers.write(slot, self._layer_rows)
            self._layers_written[slot] = self._revision
        return self._layer_buffers.buffer(slot)

    def close(self) -> None:
        """Release the buffers."""
        self._buffers.close()
        self._layer_buffers.close()
        self.surfaces.close()


def _packed(material: Material) -> tuple[tuple[float, ...] | int, ...]:
    return (
        material.base_color,
        (*material.emissive, material.metallic),
        (material.roughness, material.alpha_cutoff, float(material.double_sided), material.transmission),
        (0,) * PLAIN_SLOTS,
        second_uv_bits(material),
        int(material.layered),
        int(material.alpha_hashed),
    )
