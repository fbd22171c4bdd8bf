"""What surface functions read of materials on the GPU: a row for each material, and the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.renderer.material_textures import OWN_SLOTS, ImageSet, images_of
from renderwright.engine.renderer.surface_variants import ROW, ChosenSurfaces
from renderwright.engine.scene.material import Material
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage

_HEAD = 4
"""Numbers in front of the rows: the seconds since the game began, and three that are not used."""


class SurfaceRows:
    """The rows of materials with surface functions, by the numbers of materials. Without such materials it is empty."""

    def __init__(self, backend: Backend) -> None:
        self._buffers = GrowingBuffer(backend, "scene surfaces", Usage.STORAGE_READ)
        self._rows: NDArray[Any] = np.zeros(0, ROW)
        self._chosen: dict[Material, tuple[int, ImageSet]] = {}
        self._revision = 0
        self._written = [-1] * FRAMES_IN_FLIGHT
        self._time = 0.0

    def update(self, numbers: Mapping[Material, int], surfaces: ChosenSurfaces) -> None:
        """Hold the values of the materials with these numbers."""
        chosen = [
            (material, number, surfaces[material.surface])
            for material, number in numbers.items()
            if material.surface is not None and material.surface in surfaces
        ]
        if not chosen and not self._chosen:
            return
        self._chosen = {material: (number, images_of(material, surfaces)) for material, number, _ in chosen}
        self._rows = np.zeros(max((number + 1 for _, number, _ in chosen), default=0), ROW)
        for _, number, surface in chosen:
            self._rows["values"][number] = surface.packed().reshape(-1, 4)
        self._revision += 1

    def set_images(self, numbers_of: Callable[[ImageSet], Sequence[int]]) -> None:
        """Set the numbers of images in the table of images."""
        for number, images in self._chosen.values():
            self._rows["images"][number] = numbers_of(images)[OWN_SLOTS:]
        self._revision += 1

    def begin(self, time: float) -> None:
        """Begin a frame at a time of the game."""
        self._time = time

    def buffer(self, slot: int) -> PhysicalBuffer:
        """The slot's buffer, with the time of the frame."""
        count = _HEAD + len(self._rows) * (ROW.itemsize // 4)
        mapped, _ = self._buffers.mapped(slot, np.dtype(np.float32), count)
        mapped[0] = self._time
        if self._written[slot] != self._revision:
            mapped[_HEAD:] = self._rows.view(np.float32)
            self._written[slot] = self._revision
        return self._buffers.buffer(slot)

    def close(self) -> None:
        """Release the buffers."""
        self._buffers.close()
