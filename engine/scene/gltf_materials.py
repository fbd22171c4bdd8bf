"""glTF materials and their images."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.decoding import shown
from renderwright.engine.scene.gltf_file import GltfFile
from renderwright.engine.scene.image import Image, decode_image, image_extent
from renderwright.engine.scene.material import ALPHA_MODES, AlphaMode, Material
from renderwright.render.errors import AssetError, UsageError

_log = logging.getLogger("renderwright.assets")

#: glTF's default for a primitive without a material.
DEFAULT_MATERIAL = Material(metallic=1.0, roughness=1.0)


class GltfMaterials:
    """Reads the materials of one file, each once. Images with the same use are shared."""

    def __init__(self, file: GltfFile) -> None:
        self._file = file
        self._materials: dict[int, Material] = {}
        self._images: dict[tuple[int, bool], Image] = {}

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
        red, green, blue = (float(value) for value in source.emissiveFactor or (0.0, 0.0, 0.0))
        return Material(
            emissive=(red * strength, green * strength, blue * strength),
            base_color=self._base_color(pbr, alpha_mode, label),
            metallic=_factor(pbr and pbr.metallicFactor),
            roughness=_factor(pbr and pbr.roughnessFactor),
            base_color_image=self._image(pbr and pbr.baseColorTexture, label, srgb=True),
            metallic_roughness_image=self._image(pbr and pbr.metallicRoughnessTexture, label, srgb=False),
            normal_image=self._normal_image(source.normalTexture, label),
            emissive_image=self._image(source.emissiveTexture, label, srgb=True),
            occlusion_image=self._occlusion_image(source.occlusionTexture, label),
            double_sided=bool(source.doubleSided),
            alpha_mode=alpha_mode,
            alpha_cutoff=0.5 if source.alphaCutoff is None else min(float(source.alphaCutoff), 1.0),
        )

    def _alpha_mode(self, given: Any, label: str) -> AlphaMode:
        for mode in ALPHA_MODES:
            if given == mode.upper():
                return mode
        _log.warning("%s: %s: drawn opaque, there is no alpha mode %s", self._file.path, label, shown(str(given)))
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
        return image if image is None or scale == 1.0 else Image(image.name, scaled_normals(image.pixels, scale), False)

    def _occlusion_image(self, texture: Any, label: str) -> Image | None:
        image = self._image(texture, label, srgb=False)
        strength = _factor(texture and texture.strength)
        if image is None or strength == 1.0:
            return image
        pixels = image.pixels.copy()
        pixels[..., 0] = np.rint(255.0 + strength * (pixels[..., 0].astype(np.float32) - 255.0))
        return Image(image.name, pixels, False)

    def _image(self, texture: Any, label: str, *, srgb: bool) -> Image | None:
        if texture is None:
            return None
        if texture.texCoord:
            _log.warning("%s: %s: texture coordinates %d taken as 0", self._file.path, label, texture.texCoord)
        source = self._file.element("textures", texture.index, label).source
        if source is None:
            raise self._file.problem(
                f"textures[{texture.index}]",
                "no image in a core glTF format",
                hint="export PNG or JPEG images",
            )
        description = self._file.element("images", source, f"textures[{texture.index}]")
        key = (source, srgb)
        if key not in self._images:
            self._images[key] = self._decoded(description, self._file.label("images", source), srgb=srgb)
        return self._images[key]

    def _decoded(self, description: Any, label: str, *, srgb: bool) -> Image:
        if description.uri is not None:
            data = self._file.resource(description.uri, label)
        else:
            view = self._file.view(description.bufferView, label)
            self._file.spend("bytes", len(view), label)
            data = bytes(view)
        name = f"{self._file.path.name} {label}"
        try:
            width, height = image_extent(name, data)
            self._file.spend("texels", width * height, label)
            return decode_image(name, data, srgb=srgb)
        except AssetError as error:
            if error.where is not None:
                raise
            raise self._file.problem(label, error.message, hint=error.hint) from error


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
