"""Formats of storage images in shaders, and the texture formats that match them.

Source: the SPIR-V specification, version 1.6: 3.11 (image formats); the Vulkan specification: "Compatibility Between
SPIR-V Image Formats and Vulkan Formats".
"""

from __future__ import annotations

UNKNOWN = ""
"""No format in the shader; any texture fits."""

# By SPIR-V's number, in the words of GLSL.
_QUALIFIERS = (
    UNKNOWN,
    *("rgba32f", "rgba16f", "r32f", "rgba8", "rgba8_snorm", "rg32f", "rg16f", "r11f_g11f_b10f", "r16f", "rgba16"),
    *("rgb10_a2", "rg16", "rg8", "r16", "r8", "rgba16_snorm", "rg16_snorm", "rg8_snorm", "r16_snorm", "r8_snorm"),
    *("rgba32i", "rgba16i", "rgba8i", "r32i", "rg32i", "rg16i", "rg8i", "r16i", "r8i"),
    *("rgba32ui", "rgba16ui", "rgba8ui", "r32ui", "rgb10_a2ui", "rg32ui", "rg16ui", "rg8ui", "r16ui", "r8ui"),
)

# Texture formats without a SPIR-V format, such as sRGB and BGRA ones, are absent.
_OF_TEXTURES = {
    "r8_unorm": "r8",
    "r8_uint": "r8ui",
    "rg8_unorm": "rg8",
    "rgba8_unorm": "rgba8",
    "a2b10g10r10_unorm": "rgb10_a2",
    "r16_unorm": "r16",
    "r16_uint": "r16ui",
    "r16_sfloat": "r16f",
    "rg16_unorm": "rg16",
    "rg16_snorm": "rg16_snorm",
    "rg16_sfloat": "rg16f",
    "rgba16_unorm": "rgba16",
    "rgba16_snorm": "rgba16_snorm",
    "rgba16_sfloat": "rgba16f",
    "r32_uint": "r32ui",
    "r32_sint": "r32i",
    "r32_sfloat": "r32f",
    "rg32_uint": "rg32ui",
    "rg32_sfloat": "rg32f",
    "rgba32_uint": "rgba32ui",
    "rgba32_sfloat": "rgba32f",
    "b10g11r11_ufloat": "r11f_g11f_b10f",
}


STORABLE = frozenset(_OF_TEXTURES) | {"rgba8_srgb"}
"""The texture formats that shaders of some devices can store to. What they store to an sRGB texture, they encode."""


def image_format(number: int) -> str:
    """The GLSL qualifier of a SPIR-V image format; ``UNKNOWN`` for none and for one beyond GLSL's."""
    return _QUALIFIERS[number] if number < len(_QUALIFIERS) else UNKNOWN


def qualifier_of(texture_format: str) -> str:
    """The qualifier of an image that accesses a texture of that format; ``UNKNOWN`` if there is none."""
    return _OF_TEXTURES.get(texture_format, UNKNOWN)


def fits(declared: str, texture_format: str) -> bool:
    """Whether an image with that qualifier may access a texture of that format."""
    return declared in (UNKNOWN, _OF_TEXTURES.get(texture_format))


def repair(declared: str, texture_format: str) -> str:
    """What to change so that an image with that qualifier fits a texture of that format."""
    right = _OF_TEXTURES.get(texture_format)
    texture = next((name for name, qualifier in _OF_TEXTURES.items() if qualifier == declared), None)
    ways = [f"write layout({right}) in the shader"] if right is not None else []
    if texture is not None:
        ways.append(f"make the texture {texture}")
    return ", or ".join(ways)
