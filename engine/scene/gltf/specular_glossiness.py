"""Materials by specular colour and glossiness (KHR_materials_pbrSpecularGlossiness), an archived extension of glTF."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from renderwright.engine.scene.gltf.layers import ReadImage
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.surface_layers import Specular

SPECULAR_GLOSSINESS = "KHR_materials_pbrSpecularGlossiness"

_PLAIN_REFLECTANCE = 0.04
"""That of ``Specular`` of white colour."""


def specular_glossiness_fields(source: dict[str, Any], image: ReadImage) -> dict[str, Any]:
    """The fields of a ``Material`` that such a material replaces: no metal, and a reflection of its own colour."""
    red, green, blue, alpha = source.get("diffuseFactor", (1.0, 1.0, 1.0, 1.0))
    glossiness = float(source.get("glossinessFactor", 1.0))
    colored = image(source.get("specularGlossinessTexture"), "specular.image", True)
    color = [float(value) / _PLAIN_REFLECTANCE for value in source.get("specularFactor", (1.0, 1.0, 1.0))]
    fields: dict[str, Any] = {
        "base_color": (float(red), float(green), float(blue), float(alpha)),
        "base_color_image": image(source.get("diffuseTexture"), "base_color_image", True),
        "metallic": 0.0,
        "roughness": 1.0 - glossiness,
        "metallic_roughness_image": None,
        "specular": Specular(color=(color[0], color[1], color[2]), image=_without_alpha(colored)),
    }
    if colored is not None:
        rough = image(source.get("specularGlossinessTexture"), "metallic_roughness_image", False)
        fields |= {"roughness": 1.0, "metallic_roughness_image": _roughness(rough, glossiness)}
    return fields


def _without_alpha(image: Image | None) -> Image | None:
    if image is None:
        return None
    pixels = image.pixels.copy()
    pixels[..., 3] = 255
    return replace(image, pixels=pixels)


def _roughness(image: Image | None, glossiness: float) -> Image | None:
    """An image with the roughness in green."""
    if image is None:
        return None
    pixels = np.full_like(image.pixels, 255)
    pixels[..., 1] = np.rint(255.0 - glossiness * image.pixels[..., 3].astype(np.float32))
    return replace(image, pixels=pixels)
