"""The HUDs' textures on the device: the glyph atlas, and the page of images and text runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.hud.font import Atlas
from renderwright.engine.hud.page import ImagePage
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.physical import PhysicalTexture, TextureInfo
from renderwright.render.types.usages import Usage


class HudTextures:
    """Holds both textures. Call ``update`` once per frame, before the graph runs."""

    def __init__(self, backend: Backend, atlas: Atlas) -> None:
        self._backend = backend
        self.atlas = self._upload("hud atlas", "r8_unorm", atlas.coverage[:, :, np.newaxis])
        # An empty page has a single transparent texel.
        self.images = self._upload("hud images", "rgba8_unorm", np.zeros((1, 1, 4), np.uint8))
        self._shown: tuple[ImagePage, int] | None = None

    def update(self, page: ImagePage) -> None:
        """Upload the page if it has changed."""
        if not page.revision or self._shown == (page, page.revision):
            return
        self._shown = (page, page.revision)
        self._backend.destroy(self.images)
        self.images = self._upload("hud images", "rgba8_unorm", page.pixels)

    def close(self) -> None:
        """Release both."""
        self._backend.destroy(self.atlas)
        self._backend.destroy(self.images)

    def _upload(self, name: str, format: str, pixels: NDArray[np.uint8]) -> PhysicalTexture:
        height, width = pixels.shape[:2]
        info = TextureInfo(format, (width, height), 1, 1, 1, frozenset({Usage.SAMPLED}))
        return self._backend.create_texture(info, name, pixels)
