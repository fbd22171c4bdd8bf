"""The scene on the GPU: geometry, instances and materials."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.arriving_casters import ArrivingCasters
from renderwright.engine.renderer.blended_order import BlendedOrder
from renderwright.engine.renderer.draw_buffers import DrawBuffers
from renderwright.engine.renderer.drawn_surfaces import DrawnSurfaces
from renderwright.engine.renderer.gpu_geometry import GpuGeometry, in_upload_order
from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.renderer.instances import Instances
from renderwright.engine.renderer.lights.area_table import AreaTable
from renderwright.engine.renderer.lights.light_rows import ROW, Rows
from renderwright.engine.renderer.lights.light_table import LightTable
from renderwright.engine.renderer.material_images import MaterialImages
from renderwright.engine.renderer.material_table import MaterialTable
from renderwright.engine.renderer.material_textures import ImageSet, images_of
from renderwright.engine.renderer.placed_buffers import PlacedBuffers
from renderwright.engine.renderer.previous_models import PreviousModels
from renderwright.engine.renderer.skinning.gpu_skinning import GpuSkinning
from renderwright.engine.renderer.sprites import GpuSprites
from renderwright.engine.renderer.surface_variants import NO_SURFACES, ChosenSurfaces
from renderwright.engine.renderer.verdicts import Verdicts
from renderwright.engine.scene.draw_list import DrawBatch, DrawList
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.views import View
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage

NO_LIGHTS: Rows = np.zeros((0, ROW), np.float32)


class GpuScene:
    """The GPU's copy of a scene. Call ``update`` once per frame, before the graph runs.

    With ``stream``, meshes and images that appear while the game runs are uploaded in the background and drawn once
    they are resident: at once if they are small, else in a frame that depends on the machine.
    """

    def __init__(self, backend: Backend, *, stream: bool = False, anisotropy: float = 1.0) -> None:
        self._instances = Instances(backend)
        self._materials = MaterialTable(backend)
        self._lights = LightTable(backend)
        self.area_table = AreaTable(backend)
        self._hud = GrowingBuffer(backend, "hud vertices", Usage.VERTEX)
        self.images = MaterialImages(backend, stream=stream, anisotropy=anisotropy)
        self._geometry = GpuGeometry(backend, stream=stream)
        self.draws = DrawBuffers(backend, by_images=not self.images.indexed)
        self.skinning = GpuSkinning(backend)
        self.blended = BlendedOrder(backend, by_images=not self.images.indexed)
        self._verdicts = Verdicts(backend)
        self.sprites = GpuSprites(backend)
        self.placed = PlacedBuffers(backend)
        self._count = 0
        self._slot = 0
        self._drawn: tuple[DrawBatch, ...] | None = None
        self._unnumbered = False  # whether materials may lack the numbers of their images
        self._drawn_surfaces = DrawnSurfaces()
        self._surfaces = NO_SURFACES
        self._finest: tuple[Mesh, ...] = ()
        self._meshes: tuple[Mesh, ...] = ()
        self._image_sets: tuple[ImageSet, ...] = ()
        self.arriving = ArrivingCasters()
        self.instances: PhysicalBuffer
        self.materials: PhysicalBuffer
        self.hud_vertices: PhysicalBuffer
        self.lights: PhysicalBuffer
        nothing = DrawList.empty()
        self.previous = PreviousModels(backend, nothing)
        self.update(nothing, np.zeros((0, 8), np.float32), 0)

    def update(
        self,
        draws: DrawList,
        hud: NDArray[np.float32],
        slot: int,
        lights: Rows = NO_LIGHTS,
        views: Sequence[View] = (),
        surfaces: ChosenSurfaces = NO_SURFACES,
        time: float = 0.0,
    ) -> None:
        """Update geometry, instances, materials, HUD vertices and local lights for a frame slot that shows the views.

        The arrays ``hud`` and ``lights`` do not change any more. ``surfaces``, the same object as long as nothing
        changes, are the surface functions, for which it is ``time``.
        """
        arranged_anew = draws.batches is not self._drawn or surfaces is not self._surfaces
        if arranged_anew:
            self._follow_meshes(draws.batches)
            self._surfaces = surfaces
            self._materials.update((batch.material for batch in draws.batches), surfaces)
        rebuilt = self._geometry.update(self._meshes) or arranged_anew
        if rebuilt:
            self._rebuild(draws.batches)
        self._unnumbered |= arranged_anew
        if self.images.update(self._image_sets) or rebuilt:
            self.arriving = ArrivingCasters.of(draws.batches, self._geometry.ranges, self._has_its_images)
        if self._unnumbered and self.images.indexed:
            self._materials.set_images(self.images.numbers_of)
        self._unnumbered = False
        self.skinning.update(draws, self._geometry.ranges, slot)
        self.previous.update(draws, slot, self.skinning.moved)
        self.draws.update(self.previous, slot)
        self.blended.update(draws, views, slot)
        self._count, self._slot = len(draws.models), slot
        self.instances = self._instances.write(slot, draws, self._materials.numbers)
        self.materials = self._materials.write(slot)
        self._materials.surfaces.begin(time)
        self.hud_vertices = self._hud.write_once(slot, hud)
        self.lights = self._lights.write(slot, lights)
        self.area_table.update(lights)
        self.sprites.update(slot)

    def _rebuild(self, batches: tuple[DrawBatch, ...]) -> None:
        draws = self._drawn_surfaces.draws(batches, self._geometry.ranges, self._surfaces)
        self.draws.set(draws)
        self.blended.set(draws)
        materials = self._materials.numbers
        image_sets = tuple(dict.fromkeys([images_of(material, self._surfaces) for material in materials]))
        if image_sets != self._image_sets:
            self._image_sets = image_sets
        self._drawn = batches

    def _has_its_images(self, material: Material) -> bool:
        return self.images.are_resident(images_of(material, self._surfaces))

    def _follow_meshes(self, batches: tuple[DrawBatch, ...]) -> None:
        finest = tuple(dict.fromkeys([batch.mesh for batch in batches]))
        if finest != self._finest:
            self._finest, self._meshes = finest, _with_levels(finest)

    @property
    def vertices(self) -> PhysicalBuffer:
        """Vertex buffer of all meshes."""
        return self._geometry.vertices

    @property
    def indices(self) -> PhysicalBuffer:
        """Index buffer of all meshes. Indices are relative to the mesh's first vertex."""
        return self._geometry.indices

    @property
    def attributes(self) -> PhysicalBuffer:
        """Attributes of vertices that only some meshes have."""
        return self._geometry.attributes

    @property
    def layers(self) -> PhysicalBuffer:
        """Layers of all materials."""
        return self._materials.layers(self._slot)

    @property
    def surfaces(self) -> PhysicalBuffer:
        """What surface functions read."""
        return self._materials.surfaces.buffer(self._slot)

    def verdicts(self, player: int) -> PhysicalBuffer:
        """What occlusion culling makes of the instances for a player."""
        return self._verdicts.of(player, self._count)

    def close(self) -> None:
        """Release all resources."""
        buffers = (self._instances, self._materials, self._hud, self._lights, self._verdicts, self._geometry)
        lists = (self.previous, self.draws, self.blended, self.sprites, self.placed)
        for part in (*buffers, *lists, self.area_table, self.images, self.skinning):
            part.close()


def _with_levels(finest: Sequence[Mesh]) -> tuple[Mesh, ...]:
    """The meshes and all of their levels."""
    meshes: dict[Mesh, None] = {}
    for mesh in finest:
        meshes[mesh] = None
        meshes.update(dict.fromkeys(level.mesh for level in mesh.levels))
    return in_upload_order(meshes)
