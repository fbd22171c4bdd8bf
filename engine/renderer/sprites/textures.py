"""The textures of sprites, with premultiplied alpha."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.hud.font import default_atlas
from renderwright.engine.renderer.set_layouts import MATERIAL_SET, SetLayout, material_layout
from renderwright.engine.scene.image import Image
from renderwright.engine.sprites.pieces import Source
from renderwright.render.backend.protocol import Backend, BindingSet, Pipeline, TextureBinding
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import PhysicalTexture, TextureInfo
from renderwright.render.types.sampling import Sampling
from renderwright.render.types.usages import Usage

KEPT_FRAMES = 120
"""Frames without a draw after which a texture is released."""

_GLYPH_MIPS = 3
"""Mips of the glyph sheet; in further ones its glyphs would run into each other."""


class SpriteTextures:
    """Creates textures on first use. ``update``, called once per frame, drops unused ones."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._frame = 0
        self._wanted: object = None
        # Frames in which textures were not shown any more.
        self._left: dict[Source, int] = {}
        self._textures: dict[Source, PhysicalTexture] = {}
        self._sets: dict[SetLayout, dict[Source, BindingSet]] = {}

    def update(self, wanted: object, sources: Callable[[], Iterable[Source]]) -> None:
        """Begin a frame that shows ``sources``; ``wanted`` is the same object as long as they do not change."""
        self._frame += 1
        if wanted is not self._wanted:
            self._wanted = wanted
            shown = dict.fromkeys(sources())
            for source in shown:
                if source not in self._textures:
                    self._textures[source] = self._upload(source)
            self._left = {
                source: self._left.get(source, self._frame) for source in self._textures if source not in shown
            }
        for source in [source for source, frame in self._left.items() if self._frame - frame > KEPT_FRAMES]:
            self._release(source)

    def bindings_for(self, pipeline: Pipeline) -> Callable[[Source], BindingSet]:
        """A function from sources to descriptor sets, for this pipeline and those with the same set layout."""
        sets = self._sets.setdefault(material_layout(pipeline.desc), {})

        def bindings(source: Source) -> BindingSet:
            if source not in sets:
                sampling = Sampling("linear" if source.smooth else "nearest")
                bound = TextureBinding(self._textures[source], Layout.SHADER_READ_ONLY, sampling)
                sets[source] = self._backend.create_bindings(pipeline, MATERIAL_SET, {"sprite_image": bound}, "sprite")
            return sets[source]

        return bindings

    def close(self) -> None:
        """Release all textures."""
        for source in list(self._textures):
            self._release(source)

    def _release(self, source: Source) -> None:
        for sets in self._sets.values():
            if source in sets:
                self._backend.destroy(sets.pop(source))
        self._backend.destroy(self._textures.pop(source))
        self._left.pop(source, None)

    def _upload(self, source: Source) -> PhysicalTexture:
        image = source.image
        if image is None:
            return self._create("glyphs", "r8_unorm", default_atlas().coverage[:, :, np.newaxis], _GLYPH_MIPS)
        format, mips = "rgba8_srgb" if image.srgb else "rgba8_unorm", max(image.extent).bit_length()
        return self._create(image.name, format, premultiplied(image), mips if source.smooth else 1)

    def _create(self, name: str, format: str, pixels: NDArray[np.uint8], mips: int) -> PhysicalTexture:
        height, width = pixels.shape[:2]
        info = TextureInfo(format, (width, height), mips, 1, 1, frozenset({Usage.SAMPLED}))
        return self._backend.create_texture(info, name, pixels)


def premultiplied(image: Image) -> NDArray[np.uint8]:
    """The texels with their light multiplied by alpha; colours that are sRGB-encoded are so afterwards, too."""
    alpha = image.pixels[..., 3:]
    if (alpha == 255).all():
        return image.pixels
    share = alpha.astype(np.float32) / 255.0
    color = image.pixels[..., :3].astype(np.float32) / 255.0
    light = _encoded(_decoded(color) * share) if image.srgb else color * share
    return np.concatenate([np.rint(light * 255.0).astype(np.uint8), alpha], axis=-1)


def _decoded(color: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4).astype(np.float32)


def _encoded(light: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1.0 / 2.4) - 0.055).astype(np.float32)
