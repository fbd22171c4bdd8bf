"""Shadow maps of local lights: a texture for each, with one tile for a spot light, six for a point or rectangle light.

Each tile's field of view has a border, so that filter taps near the edge of a cube face stay within one tile.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.renderer.arriving_casters import ArrivingCasters
from renderwright.engine.renderer.blobs import SHADOW_CHANNELS, Vec4
from renderwright.engine.renderer.geometry import DrawSet
from renderwright.engine.renderer.lights.light_set import ShadowedLight
from renderwright.plugins.shadows.rectangle_tiles import rectangle_tiles
from renderwright.plugins.shadows.settings import ShadowSettings
from renderwright.plugins.shadows.tile import Tile

COLUMNS, ROWS = 3, 2
"""Tiles of a light's texture."""
TILES = COLUMNS * ROWS
BORDER = 1.0 / 16.0
"""Width of a tile's border on each side, as a share of the tile."""
_NOTHING: Vec4 = (0.0, 0.0, 0.0, 0.0)
FACES = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
_WIDEST = math.radians(80.0)
"""Largest outer angle of a spot light that one tile covers, in radians. Wider spot lights get six tiles."""


@dataclass(frozen=True)
class Lamps:
    """The blob ``shadows/lamps`` of a bank of slots: the lights, by slot."""

    lights: tuple[ShadowedLight | None, ...]


@dataclass(frozen=True)
class LampMaps:
    """The blob ``shadows/lamp_N``: all that the maps of a slot show. They are drawn when it changes.

    ``moves`` and ``arriving`` say which casters there are, and where.
    """

    light: ShadowedLight | None
    moves: int
    arriving: ArrivingCasters


@dataclass(frozen=True)
class LampCulling:
    """The blob ``shadows/lamp_culling_N``: what the list of the casters within a light's reach depends on.

    The list has rows and commands of the scene. It is made anew when these are others, although the ``maps`` stay:
    they may be drawn for other reasons, when they are declared anew.
    """

    maps: LampMaps
    arrangement: int
    draws: DrawSet


@dataclass(frozen=True)
class LampTiles:
    """The blob ``shadows/lamp_tiles_N``: the world-to-clip matrix of each tile (reversed Z, infinite far plane).

    It stays the same while only casters move, so that what draws the maps keeps its commands.
    """

    matrices: tuple[glm.mat4, ...]


@dataclass(frozen=True)
class LocalShadows:
    """The blob ``shadows/local`` of a bank of slots. Its members fill the uniform block.

    ``matrices`` and ``origins`` hold the matrix of each tile and where it is seen from, six for each slot.
    ``places`` holds, for each slot, the light's position in xyz and its range in w. ``tiles`` holds, for each
    slot, the number of tiles in x (0: no shadow), the size of a texel at a distance of one metre in y, and in zw
    half the width and height of the part of a rectangle that a tile is for, 0 for other lights.
    """

    matrices: tuple[glm.mat4, ...]
    origins: tuple[Vec4, ...]
    places: tuple[Vec4, ...]
    tiles: tuple[Vec4, ...]

    @classmethod
    def of(cls, lamps: Lamps, settings: ShadowSettings) -> LocalShadows:
        """The tiles of a bank's lights."""
        matrices = [glm.mat4(1.0)] * (TILES * SHADOW_CHANNELS)
        origins: list[Vec4] = [_NOTHING] * (TILES * SHADOW_CHANNELS)
        places: list[Vec4] = [_NOTHING] * SHADOW_CHANNELS
        counts: list[Vec4] = [_NOTHING] * SHADOW_CHANNELS
        for slot, light in enumerate(lamps.lights):
            if light is not None:
                places[slot] = light.position_radius
                tiles, (width, height) = _tiles_of(light)
                counts[slot] = (len(tiles), 2.0 * tiles[0].slope / settings.light_size, width, height)
                for number, tile in enumerate(tiles, slot * TILES):
                    matrices[number], origins[number] = tile.matrix, (*tile.origin, 0.0)
        return cls(tuple(matrices), tuple(origins), tuple(places), tuple(counts))

    def tiles_of(self, slot: int) -> LampTiles:
        """The tiles of a slot; none without a light."""
        first = slot * TILES
        return LampTiles(self.matrices[first : first + int(self.tiles[slot][0])])


def tile_place(tile: int) -> tuple[int, int]:
    """Column and row of a tile."""
    return tile % COLUMNS, tile // COLUMNS


def _tiles_of(light: ShadowedLight) -> tuple[list[Tile], tuple[float, float]]:
    """The tiles of a light, and half the width and height of the part of a rectangle that each is for."""
    if light.rectangle:
        return rectangle_tiles(light)
    faces, slope = _faces(light.direction_cosine)
    origin = glm.vec3(*light.position_radius[:3])
    return [Tile(origin, face, _upright(face), slope) for face in faces], (0.0, 0.0)


def _faces(direction_cosine: Vec4) -> tuple[list[glm.vec3], float]:
    """The view directions of a light's tiles, and the tangent of half the field of view of each tile."""
    x, y, z, cosine = direction_cosine
    border = 1.0 / (1.0 - 2.0 * BORDER)
    if cosine > math.cos(_WIDEST):
        return [glm.vec3(x, y, z)], math.tan(math.acos(cosine)) * border
    return [glm.vec3(*face) for face in FACES], border


def _upright(direction: glm.vec3) -> glm.vec3:
    return glm.vec3(0.0, 0.0, 1.0) if abs(direction.y) > 0.99 else glm.vec3(0.0, 1.0, 0.0)
