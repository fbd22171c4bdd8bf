"""Textures and descriptor sets of the material images in use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, cast

import numpy as np

from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import Material
from renderwright.render.backend.protocol import Backend, BindingSet, Pipeline, PipelineDesc, TextureBinding
from renderwright.render.backend.streamed import Streamed
from renderwright.render.shaders.module import ShaderBinding
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import PhysicalTexture, TextureInfo
from renderwright.render.types.sampling import Sampling
from renderwright.render.types.usages import ShaderStage, Usage

MATERIAL_SET = 1
"""Descriptor set number of a material's images in the surface shaders."""

KEPT_FRAMES = 120
"""Frames without a draw after which an image is released."""

#: Shader name of each image, and whether it holds colour that may be sRGB-encoded.
_SLOTS = (
    ("base_color_image", True),
    ("normal_image", False),
    ("metallic_roughness_image", False),
    ("emissive_image", True),
    ("occlusion_image", False),
)

_WHITE = (255, 255, 255, 255)

#: Placeholders of images whose upload is in progress: a flat normal and no emission; white for the others.
_PLACEHOLDERS = {"normal_image": (128, 128, 255, 255), "emissive_image": (0, 0, 0, 255)}


class _Arriving(Enum):
    """Marks an image whose upload is in progress."""

    ARRIVING = "arriving"


ImageSet = tuple[Image | None, ...]
"""A material's images in the order of the slots. Materials that differ only in factors have equal sets."""

_Shown = tuple[Image | _Arriving | None, ...]
"""An image set with the images that are resident in a frame."""

_TextureKey = tuple[Image, bool]
"""An image, and whether it is sRGB-encoded."""

_SetLayout = tuple[tuple[ShaderStage, ShaderBinding], ...]


def images_of(material: Material) -> ImageSet:
    """The material's images; None for empty slots."""
    return tuple(getattr(material, slot) for slot, _ in _SLOTS)


class MaterialImages:
    """Creates textures and descriptor sets on first use. ``update``, called once per frame, drops unused ones.

    With ``stream``, images that appear later are uploaded in the background, with placeholders until they are resident.
    Without it, and in the first frame, the frame waits for the upload. ``anisotropy`` is that of ``Sampling``.
    ``shown`` are the image sets of the frame, with marks for images in progress.
    """

    def __init__(self, backend: Backend, *, stream: bool = False, anisotropy: float = 1.0) -> None:
        self._backend = backend
        self._sampling = Sampling("linear", "repeat", anisotropy)
        self._stream = stream
        self._frame = 0
        self.shown: tuple[_Shown, ...] = ()
        self._last_drawn: dict[_Shown, int] = {}
        self._sets: dict[_SetLayout, dict[_Shown, BindingSet]] = {}
        self._textures: dict[_TextureKey, Streamed[PhysicalTexture]] = {}
        self._plain = {color: self._upload_plain(color) for color in {_WHITE, *_PLACEHOLDERS.values()}}

    def update(self, drawn: Iterable[ImageSet]) -> None:
        """Begin a frame that draws ``drawn``. Releases images without a draw for ``KEPT_FRAMES``."""
        self._frame += 1
        wanted = list(dict.fromkeys(drawn))
        waits = not self._stream or not self._last_drawn
        for images in wanted:
            for image, srgb in _texture_keys(images):
                if (image, srgb) not in self._textures:
                    self._textures[image, srgb] = self._upload(image, srgb=srgb, waits=waits)
        self._last_drawn.update(dict.fromkeys(wanted, self._frame))
        self.shown = tuple([self._shown(images) for images in wanted])
        self._last_drawn.update(dict.fromkeys(self.shown, self._frame))
        old = [shown for shown, frame in self._last_drawn.items() if self._frame - frame > KEPT_FRAMES]
        if not old:
            return
        for shown in old:
            del self._last_drawn[shown]
            for sets in self._sets.values():
                if shown in sets:
                    self._backend.destroy(sets.pop(shown))
        left = {key for shown in self._last_drawn for key in _texture_keys(shown)}
        for key in [key for key in self._textures if key not in left]:
            self._backend.destroy(self._textures.pop(key).asset)

    def bindings_for(self, pipeline: Pipeline) -> Callable[[ImageSet], BindingSet]:
        """A function from images to descriptor sets, for this pipeline and those with the same set layout.

        The images must belong to the frame that ``update`` has begun.
        """
        sets = self._sets.setdefault(_set_layout(pipeline.desc), {})

        def bindings(images: ImageSet) -> BindingSet:
            shown = self._shown(images)
            if shown not in sets:
                sets[shown] = self._backend.create_bindings(pipeline, MATERIAL_SET, self._entries(shown), "material")
            return sets[shown]

        return bindings

    def close(self) -> None:
        """Release all resources."""
        sets = [bindings for of_layout in self._sets.values() for bindings in of_layout.values()]
        textures = [streamed.asset for streamed in self._textures.values()]
        for resource in (*sets, *textures, *self._plain.values()):
            self._backend.destroy(cast(Any, resource))

    def _shown(self, images: ImageSet) -> _Shown:
        """The images as available in this frame, with marks for those in progress."""
        return tuple(
            image if image is None or self._textures[_key_of(image, srgb)].resident else _Arriving.ARRIVING
            for image, (_, srgb) in zip(images, _SLOTS, strict=True)
        )

    def _entries(self, images: _Shown) -> dict[str, TextureBinding]:
        return {
            slot: TextureBinding(self._texture(image, slot, srgb), Layout.SHADER_READ_ONLY, self._sampling)
            for image, (slot, srgb) in zip(images, _SLOTS, strict=True)
        }

    def _texture(self, image: Image | _Arriving | None, slot: str, srgb: bool) -> PhysicalTexture:
        if isinstance(image, Image):
            return self._textures[_key_of(image, srgb)].asset
        # Defaults without an image: a flat normal, white for all others.
        without = slot != "normal_image" and image is None
        return self._plain[_WHITE if without else _PLACEHOLDERS.get(slot, _WHITE)]

    def _upload(self, image: Image, *, srgb: bool, waits: bool) -> Streamed[PhysicalTexture]:
        height, width = image.pixels.shape[:2]
        format, mips = "rgba8_srgb" if srgb else "rgba8_unorm", max(width, height).bit_length()
        info = TextureInfo(format, (width, height), mips, 1, 1, frozenset({Usage.SAMPLED}))
        if waits:
            return Streamed.resident_now(self._backend.create_texture(info, image.name, image.pixels))
        return self._backend.stream_texture(info, image.name, image.pixels)

    def _upload_plain(self, color: tuple[int, ...]) -> PhysicalTexture:
        info = TextureInfo("rgba8_unorm", (1, 1), 1, 1, 1, frozenset({Usage.SAMPLED}))
        return self._backend.create_texture(info, f"plain {color}", np.array([[color]], np.uint8))


def _key_of(image: Image, srgb: bool) -> _TextureKey:
    """The texture key of an image in a slot. ``srgb`` tells whether the slot may hold sRGB."""
    return image, image.srgb and srgb


def _texture_keys(images: _Shown) -> list[_TextureKey]:
    return [_key_of(image, srgb) for image, (_, srgb) in zip(images, _SLOTS, strict=True) if isinstance(image, Image)]


def _set_layout(desc: PipelineDesc) -> _SetLayout:
    return tuple(
        (module.stage, binding) for module in desc.modules for binding in module.bindings if binding.set == MATERIAL_SET
    )
