"""glTF materials and their images."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.decoding import shown
from renderwright.engine.scene.gltf.document import GltfObject
from renderwright.engine.scene.gltf.file import GltfFile
from renderwright.engine.scene.gltf.images import GltfImages
from renderwright.engine.scene.gltf.layers import (
    read_coat,
    read_sheen,
    read_specular,
    read_transmission,
    read_transmission_image,
    read_volume,
)
from renderwright.engine.scene.gltf.specular_glossiness import SPECULAR_GLOSSINESS, specular_glossiness_fields
from renderwright.engine.scene.gltf.uvs import MaterialUvs, UvMapping, chosen_mappings, read_mapping
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import ALPHA_MODES, AlphaMode, Material

#: glTF's default for a primitive without a material.
DEFAULT_MATERIAL = Material(metallic=1.0, roughness=1.0)


class GltfMaterials:
    """Reads the materials of one file, each once. Images with the same use are shared."""

    def __init__(self, file: GltfFile) -> None:
        self._file = file
        self._materials: dict[int, tuple[Material, MaterialUvs]] = {}
        self._images = GltfImages(file)

    def material(self, index: int | None, user: str) -> tuple[Material, MaterialUvs]:
        """Material ``index``, referenced by ``user``, and the coordinates that its images have. Raises AssetError."""
        if index is None:
            return DEFAULT_MATERIAL, MaterialUvs()
        source = self._file.element("materials", index, user)
        if index not in self._materials:
            label = self._file.label("materials", index)
            with self._file.reading(label):
                self._materials[index] = _MaterialReader(self._file, self._images, label).read(source)
        return self._materials[index]


class _MaterialReader:
    """Reads one material. Knows the coordinates of the images that it has read."""

    def __init__(self, file: GltfFile, images: GltfImages, label: str) -> None:
        self._file = file
        self._images = images
        self._label = label
        self._mappings: dict[str, UvMapping] = {}

    def read(self, source: Any) -> tuple[Material, MaterialUvs]:
        """The material and its coordinates."""
        pbr = source.pbrMetallicRoughness
        extensions = source.extensions or {}
        alpha_mode = self._alpha_mode(source.alphaMode or "OPAQUE")
        emissive_image = self._image(source.emissiveTexture, "emissive_image", True)
        material = Material(
            emissive=self._emissive(source, lost=source.emissiveTexture is not None and emissive_image is None),
            base_color=self._base_color(pbr, alpha_mode),
            metallic=_factor(pbr and pbr.metallicFactor),
            roughness=_factor(pbr and pbr.roughnessFactor),
            base_color_image=self._image(pbr and pbr.baseColorTexture, "base_color_image", True),
            metallic_roughness_image=self._image(pbr and pbr.metallicRoughnessTexture, "metallic_roughness_image"),
            normal_image=self._image(source.normalTexture, "normal_image"),
            emissive_image=emissive_image,
            occlusion_image=self._occlusion_image(source.occlusionTexture),
            double_sided=bool(source.doubleSided),
            transmission=read_transmission(extensions),
            alpha_mode=alpha_mode,
            alpha_cutoff=0.5 if source.alphaCutoff is None else min(float(source.alphaCutoff), 1.0),
            unlit="KHR_materials_unlit" in extensions,
            specular=read_specular(extensions, self._image),
            coat=read_coat(extensions, self._image),
            sheen=read_sheen(extensions, self._image),
            volume=read_volume(extensions),
            transmission_image=read_transmission_image(extensions, self._image),
        )
        if SPECULAR_GLOSSINESS in extensions:
            fields = specular_glossiness_fields(extensions[SPECULAR_GLOSSINESS], self._image)
            if alpha_mode == "opaque":
                fields["base_color"] = (*fields["base_color"][:3], 1.0)
            material = replace(material, **fields)
        uvs, second = chosen_mappings(self._file, self._mappings, self._label)
        return replace(material, second_uv=second) if second else material, uvs

    def _emissive(self, source: Any, *, lost: bool) -> tuple[float, float, float]:
        """The emission; none where its image is lost, as the whole surface would shine."""
        extension = (source.extensions or {}).get("KHR_materials_emissive_strength", {})
        strength = 0.0 if lost else _factor(extension.get("emissiveStrength"))
        red, green, blue = (float(value) for value in source.emissiveFactor or (0.0, 0.0, 0.0))
        return (red * strength, green * strength, blue * strength)

    def _alpha_mode(self, given: Any) -> AlphaMode:
        for mode in ALPHA_MODES:
            if given == mode.upper():
                return mode
        self._file.notices.add(self._label, f"drawn opaque, there is no alpha mode {shown(str(given))}")
        return "opaque"

    def _base_color(self, pbr: Any, alpha_mode: AlphaMode) -> tuple[float, float, float, float]:
        """The base colour, with alpha 1 where the mode ignores it."""
        factors = pbr.baseColorFactor if pbr else None
        if not factors:
            return DEFAULT_MATERIAL.base_color
        if len(factors) != 4:
            raise self._file.problem(self._label, f"a base colour of {len(factors)} numbers instead of 4")
        red, green, blue, alpha = (float(value) for value in factors)
        return (red, green, blue, 1.0 if alpha_mode == "opaque" else alpha)

    def _occlusion_image(self, texture: Any) -> Image | None:
        image = self._image(texture, "occlusion_image")
        strength = _factor(texture and texture.strength)
        if image is None or strength == 1.0:
            return image
        pixels = image.pixels.copy()
        pixels[..., 0] = np.rint(255.0 + strength * (pixels[..., 0].astype(np.float32) - 255.0))
        return replace(image, pixels=pixels)

    def _image(self, texture: Any, slot: str, srgb: bool = False) -> Image | None:
        """The image of a reference to a texture, for one of ``material.IMAGES``."""
        if texture is None:
            return None
        if isinstance(texture, dict):  # in an extension
            texture = GltfObject(texture)
        image = self._images.of_texture(texture.index, self._label, srgb=srgb)
        if image is None:
            return None
        mapping = read_mapping(self._file, texture, self._label)
        if self._mappings.setdefault(slot, mapping) != mapping:
            self._file.notices.add(self._label, f"both images of {slot} mapped like the first")
        scale = _factor(texture.scale) if "normal" in slot else 1.0
        return image if scale == 1.0 else replace(image, pixels=scaled_normals(image.pixels, scale))


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
