"""The scene on the GPU: geometry, instances and materials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.renderer.growing_buffer import GrowingBuffer
from engine.renderer.material_images import ImageSet, MaterialImages, images_of
from engine.renderer.previous_models import PreviousModels
from engine.scene.draw_list import DrawBatch, DrawList
from engine.scene.material import Material
from engine.scene.mesh import VERTEX_FLOATS, Mesh
from render.backend.protocol import Backend, PhysicalBuffer
from render.memory.physical import BufferInfo
from render.sync.usages import Usage

INSTANCE = np.dtype([("model", np.float32, (4, 4)), ("material", np.uint32, 4)])
MATERIAL = np.dtype(
    [("base_color", np.float32, 4), ("emissive_metallic", np.float32, 4), ("parameters", np.float32, 4)]
)


@dataclass(frozen=True)
class MeshRange:
    """Where a mesh lies in the shared buffers."""

    first_index: int
    index_count: int
    vertex_offset: int


@dataclass(frozen=True)
class GpuDraw:
    """One indexed draw: a batch with its geometry's place and its material's images."""

    batch: DrawBatch
    mesh: MeshRange
    images: ImageSet


class GpuScene:
    """Keeps the GPU's copy of a scene; ``update`` once a frame, before the graph runs."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._instances = GrowingBuffer(backend, "scene instances", Usage.STORAGE_READ)
        self._materials = GrowingBuffer(backend, "scene materials", Usage.STORAGE_READ)
        self._hud = GrowingBuffer(backend, "hud vertices", Usage.VERTEX)
        self._ranges: dict[Mesh, MeshRange] = {}
        self._material_numbers: dict[Material, int] = {}
        self.images = MaterialImages(backend)
        self.vertices = self._geometry("scene vertices", Usage.VERTEX, np.zeros(VERTEX_FLOATS, np.float32))
        self.indices = self._geometry("scene indices", Usage.INDEX, np.zeros(3, np.uint32))
        self.draws: tuple[GpuDraw, ...] = ()
        self._drawn: tuple[DrawBatch, ...] | None = None
        self.instances: PhysicalBuffer
        self.materials: PhysicalBuffer
        self.hud_vertices: PhysicalBuffer
        nothing = DrawList(np.zeros((0, 4, 4), np.float32), (), ())
        self.previous = PreviousModels(backend, nothing)
        self.update(nothing, np.zeros((0, 8), np.float32), 0)

    def update(self, draws: DrawList, hud: NDArray[np.float32], slot: int) -> None:
        """Bring geometry, instances, materials and HUD vertices up to date for a frame slot."""
        if draws.batches is not self._drawn:
            self._rebuild(draws.batches)
        self.images.update(draw.images for draw in self.draws)
        self.previous.update(draws, slot)
        instances = np.zeros(len(draws.models), INSTANCE)
        instances["model"] = draws.models
        for batch in draws.batches:
            number = self._material_numbers[batch.material]
            instances["material"][batch.first : batch.first + batch.count, 0] = number
        self.instances = self._instances.write(slot, instances)
        self.materials = self._materials.write(slot, self._material_table())
        self.hud_vertices = self._hud.write(slot, hud)

    def _rebuild(self, batches: tuple[DrawBatch, ...]) -> None:
        meshes = list(dict.fromkeys(batch.mesh for batch in batches))
        if any(mesh not in self._ranges for mesh in meshes):
            self._upload(meshes)
        materials = dict.fromkeys(batch.material for batch in batches)
        self._material_numbers = {material: number for number, material in enumerate(materials)}
        self.draws = tuple(GpuDraw(batch, self._ranges[batch.mesh], images_of(batch.material)) for batch in batches)
        self._drawn = batches

    def _upload(self, meshes: list[Mesh]) -> None:
        ranges: dict[Mesh, MeshRange] = {}
        vertex = index = 0
        for mesh in meshes:
            ranges[mesh] = MeshRange(index, len(mesh.indices), vertex)
            vertex += len(mesh.vertices)
            index += len(mesh.indices)
        vertices = self._geometry("scene vertices", Usage.VERTEX, np.concatenate([mesh.vertices for mesh in meshes]))
        try:
            indices = self._geometry("scene indices", Usage.INDEX, np.concatenate([mesh.indices for mesh in meshes]))
        except BaseException:
            self._backend.destroy(vertices)
            raise
        self._backend.destroy(self.vertices)
        self._backend.destroy(self.indices)
        self.vertices, self.indices, self._ranges = vertices, indices, ranges

    def _geometry(self, name: str, usage: Usage, data: NDArray[Any]) -> PhysicalBuffer:
        info = BufferInfo(data.nbytes, frozenset({usage}))
        return self._backend.create_buffer(info, name, np.ascontiguousarray(data).tobytes())

    def _material_table(self) -> NDArray[Any]:
        table = np.zeros(len(self._material_numbers), MATERIAL)
        for material, number in self._material_numbers.items():
            table[number] = (
                material.base_color,
                (*material.emissive, material.metallic),
                (material.roughness, 0.0, 0.0, 0.0),
            )
        return table

    def close(self) -> None:
        """Give everything back."""
        for part in (self._instances, self._materials, self._hud, self.images, self.previous):
            part.close()
        for buffer in (self.vertices, self.indices):
            self._backend.destroy(buffer)
