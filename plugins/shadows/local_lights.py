"""Shadow maps of spot and point lights: a texture for each, with one tile for a spot light, six for a point light.

Each tile's field of view has a border, so that filter taps near the edge of a cube face stay within one tile.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.renderer.blobs import SHADOW_CHANNELS, Vec4
from renderwright.engine.renderer.geometry import DrawSet
from renderwright.engine.renderer.lights.shadowed_lights import ShadowedLights
from renderwright.engine.scene.algebra import matrix_of_columns, multiply
from renderwright.plugins.shadows.settings import ShadowSettings

COLUMNS, ROWS = 3, 2
"""Tiles of a light's texture."""
NEAR = 0.05
"""Near plane of a light's maps, in metres."""
BORDER = 1.0 / 16.0
"""Width of a tile's border on each side, as a share of the tile."""
_NOTHING: Vec4 = (0.0, 0.0, 0.0, 0.0)
FACES = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
_WIDEST = math.radians(80.0)
"""Largest outer angle of a spot light that one tile covers, in radians. Wider spot lights get six tiles."""


@dataclass(frozen=True)
class LampMaps:
    """The blob ``shadows/lamp_N``: all that the maps of a channel show. They are drawn when it changes.

    ``matrices`` has the world-to-clip matrix of each tile (reversed Z, infinite far plane), ``moves`` and ``draws`` say
    which casters there are, and where.
    """

    matrices: tuple[glm.mat4, ...]
    moves: int
    draws: DrawSet


@dataclass(frozen=True)
class LocalShadows:
    """The blob ``shadows/local``. Its members fill the uniform block.

    ``matrices`` holds the matrix of each tile, six for each channel. ``places`` holds, for each channel, the light's
    position in xyz and its range in w. ``tiles`` holds, for each channel, the number of tiles in x (0: no shadow), and
    the size of a texel at a distance of one metre in y.
    """

    matrices: tuple[glm.mat4, ...]
    places: tuple[Vec4, ...]
    tiles: tuple[Vec4, ...]

    @classmethod
    def of(cls, shadowed: ShadowedLights, settings: ShadowSettings) -> LocalShadows:
        """The tiles of the lights that have a shadow channel, of the first few channels by the settings."""
        matrices: list[glm.mat4] = []
        places: list[Vec4] = [_NOTHING] * SHADOW_CHANNELS
        tiles: list[Vec4] = [_NOTHING] * SHADOW_CHANNELS
        for channel in range(SHADOW_CHANNELS):
            light = shadowed.lights[channel] if channel < min(len(shadowed.lights), settings.lights) else None
            faces: list[glm.vec3] = []
            if light is not None:
                x, y, z, _ = places[channel] = light.position_radius
                faces, slope = _faces(light.direction_cosine)
                tiles[channel] = (len(faces), 2.0 * slope / settings.light_size, 0.0, 0.0)
                matrices += [_seen_from(glm.vec3(x, y, z), face, slope) for face in faces]
            matrices += [glm.mat4(1.0)] * (COLUMNS * ROWS - len(faces))
        return cls(tuple(matrices), tuple(places), tuple(tiles))

    def tiles_of(self, channel: int) -> tuple[glm.mat4, ...]:
        """The matrices of a channel's tiles; none without a light."""
        first = channel * COLUMNS * ROWS
        return self.matrices[first : first + int(self.tiles[channel][0])]


def tile_place(tile: int) -> tuple[int, int]:
    """Column and row of a tile."""
    return tile % COLUMNS, tile // COLUMNS


def _faces(direction_cosine: Vec4) -> tuple[list[glm.vec3], float]:
    """The view directions of a light's tiles, and the tangent of half the field of view of each tile."""
    x, y, z, cosine = direction_cosine
    border = 1.0 / (1.0 - 2.0 * BORDER)
    if cosine > math.cos(_WIDEST):
        return [glm.vec3(x, y, z)], math.tan(math.acos(cosine)) * border
    return [glm.vec3(*face) for face in FACES], border


def _seen_from(position: glm.vec3, direction: glm.vec3, slope: float) -> glm.mat4:
    axis = glm.vec3(0.0, 0.0, 1.0) if abs(direction.y) > 0.99 else glm.vec3(0.0, 1.0, 0.0)
    projection = matrix_of_columns(
        (1.0 / slope, 0.0, 0.0, 0.0), (0.0, 1.0 / slope, 0.0, 0.0), (0.0, 0.0, 0.0, -1.0), (0.0, 0.0, NEAR, 0.0)
    )
    return multiply(projection, glm.lookAt(position, position + direction, axis))
