"""The table of fitted lobes for light from rectangles, as a texture."""

from __future__ import annotations

import numpy as np

from renderwright.engine.renderer.lights.area_fit import SIZE, area_table
from renderwright.render.backend.protocol import Backend
from renderwright.render.graph.registry import Registry
from renderwright.render.kept_arrays import MadeBy, kept_arrays
from renderwright.render.types.physical import PhysicalTexture, TextureInfo
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage

AREA_TABLE = "area_light_table"
_FORMAT = "rgba16_sfloat"


class AreaTable:
    """The texture, made when it is first asked for."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._texture: PhysicalTexture | None = None

    @property
    def texture(self) -> PhysicalTexture:
        """The texture. Fits the lobes if the cache folder does not have them, which takes a second."""
        if self._texture is None:
            kept = kept_arrays("area_lights", MadeBy(area_table, ()), lambda: {"fit": area_table()})
            info = TextureInfo(_FORMAT, (SIZE, SIZE), 1, 1, 1, frozenset({Usage.SAMPLED}))
            self._texture = self._backend.create_texture(info, AREA_TABLE, kept["fit"].astype(np.float16))
        return self._texture

    def close(self) -> None:
        """Release the texture."""
        if self._texture is not None:
            self._backend.destroy(self._texture)


def declare_area_table(reg: Registry) -> None:
    """Declare the texture as an external resource. The application provides it."""
    reg.external(AREA_TABLE, Texture(_FORMAT, (SIZE, SIZE))).sampled()
