"""Dimensions of texture views in shaders (2D, array, cube), and the textures that support them."""

from __future__ import annotations

from enum import StrEnum

from renderwright.render.types.parts import Part
from renderwright.render.types.physical import TextureInfo

CUBE_FACES = 6
"""Layers of a cube: +X, -X, +Y, -Y, +Z, -Z."""


class Dimension(StrEnum):
    """The dimensions of a sampler or an image in GLSL; multisampled ones are 2D."""

    D2 = "2D"
    D2_ARRAY = "2DArray"
    CUBE = "Cube"
    CUBE_ARRAY = "CubeArray"


def misfit(info: TextureInfo, part: Part, dimension: Dimension) -> str:
    """The reason why a part of a texture has no view of that dimension; '' if it has one.

    Any range of layers is an array, one layer is also 2D. Six layers of a cube texture, starting at the first of a
    cube, are a cube; several such sixes are a cube array.
    """
    first, count = part.layers or (0, info.layers)
    has = f"{count} layer{'s' if count > 1 else ''}"
    if dimension is Dimension.D2_ARRAY:
        return ""
    if dimension is Dimension.D2:
        return "" if count == 1 else f"it has {has}, which make a 2DArray"
    if not info.cube:
        return "it was not made as a cube (Texture(..., layers=6, cube=True))"
    if first % CUBE_FACES or count % CUBE_FACES:
        return f"{has} from layer {first} on are not the faces of whole cubes"
    if dimension is Dimension.CUBE and count != CUBE_FACES:
        return f"it has {has}, which make a CubeArray"
    return ""
