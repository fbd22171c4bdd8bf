"""Texels of any format as numbers, and as shades of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.formats import Aspect, format_named

Texels = NDArray[Any]


@dataclass(frozen=True)
class Shades:
    """A picture of texels, uint8 (height, width, 3), and the mapping from values to shades in words."""

    picture: NDArray[np.uint8]
    mapping: str


def values_of(format_name: str, texels: Texels) -> NDArray[Any]:
    """Texels as numbers, (height, width, channels): red first, normalised and packed formats as floats, integers
    unchanged, sRGB not decoded."""
    name = format_named(format_name).name
    if name == "b10g11r11_ufloat":
        return _small_floats(texels)
    if name == "a2b10g10r10_unorm":
        return _ten_bits(texels)
    if name.startswith("d24_unorm"):
        return ((texels & 0xFFFFFF) / 0xFFFFFF).astype(np.float32)
    values = texels
    if name.endswith(("_unorm", "_srgb", "_snorm")):
        values = np.maximum(texels / np.iinfo(texels.dtype).max, -1.0).astype(np.float32)
    return values[..., [2, 1, 0, 3]] if name.startswith("bgra") else values


def sampled_values_of(format_name: str, texels: Texels) -> NDArray[Any]:
    """The values that shaders see: ``values_of`` with sRGB decoded, so that colours are linear."""
    values = values_of(format_name, texels)
    if format_named(format_name).srgb:
        values[..., :3] = _decoded(values[..., :3])
    return values


def shades_of(format_name: str, texels: Texels) -> Shades:
    """The picture of texels (height, width, channels).

    8-bit colours stay as they are. Depth and integers are stretched from the smallest to the largest value. Other
    values are clamped to 0..1; floats are encoded as sRGB. NaN is black.
    """
    made = format_named(format_name)
    values = values_of(format_name, texels)[..., :3]
    unit: NDArray[Any]
    if made.aspect is not Aspect.COLOR or values.dtype.kind in "ui":
        unit, words = _stretched(values)
    else:
        unit = np.clip(np.nan_to_num(values.astype(np.float64), nan=0.0), 0.0, 1.0)
        words = f"{_range(values)}, clamped to 0 to 1"
        if "float" in made.name:
            unit, words = _srgb(unit), f"{words} and encoded as sRGB"
        elif texels.dtype == np.uint8:
            words = f"{_range(values)}, as they are"
    return Shades(_rgb(np.rint(unit * 255.0).astype(np.uint8)), words)


def _stretched(values: NDArray[Any]) -> tuple[NDArray[np.float64], str]:
    """Finite values from 0 for the smallest to 1 for the largest."""
    numbers = values.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    unit = (np.nan_to_num(numbers, nan=low) - low) / ((high - low) or 1.0)
    return np.clip(unit, 0.0, 1.0), f"{_range(values)}, stretched from black to white"


def _range(values: NDArray[Any]) -> str:
    """The smallest and the largest finite value, and how many values are not finite."""
    numbers = values.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    lost = numbers.size - finite.size
    odd = f", {lost} NaN or infinite" if lost else ""
    return f"values {finite.min():g} to {finite.max():g}{odd}" if finite.size else f"no finite value{odd}"


def _srgb(values: NDArray[Any]) -> NDArray[Any]:
    low, high = values * 12.92, 1.055 * values ** (1.0 / 2.4) - 0.055
    return np.where(values <= 0.0031308, low, high)


def _decoded(values: NDArray[Any]) -> NDArray[Any]:
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _rgb(shades: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """One channel as grey, two as red and green."""
    channels = shades.shape[-1]
    if channels == 1:
        return np.repeat(shades, 3, axis=-1)
    if channels == 2:
        return np.concatenate([shades, np.zeros_like(shades[..., :1])], axis=-1)
    return shades


def _small_floats(texels: Texels) -> NDArray[np.float32]:
    """Red and green of 11 bits, blue of 10: the upper bits of a half without its sign."""
    packed = texels[..., 0].astype(np.uint32)
    halves = [(packed & 0x7FF) << 4, (packed >> 11 & 0x7FF) << 4, (packed >> 22) << 5]
    return np.stack([half.astype(np.uint16).view(np.float16) for half in halves], axis=-1).astype(np.float32)


def _ten_bits(texels: Texels) -> NDArray[np.float32]:
    """Three channels of 10 bits and an alpha of 2."""
    packed = texels[..., 0].astype(np.uint32)
    colors = [(packed >> shift & 0x3FF) / 1023.0 for shift in (0, 10, 20)]
    return np.stack([*colors, (packed >> 30) / 3.0], axis=-1).astype(np.float32)
