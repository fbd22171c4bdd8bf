"""Where the maps of spot and point lights lie: tiles of one texture, one for a spot light and six for a point light.

Each tile sees a little more than its share, so that soft edges find what they need beside the border of a cube's face.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.renderer.blobs import SHADOW_CHANNELS, LightSet, Vec4
from renderwright.engine.scene.algebra import matrix_of_columns, multiply
from renderwright.plugins.shadows.settings import ShadowSettings

COLUMNS, ROWS = 4, 3
"""Tiles of the texture."""
NEAR = 0.05
"""Metres from a light to where its shadows begin."""
BORDER = 1.0 / 16.0
"""The part of a tile, on each side, that it sees beyond its share."""
FACES = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
_WIDEST = math.radians(80.0)
"""The largest outer angle of a spot light that one tile can show; wider ones get a cube."""


@dataclass(frozen=True)
class LocalShadows:
    """The blob ``shadows/local``: members fill the uniform block.

    ``matrices`` are those of the tiles, from world to clip space (reversed and infinite depth). Of each light,
    ``places`` has the position in xyz and the range in w; ``tiles`` the first tile in x, the number of tiles in y (0:
    it casts no shadow) and in z the size of a texel one metre away from the light. ``used`` is the number of tiles in
    use, ``channels`` that of lights.
    """

    matrices: tuple[glm.mat4, ...]
    places: tuple[Vec4, ...]
    tiles: tuple[Vec4, ...]
    used: int
    channels: int

    @classmethod
    def of(cls, lights: LightSet, settings: ShadowSettings) -> LocalShadows:
        """The tiles of the lights that cast shadows, in the order of their channels, as long as there are tiles."""
        matrices: list[glm.mat4] = []
        places: list[Vec4] = [(0.0, 0.0, 0.0, 0.0)] * SHADOW_CHANNELS
        tiles: list[Vec4] = [(0.0, 0.0, 0.0, 0.0)] * SHADOW_CHANNELS
        for number in range(lights.count):
            channel = int(lights.inner_cosine[number][1])
            if not 0 <= channel < settings.lights:
                continue
            x, y, z, reach = lights.position_radius[number]
            faces, slope = _faces(lights.direction_cosine[number])
            if len(matrices) + len(faces) > COLUMNS * ROWS:
                continue
            tiles[channel] = (len(matrices), len(faces), 2.0 * slope / settings.light_size, 0.0)
            places[channel] = (x, y, z, reach)
            matrices += [_seen_from(glm.vec3(x, y, z), face, slope) for face in faces]
        used = len(matrices)
        matrices += [glm.mat4(1.0)] * (COLUMNS * ROWS - used)
        channels = max((channel + 1 for channel, tile in enumerate(tiles) if tile[1]), default=0)
        return cls(tuple(matrices), tuple(places), tuple(tiles), used, channels)


def tile_place(tile: int) -> tuple[int, int]:
    """Column and row of a tile."""
    return tile % COLUMNS, tile // COLUMNS


def _faces(direction_cosine: Vec4) -> tuple[list[glm.vec3], float]:
    """The directions in which a light is seen from, and the tangent of half the angle across each tile."""
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
