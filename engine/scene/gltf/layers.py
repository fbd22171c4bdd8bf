"""Layers of glTF materials: the extensions specular, ior, clearcoat, sheen, transmission and volume."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.image import Image
from renderwright.engine.scene.surface_layers import Coat, Sheen, Specular, Volume

ReadImage = Callable[[Any, str, bool], Image | None]
"""Reads a texture reference for one of ``material.IMAGES``, as colour (sRGB) or data."""

#: Channels of an image.
_COLOR, _RED, _GREEN, _ALPHA = (0, 1, 2), (0,), (1,), (3,)


def read_specular(extensions: dict[str, Any], image: ReadImage) -> Specular | None:
    """The reflection of the part that is no metal; None for that of plain materials."""
    specular, ior = extensions.get("KHR_materials_specular"), extensions.get("KHR_materials_ior")
    if specular is None and ior is None:
        return None
    source = specular or {}
    red, green, blue = source.get("specularColorFactor", (1.0, 1.0, 1.0))
    color = image(source.get("specularColorTexture"), "specular.image", True)
    strength = image(source.get("specularTexture"), "specular.image", True)
    found = Specular(
        # Glass of index 0 stands for one that reflects everything.
        ior=float((ior or {}).get("ior", 1.5)) or 1e6,
        strength=float(source.get("specularFactor", 1.0)),
        color=(float(red), float(green), float(blue)),
        image=merged(color, _COLOR, strength, _ALPHA),
    )
    return None if found == Specular() else found


def read_coat(extensions: dict[str, Any], image: ReadImage) -> Coat | None:
    """The clear coat, None without one."""
    source = extensions.get("KHR_materials_clearcoat")
    if source is None or not source.get("clearcoatFactor", 0.0):
        return None
    strength = image(source.get("clearcoatTexture"), "coat.image", False)
    roughness = image(source.get("clearcoatRoughnessTexture"), "coat.image", False)
    return Coat(
        strength=float(source["clearcoatFactor"]),
        roughness=float(source.get("clearcoatRoughnessFactor", 0.0)),
        image=merged(strength, _RED, roughness, _GREEN),
        normal_image=image(source.get("clearcoatNormalTexture"), "coat.normal_image", False),
    )


def read_sheen(extensions: dict[str, Any], image: ReadImage) -> Sheen | None:
    """The sheen, None without one."""
    source = extensions.get("KHR_materials_sheen")
    red, green, blue = (source or {}).get("sheenColorFactor", (0.0, 0.0, 0.0))
    if source is None or not (red or green or blue):
        return None
    color = image(source.get("sheenColorTexture"), "sheen.image", True)
    roughness = image(source.get("sheenRoughnessTexture"), "sheen.image", True)
    return Sheen(
        color=(float(red), float(green), float(blue)),
        roughness=float(source.get("sheenRoughnessFactor", 0.0)),
        image=merged(color, _COLOR, roughness, _ALPHA),
    )


def read_transmission(extensions: dict[str, Any]) -> float:
    """The share of light that passes."""
    factor = extensions.get("KHR_materials_transmission", {}).get("transmissionFactor", 0.0)
    return min(max(float(factor), 0.0), 1.0)


def read_transmission_image(extensions: dict[str, Any], image: ReadImage) -> Image | None:
    """What multiplies the transmission in red, and the thickness of the volume in green; None where nothing passes."""
    if not read_transmission(extensions):
        return None
    transmission, volume = extensions["KHR_materials_transmission"], extensions.get("KHR_materials_volume", {})
    share = image(transmission.get("transmissionTexture"), "transmission_image", False)
    thickness = image(volume.get("thicknessTexture"), "transmission_image", False) if read_volume(extensions) else None
    return merged(share, _RED, thickness, _GREEN)


def read_volume(extensions: dict[str, Any]) -> Volume | None:
    """The body of glass below the surface, None without one."""
    source = extensions.get("KHR_materials_volume", {})
    thickness = float(source.get("thicknessFactor", 0.0))
    if thickness <= 0.0:
        return None
    if "attenuationDistance" not in source:  # infinite
        return Volume(thickness)
    red, green, blue = source.get("attenuationColor", (1.0, 1.0, 1.0))
    return Volume(thickness, (float(red), float(green), float(blue)), float(source["attenuationDistance"]))


def merged(one: Image | None, channels: tuple[int, ...], other: Image | None, others: tuple[int, ...]) -> Image | None:
    """An image with channels of two; those of a missing one are white. The larger one gives the size."""
    if one is other:
        return one
    given = [image for image in (one, other) if image is not None]
    width, height = (max(image.extent[axis] for image in given) for axis in (0, 1))
    pixels = np.full((height, width, 4), 255, np.uint8)
    for image, kept in ((one, channels), (other, others)):
        if image is not None:
            pixels[..., kept] = _resized(image, (width, height))[..., kept]
    return replace(given[0], name=" and ".join(image.name for image in given), pixels=pixels)


def _resized(image: Image, extent: tuple[int, int]) -> NDArray[np.uint8]:
    if image.extent == extent:
        return image.pixels
    import PIL.Image

    # Each channel alone: Pillow would take the last one for opacity.
    channels = [PIL.Image.fromarray(image.pixels[..., channel]).resize(extent) for channel in range(4)]
    return np.stack([np.asarray(channel, np.uint8) for channel in channels], axis=-1)
