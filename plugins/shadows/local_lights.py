"""Shadow atlas of spot and point lights: one tile for a spot light, six for a point light.

Each tile's field of view has a border, so that filter taps near the edge of a cube face stay within one tile.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.renderer.blobs import SHADOW_CHANNELS, LightSet, Vec4
from renderwright.engine.scene.algebra import matrix_of_columns, multiply
from renderwright.plugins.shadows.settings import ShadowSettings

COLUMNS, ROWS = 4, 3
"""Tiles of the atlas."""
NEAR = 0.05
"""Near plane of a light's maps, in metres."""
BORDER = 1.0 / 16.0
"""Width of a tile's border on each side, as a share of the tile."""
FACES = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
_WIDEST = math.radians(80.0)
"""Largest outer angle of a spot light that one tile covers, in radians. Wider spot lights get six tiles."""


@dataclass(frozen=True)
class LocalShadows:
    """The blob ``shadows/local``. Its members fill the uniform block.

    ``matrices`` holds the world-to-clip matrix of each tile (reversed Z, infinite far plane). ``places`` holds, for
    each light, its position in xyz and its range in w. ``tiles`` holds, for each light, the first tile in x, the number
    of tiles in y (0: no shadow), and the size of a texel at a distance of one metre in z. ``used`` is the number of
    tiles in use, ``channels`` the highest channel in use plus 1.
    """

    matrices: tuple[glm.mat4, ...]
    places: tuple[Vec4, ...]
    tiles: tuple[Vec4, ...]
    used: int
    channels: int

    @classmethod
    def of(cls, lights: LightSet, settings: ShadowSettings) -> LocalShadows:
        """Assign tiles to the lights that have a shadow channel, in order. Lights that do not fit are skipped."""
        matrices: list[glm.mat4] = []
        places: list[Vec4] = [(0.0, 0.0, 0.0, 0.0)] * SHADOW_CHANNELS
        tiles: list[Vec4] = [(0.0, 0.0, 0.0, 0.0)] * SHADOW_CHANNELS
        for channel, light in enumerate(lights.shadowed[: settings.lights]):
            x, y, z, reach = light.position_radius
            faces, slope = _faces(light.direction_cosine)
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
