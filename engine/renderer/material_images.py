"""Materials' images on the GPU, for as long as they are drawn: textures, and descriptor sets of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from engine.scene.image import Image
from engine.scene.material import Material
from render.backend.protocol import Backend, BindingSet, PhysicalTexture, Pipeline, PipelineDesc, TextureBinding
from render.graph.requests import Sampling
from render.memory.physical import TextureInfo
from render.shaders.module import ShaderBinding
from render.sync.flags import Layout
from render.sync.usages import ShaderStage, Usage

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

ImageSet = tuple[Image | None, ...]
"""A material's images in the order of the slots. Materials that differ in numbers only have the same one."""

_SetLayout = tuple[tuple[ShaderStage, ShaderBinding], ...]


def images_of(material: Material) -> ImageSet:
    """The material's images, None where it has none."""
    return tuple(getattr(material, slot) for slot, _ in _SLOTS)


class MaterialImages:
    """Makes textures and descriptor sets when they are first drawn; ``update`` once a frame drops what is not."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._frame = 0
        self._last_drawn: dict[ImageSet, int] = {}
        self._sets: dict[_SetLayout, dict[ImageSet, BindingSet]] = {}
        self._textures: dict[tuple[Image, bool], PhysicalTexture] = {}
        self._white = self._upload("white", np.full((1, 1, 4), 255, np.uint8), srgb=False)
        self._flat = self._upload("flat normal", np.array([[[128, 128, 255, 255]]], np.uint8), srgb=False)

    def update(self, drawn: Iterable[ImageSet]) -> None:
        """Begin a frame that draws these; give back what has not been drawn for ``KEPT_FRAMES``."""
        self._frame += 1
        self._last_drawn.update(dict.fromkeys(drawn, self._frame))
        old = [images for images, frame in self._last_drawn.items() if self._frame - frame > KEPT_FRAMES]
        if not old:
            return
        for images in old:
            del self._last_drawn[images]
            for sets in self._sets.values():
                if images in sets:
                    self._backend.destroy(sets.pop(images))
        left = {key for images in self._last_drawn for key in _texture_keys(images)}
        for key in [key for key in self._textures if key not in left]:
            self._backend.destroy(self._textures.pop(key))

    def bindings_for(self, pipeline: Pipeline) -> Callable[[ImageSet], BindingSet]:
        """What gives the descriptor set with certain images, for this pipeline and those with the same set.

        The images belong to the frame that ``update`` has begun.
        """
        sets = self._sets.setdefault(_set_layout(pipeline.desc), {})

        def bindings(images: ImageSet) -> BindingSet:
            if images not in sets:
                sets[images] = self._backend.create_bindings(pipeline, MATERIAL_SET, self._entries(images), "material")
            return sets[images]

        return bindings

    def close(self) -> None:
        """Give everything back."""
        sets = [bindings for of_layout in self._sets.values() for bindings in of_layout.values()]
        for resource in (*sets, *self._textures.values(), self._white, self._flat):
            self._backend.destroy(cast(Any, resource))

    def _entries(self, images: ImageSet) -> dict[str, TextureBinding]:
        return {
            slot: TextureBinding(
                self._texture(image, slot, srgb), Layout.SHADER_READ_ONLY, Sampling("linear", "repeat")
            )
            for image, (slot, srgb) in zip(images, _SLOTS, strict=True)
        }

    def _texture(self, image: Image | None, slot: str, srgb: bool) -> PhysicalTexture:
        if image is None:
            return self._flat if slot == "normal_image" else self._white
        key = (image, image.srgb and srgb)
        if key not in self._textures:
            self._textures[key] = self._upload(image.name, image.pixels, srgb=key[1])
        return self._textures[key]

    def _upload(self, name: str, pixels: NDArray[np.uint8], *, srgb: bool) -> PhysicalTexture:
        height, width = pixels.shape[:2]
        mips = max(width, height).bit_length()
        info = TextureInfo(
            "rgba8_srgb" if srgb else "rgba8_unorm", (width, height), mips, 1, 1, frozenset({Usage.SAMPLED})
        )
        return self._backend.create_texture(info, name, pixels)


def _texture_keys(images: ImageSet) -> list[tuple[Image, bool]]:
    return [(image, image.srgb and srgb) for image, (_, srgb) in zip(images, _SLOTS, strict=True) if image is not None]


def _set_layout(desc: PipelineDesc) -> _SetLayout:
    return tuple(
        (module.stage, binding) for module in desc.modules for binding in module.bindings if binding.set == MATERIAL_SET
    )
