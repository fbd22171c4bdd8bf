"""Materials' images on the GPU, for as long as they are drawn: textures, and descriptor sets of them."""

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
"""The descriptor set of the surface shaders that holds a material's images."""

KEPT_FRAMES = 120
"""So many frames after it was last drawn an image leaves the GPU."""

#: The shaders' name for each image, and whether it holds colour that may be encoded in sRGB.
_SLOTS = (
    ("base_color_image", True),
    ("normal_image", False),
    ("metallic_roughness_image", False),
    ("emissive_image", True),
    ("occlusion_image", False),
)

_WHITE = (255, 255, 255, 255)

#: What stands in for an image that is on its way: no colour or strength of its own, and no light.
_STAND_INS = {"normal_image": (128, 128, 255, 255), "emissive_image": (0, 0, 0, 255)}


class _Arriving(Enum):
    """In place of an image that is not there yet."""

    ARRIVING = "arriving"


ImageSet = tuple[Image | None, ...]
"""A material's images in the order of the slots. Materials that differ in numbers only have the same one."""

_Shown = tuple[Image | _Arriving | None, ...]
"""The same as it can be shown in a frame."""

_TextureKey = tuple[Image, bool]
"""An image, and whether it is encoded in sRGB."""

_SetLayout = tuple[tuple[ShaderStage, ShaderBinding], ...]


def images_of(material: Material) -> ImageSet:
    """The material's images, None where it has none."""
    return tuple(getattr(material, slot) for slot, _ in _SLOTS)


class MaterialImages:
    """Makes textures and descriptor sets when they are first drawn; ``update`` once a frame drops what is not.

    With ``stream``, images that appear while others are drawn come in the background; something plain stands in for
    them until they are there. Otherwise, and for what the first frame draws, the frame waits.
    """

    def __init__(self, backend: Backend, *, stream: bool = False) -> None:
        self._backend = backend
        self._stream = stream
        self._frame = 0
        self._last_drawn: dict[_Shown, int] = {}
        self._sets: dict[_SetLayout, dict[_Shown, BindingSet]] = {}
        self._textures: dict[_TextureKey, Streamed[PhysicalTexture]] = {}
        self._plain = {color: self._upload_plain(color) for color in {_WHITE, *_STAND_INS.values()}}

    def update(self, drawn: Iterable[ImageSet]) -> None:
        """Begin a frame that draws these; give back what has not been drawn for ``KEPT_FRAMES``."""
        self._frame += 1
        wanted = list(dict.fromkeys(drawn))
        waits = not self._stream or not self._last_drawn
        for images in wanted:
            for image, srgb in _texture_keys(images):
                if (image, srgb) not in self._textures:
                    self._textures[image, srgb] = self._upload(image, srgb=srgb, waits=waits)
        self._last_drawn.update(dict.fromkeys(wanted, self._frame))
        self._last_drawn.update(dict.fromkeys([self._shown(images) for images in wanted], self._frame))
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
        """What gives the descriptor set with certain images, for this pipeline and those with the same set.

        The images belong to the frame that ``update`` has begun.
        """
        sets = self._sets.setdefault(_set_layout(pipeline.desc), {})

        def bindings(images: ImageSet) -> BindingSet:
            shown = self._shown(images)
            if shown not in sets:
                sets[shown] = self._backend.create_bindings(pipeline, MATERIAL_SET, self._entries(shown), "material")
            return sets[shown]

        return bindings

    def close(self) -> None:
        """Give everything back."""
        sets = [bindings for of_layout in self._sets.values() for bindings in of_layout.values()]
        textures = [streamed.asset for streamed in self._textures.values()]
        for resource in (*sets, *textures, *self._plain.values()):
            self._backend.destroy(cast(Any, resource))

    def _shown(self, images: ImageSet) -> _Shown:
        """What is there of the images in this frame."""
        return tuple(
            image if image is None or self._textures[_key_of(image, srgb)].resident else _Arriving.ARRIVING
            for image, (_, srgb) in zip(images, _SLOTS, strict=True)
        )

    def _entries(self, images: _Shown) -> dict[str, TextureBinding]:
        return {
            slot: TextureBinding(
                self._texture(image, slot, srgb), Layout.SHADER_READ_ONLY, Sampling("linear", "repeat")
            )
            for image, (slot, srgb) in zip(images, _SLOTS, strict=True)
        }

    def _texture(self, image: Image | _Arriving | None, slot: str, srgb: bool) -> PhysicalTexture:
        if isinstance(image, Image):
            return self._textures[_key_of(image, srgb)].asset
        # Without an image, a normal map is flat, and all else is a factor of one.
        without = slot != "normal_image" and image is None
        return self._plain[_WHITE if without else _STAND_INS.get(slot, _WHITE)]

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
    """The texture of an image in a slot that may hold sRGB."""
    return image, image.srgb and srgb


def _texture_keys(images: _Shown) -> list[_TextureKey]:
    return [_key_of(image, srgb) for image, (_, srgb) in zip(images, _SLOTS, strict=True) if isinstance(image, Image)]


def _set_layout(desc: PipelineDesc) -> _SetLayout:
    return tuple(
        (module.stage, binding) for module in desc.modules for binding in module.bindings if binding.set == MATERIAL_SET
    )
