"""The scene on the GPU: geometry, instances and materials."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.draw_buffers import DrawBuffers
from renderwright.engine.renderer.draw_commands import GpuDraw
from renderwright.engine.renderer.gpu_geometry import GpuGeometry
from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.renderer.material_images import MaterialImages
from renderwright.engine.renderer.material_textures import SLOTS, ImageSet, images_of
from renderwright.engine.renderer.previous_models import PreviousModels
from renderwright.engine.scene.draw_list import DrawBatch, DrawList
from renderwright.engine.scene.material import Material
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage

INSTANCE = np.dtype([("model", np.float32, (4, 4)), ("material", np.uint32, 4)])
MATERIAL = np.dtype(
    [
        ("base_color", np.float32, 4),
        ("emissive_metallic", np.float32, 4),
        ("parameters", np.float32, 4),
        ("images", np.uint32, 8),
    ]
)


class GpuScene:
    """The GPU's copy of a scene. Call ``update`` once per frame, before the graph runs.

    With ``stream``, meshes and images that appear while the game runs are uploaded in the background and drawn once
    they are resident. The frame in which that happens depends on the machine.
    """

    def __init__(self, backend: Backend, *, stream: bool = False, anisotropy: float = 1.0) -> None:
        self._instances = GrowingBuffer(backend, "scene instances", Usage.STORAGE_READ)
        self._materials = GrowingBuffer(backend, "scene materials", Usage.STORAGE_READ)
        self._hud = GrowingBuffer(backend, "hud vertices", Usage.VERTEX)
        self._material_numbers: dict[Material, int] = {}
        self._image_sets: tuple[ImageSet, ...] = ()
        self.images = MaterialImages(backend, stream=stream, anisotropy=anisotropy)
        self._geometry = GpuGeometry(backend, stream=stream)
        self.draws = DrawBuffers(backend, by_images=not self.images.indexed)
        self._drawn: tuple[DrawBatch, ...] | None = None
        self.instances: PhysicalBuffer
        self.materials: PhysicalBuffer
        self.hud_vertices: PhysicalBuffer
        nothing = DrawList(np.zeros((0, 4, 4), np.float32), (), ())
        self.previous = PreviousModels(backend, nothing)
        self.update(nothing, np.zeros((0, 8), np.float32), 0)

    def update(self, draws: DrawList, hud: NDArray[np.float32], slot: int) -> None:
        """Update geometry, instances, materials and HUD vertices for a frame slot."""
        meshes = list(dict.fromkeys(batch.mesh for batch in draws.batches))
        if self._geometry.update(meshes) or draws.batches is not self._drawn:
            self._rebuild(draws.batches)
        self.images.update(self._image_sets)
        self.previous.update(draws, slot)
        self.draws.update(self.previous, slot)
        instances = np.zeros(len(draws.models), INSTANCE)
        instances["model"] = draws.models
        for batch in draws.batches:
            number = self._material_numbers[batch.material]
            instances["material"][batch.first : batch.first + batch.count, 0] = number
        self.instances = self._instances.write(slot, instances)
        self.materials = self._materials.write(slot, self._material_table())
        self.hud_vertices = self._hud.write(slot, hud)

    def _rebuild(self, batches: tuple[DrawBatch, ...]) -> None:
        ranges = self._geometry.ranges
        materials = dict.fromkeys(batch.material for batch in batches)
        self._material_numbers = {material: number for number, material in enumerate(materials)}
        self._image_sets = tuple(dict.fromkeys(images_of(material) for material in materials))
        self.draws.set(
            [GpuDraw(batch, ranges[batch.mesh], images_of(batch.material)) for batch in batches if batch.mesh in ranges]
        )
        self._drawn = batches

    @property
    def vertices(self) -> PhysicalBuffer:
        """Vertex buffer of all meshes."""
        return self._geometry.vertices

    @property
    def indices(self) -> PhysicalBuffer:
        """Index buffer of all meshes. Indices are relative to the mesh's first vertex."""
        return self._geometry.indices

    def _material_table(self) -> NDArray[Any]:
        table = np.zeros(len(self._material_numbers), MATERIAL)
        for material, number in self._material_numbers.items():
            table[number] = (
                material.base_color,
                (*material.emissive, material.metallic),
                (material.roughness, 0.0, 0.0, 0.0),
                (*self._numbers_of(material), 0, 0, 0),
            )
        return table

    def _numbers_of(self, material: Material) -> tuple[int, ...]:
        return self.images.numbers_of(images_of(material)) if self.images.indexed else (0,) * len(SLOTS)

    def close(self) -> None:
        """Release all resources."""
        buffers = (self._instances, self._materials, self._hud)
        for part in (*buffers, self.images, self.previous, self.draws, self._geometry):
            part.close()
