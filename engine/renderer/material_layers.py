"""The layers of materials as shaders read them."""

from __future__ import annotations

import math

import numpy as np

from renderwright.engine.scene.material import IMAGES, Material
from renderwright.engine.scene.surface_layers import Coat, Sheen, Specular, Volume

LAYERS = np.dtype(
    [
        ("specular", np.float32, 4),
        ("coat", np.float32, 4),
        ("sheen", np.float32, 4),
        ("volume", np.float32, 4),
        ("images", np.uint32, 8),
    ]
)
"""``MaterialLayers`` of surface_layers.glsl. Not all of its numbers of images are in use."""

_NO_COAT = Coat(strength=0.0)
_NO_SHEEN = Sheen(color=(0.0, 0.0, 0.0))
_PLAIN = Specular()
_NO_VOLUME = Volume(0.0)
_DARKEST = 1e-6
"""Least part of a colour that a volume leaves: black would absorb infinitely much."""


def packed_layers(material: Material) -> tuple[tuple[float, ...], ...]:
    """A row; the numbers of images are set later."""
    specular, coat, sheen = material.specular or _PLAIN, material.coat or _NO_COAT, material.sheen or _NO_SHEEN
    ahead = ((specular.ior - 1.0) / (specular.ior + 1.0)) ** 2
    red, green, blue = specular.color
    volume = material.volume or _NO_VOLUME
    absorption = [-math.log(max(part, _DARKEST)) / volume.attenuation_distance for part in volume.attenuation_color]
    return (
        (ahead * red, ahead * green, ahead * blue, specular.strength),
        (coat.strength, coat.roughness, float(material.unlit), specular.ior),
        (*sheen.color, sheen.roughness),
        (*absorption, volume.thickness),
        (0.0,) * 8,
    )


def second_uv_bits(material: Material) -> int:
    """A bit for each slot whose image is sampled at the second texture coordinates, as a whole number."""
    return sum(1 << slot for slot, name in enumerate(IMAGES) if name in material.second_uv)
