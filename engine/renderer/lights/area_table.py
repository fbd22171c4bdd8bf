"""The table of fitted lobes for light from rectangles, as a texture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.lights.area_fit import SIZE, area_table
from renderwright.engine.renderer.lights.light_rows import Rows, has_rectangles
from renderwright.render.backend.protocol import Backend
from renderwright.render.graph.registry import Registry
from renderwright.render.kept_arrays import MadeBy, kept_arrays
from renderwright.render.types.physical import PhysicalTexture, TextureInfo
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage

AREA_TABLE = "area_light_table"
_FORMAT = "rgba16_sfloat"


class AreaTable:
    """The texture: zeros until a scene has rectangles, since lights that are no rectangles do not read it."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._empty: PhysicalTexture | None = None
        self._fitted: PhysicalTexture | None = None

    def update(self, lights: Rows) -> None:
        """Fit the lobes once lights have rectangles among them; a second, if the cache folder does not have the fit."""
        if self._fitted is None and has_rectangles(lights):
            kept = kept_arrays("area_lights", MadeBy(area_table, ()), lambda: {"fit": area_table()})
            self._fitted = self._texture(kept["fit"])

    @property
    def texture(self) -> PhysicalTexture:
        """The texture of the last update's lights."""
        if self._fitted is not None:
            return self._fitted
        if self._empty is None:
            self._empty = self._texture(np.zeros((SIZE, SIZE, 4)))
        return self._empty

    def _texture(self, texels: NDArray[Any]) -> PhysicalTexture:
        info = TextureInfo(_FORMAT, (SIZE, SIZE), 1, 1, 1, frozenset({Usage.SAMPLED}))
        return self._backend.create_texture(info, AREA_TABLE, texels.astype(np.float16))

    def close(self) -> None:
        """Release the textures."""
        for texture in (self._empty, self._fitted):
            if texture is not None:
                self._backend.destroy(texture)


def declare_area_table(reg: Registry) -> None:
    """Declare the texture as an external resource. The application provides it."""
    reg.external(AREA_TABLE, Texture(_FORMAT, (SIZE, SIZE))).sampled()
