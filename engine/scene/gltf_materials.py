"""glTF materials and their images."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.decoding import shown
from renderwright.engine.scene.gltf_file import GltfFile
from renderwright.engine.scene.gltf_images import GltfImages
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import ALPHA_MODES, AlphaMode, Material
from renderwright.render.errors import UsageError

#: glTF's default for a primitive without a material.
DEFAULT_MATERIAL = Material(metallic=1.0, roughness=1.0)


class GltfMaterials:
    """Reads the materials of one file, each once. Images with the same use are shared."""

    def __init__(self, file: GltfFile) -> None:
        self._file = file
        self._materials: dict[int, Material] = {}
        self._images = GltfImages(file)

    def material(self, index: int | None, user: str) -> Material:
        """Material ``index``, referenced by ``user``. Raises AssetError."""
        if index is None:
            return DEFAULT_MATERIAL
        source = self._file.element("materials", index, user)
        if index not in self._materials:
            label = self._file.label("materials", index)
            try:
                self._materials[index] = self._read(source, label)
            except UsageError as error:
                raise self._file.problem(label, error.message, hint=error.hint) from error
        return self._materials[index]

    def _read(self, source: Any, label: str) -> Material:
        pbr = source.pbrMetallicRoughness
        alpha_mode = self._alpha_mode(source.alphaMode or "OPAQUE", label)
        extension = (source.extensions or {}).get("KHR_materials_emissive_strength", {})
        strength = _factor(extension.get("emissiveStrength"))
        emissive_image = self._image(source.emissiveTexture, label, srgb=True)
        if source.emissiveTexture is not None and emissive_image is None:
            strength = 0.0  # the whole surface would shine
        red, green, blue = (float(value) for value in source.emissiveFactor or (0.0, 0.0, 0.0))
        return Material(
            emissive=(red * strength, green * strength, blue * strength),
            base_color=self._base_color(pbr, alpha_mode, label),
            metallic=_factor(pbr and pbr.metallicFactor),
            roughness=_factor(pbr and pbr.roughnessFactor),
            base_color_image=self._image(pbr and pbr.baseColorTexture, label, srgb=True),
            metallic_roughness_image=self._image(pbr and pbr.metallicRoughnessTexture, label, srgb=False),
            normal_image=self._normal_image(source.normalTexture, label),
            emissive_image=emissive_image,
            occlusion_image=self._occlusion_image(source.occlusionTexture, label),
            double_sided=bool(source.doubleSided),
            alpha_mode=alpha_mode,
            alpha_cutoff=0.5 if source.alphaCutoff is None else min(float(source.alphaCutoff), 1.0),
        )

    def _alpha_mode(self, given: Any, label: str) -> AlphaMode:
        for mode in ALPHA_MODES:
            if given == mode.upper():
                return mode
        self._file.notices.add(label, f"drawn opaque, there is no alpha mode {shown(str(given))}")
        return "opaque"

    def _base_color(self, pbr: Any, alpha_mode: AlphaMode, label: str) -> tuple[float, float, float, float]:
        """The base colour, with alpha 1 where the mode ignores it."""
        factors = pbr.baseColorFactor if pbr else None
        if not factors:
            return DEFAULT_MATERIAL.base_color
        if len(factors) != 4:
            raise self._file.problem(label, f"a base colour of {len(factors)} numbers instead of 4")
        red, green, blue, alpha = (float(value) for value in factors)
        return (red, green, blue, 1.0 if alpha_mode == "opaque" else alpha)

    def _normal_image(self, texture: Any, label: str) -> Image | None:
        image = self._image(texture, label, srgb=False)
        scale = _factor(texture and texture.scale)
        return image if image is None or scale == 1.0 else replace(image, pixels=scaled_normals(image.pixels, scale))

    def _occlusion_image(self, texture: Any, label: str) -> Image | None:
        image = self._image(texture, label, srgb=False)
        strength = _factor(texture and texture.strength)
        if image is None or strength == 1.0:
            return image
        pixels = image.pixels.copy()
        pixels[..., 0] = np.rint(255.0 + strength * (pixels[..., 0].astype(np.float32) - 255.0))
        return replace(image, pixels=pixels)

    def _image(self, texture: Any, label: str, *, srgb: bool) -> Image | None:
        if texture is None:
            return None
        if texture.texCoord:
            self._file.notices.add(label, f"texture coordinates {shown(str(texture.texCoord))} taken as 0")
        return self._images.of_texture(texture.index, label, srgb=srgb)


def scaled_normals(pixels: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """A normal map with its x and y scaled by glTF's ``normalTexture.scale``."""
    normals = pixels[..., :3].astype(np.float32) / 127.5 - 1.0
    normals[..., :2] *= scale
    length = np.linalg.norm(normals, axis=-1, keepdims=True)
    scaled = pixels.copy()
    scaled[..., :3] = np.rint((normals / np.maximum(length, 1e-6) + 1.0) * 127.5)
    return scaled


def _factor(value: Any) -> float:
    return 1.0 if value is None else float(value)
