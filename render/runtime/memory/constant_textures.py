"""Textures of one texel, for optional textures that are absent."""

from __future__ import annotations

import numpy as np

from renderwright.render.backend.protocol import Backend
from renderwright.render.types.physical import PhysicalTexture, TextureInfo
from renderwright.render.types.usages import Usage


class ConstantTextures:
    """A texture of one texel for each value, made when it is first asked for."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._textures: dict[float, PhysicalTexture] = {}

    def texture(self, value: float) -> PhysicalTexture:
        """The texture with this value in all four channels. It is always readable by shaders."""
        if value not in self._textures:
            info = TextureInfo("rgba32_sfloat", (1, 1), 1, 1, 1, frozenset({Usage.SAMPLED}))
            texel = np.full((1, 1, 4), value, np.float32)
            self._textures[value] = self._backend.create_texture(info, f"constant {value:g}", texel)
        return self._textures[value]

    def destroy(self) -> None:
        """Destroy all textures."""
        for texture in self._textures.values():
            self._backend.destroy(texture)
        self._textures.clear()
