"""What draws need to know of a mesh with a material. It stays as long as the pair is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from renderwright.engine.renderer.gpu_geometry import MeshRange
from renderwright.engine.renderer.level_commands import packed_levels
from renderwright.engine.renderer.material_textures import ImageSet, images_of
from renderwright.engine.renderer.surface_kinds import SURFACE_KINDS, SurfaceKind, surface_kind
from renderwright.engine.renderer.surface_variants import NO_SURFACES, ChosenSurfaces, SurfaceVariant, variant_of
from renderwright.engine.scene.draw_list import DrawBatch
from renderwright.engine.scene.material import ALPHA_MODES, AlphaMode, Material
from renderwright.engine.scene.mesh import Mesh

Look = tuple[ImageSet, SurfaceVariant | None]
"""The images and the variant of shaders that draws of one range have in common."""


class DrawKind(NamedTuple):
    """The draws of a pass with one pipeline: those of double-sided materials, or the others; perhaps casters only.

    All have materials of one alpha mode. Blended surfaces cast no shadows.
    """

    double_sided: bool
    casters_only: bool
    alpha: AlphaMode = "opaque"
    surface: SurfaceKind = "plain"


KINDS = tuple(
    DrawKind(sided, casters, alpha, surface)
    for casters in (False, True)
    for alpha in ALPHA_MODES
    for sided in (False, True)
    for surface in SURFACE_KINDS
)
"""All kinds in the order of their commands: those of all draws, then those of casters."""

_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}


@dataclass(frozen=True, eq=False)
class GpuSurface:
    """A mesh with a material: the ranges of the mesh and of its levels, the material's images, and the variant of
    shaders for its surface function."""

    mesh: Mesh
    material: Material
    place: MeshRange
    images: ImageSet
    levels: tuple[MeshRange, ...] = ()
    variant: SurfaceVariant | None = None
    #: The number in ``KINDS`` of its draws in passes that draw all.
    kind: int = field(init=False)
    blended: bool = field(init=False)
    #: ``packed_levels`` of the mesh.
    level_rows: bytes = field(init=False)

    def __post_init__(self) -> None:
        alpha = self.material.drawn_as
        kind = DrawKind(self.material.double_sided, False, alpha, surface_kind(self.mesh, self.material))
        object.__setattr__(self, "kind", _NUMBERS[kind])
        object.__setattr__(self, "blended", alpha == "blend")
        object.__setattr__(self, "level_rows", packed_levels(self.mesh, (self.place, *self.levels)))

    def look(self, *, by_images: bool) -> Look:
        """What its draws have to have in common with others to be in one range with them."""
        return self.images if by_images else (), self.variant


class GpuDraw(NamedTuple):
    """One indexed draw: a batch with its surface."""

    batch: DrawBatch
    surface: GpuSurface


class DrawnSurfaces:
    """The surfaces that are drawn, by mesh and material."""

    def __init__(self) -> None:
        self._ranges: Mapping[Mesh, MeshRange] = {}
        self._chosen = NO_SURFACES
        self._known: dict[tuple[Mesh, Material], GpuSurface] = {}

    def draws(
        self, batches: tuple[DrawBatch, ...], ranges: Mapping[Mesh, MeshRange], chosen: ChosenSurfaces
    ) -> list[GpuDraw]:
        """The draws of all batches whose meshes have ranges. Only surfaces that the last draws did not have are made.

        Pass the same ``ranges`` and ``chosen`` as long as they do not change.
        """
        if ranges is not self._ranges or chosen is not self._chosen:
            self._ranges, self._chosen, self._known = ranges, chosen, {}
        draws = []
        for batch in batches:
            surface = self._known.get((batch.mesh, batch.material))
            if surface is None:
                if batch.mesh not in ranges:
                    continue
                surface = self._new(batch.mesh, batch.material)
            draws.append(GpuDraw(batch, surface))
        drawn = {draw.surface for draw in draws}
        if len(drawn) < len(self._known):
            self._known = {(surface.mesh, surface.material): surface for surface in drawn}
        return draws

    def _new(self, mesh: Mesh, material: Material) -> GpuSurface:
        ranges, chosen = self._ranges, self._chosen
        levels = tuple(ranges[level.mesh] for level in mesh.levels)
        surface = GpuSurface(
            mesh, material, ranges[mesh], images_of(material, chosen), levels, variant_of(material, chosen)
        )
        self._known[mesh, material] = surface
        return surface
