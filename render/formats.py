"""Texture formats by abbreviated lower-case Vulkan names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from renderwright.render.errors import GraphError
from renderwright.render.suggest import did_you_mean


class Aspect(StrEnum):
    """The aspects of a format."""

    COLOR = "color"
    DEPTH = "depth"
    DEPTH_STENCIL = "depth_stencil"


class Numbers(StrEnum):
    """The numbers of a format or of a scalar in a shader. Normalised values and depth are floats."""

    FLOATS = "floats"
    INTEGERS = "integers"
    UNSIGNED = "unsigned integers"


_OF_SUFFIXES = {"uint": Numbers.UNSIGNED, "sint": Numbers.INTEGERS}


def numbers_of_suffix(name: str) -> Numbers:
    """The numbers of a format of colors or of vertex attributes, by the end of its name."""
    return _OF_SUFFIXES.get(name.rpartition("_")[2], Numbers.FLOATS)


@dataclass(frozen=True)
class Format:
    """A texture format: its Vulkan number, bytes a texel, and aspect."""

    name: str
    vk: int
    texel_bytes: int
    aspect: Aspect = Aspect.COLOR
    srgb: bool = False

    @property
    def numbers(self) -> Numbers:
        """The numbers that shaders see: of a depth format with stencil, those of depth."""
        return numbers_of_suffix(self.name) if self.aspect is Aspect.COLOR else Numbers.FLOATS

    @property
    def channels(self) -> str:
        """The channels that a texel of color has, some of "rgba" in that order; '' of depth."""
        letters = self.name.partition("_")[0] if self.aspect is Aspect.COLOR else ""
        return "".join(channel for channel in "rgba" if channel in letters)


def _table() -> dict[str, Format]:
    color = [
        ("r8_unorm", 9, 1),
        ("r8_uint", 13, 1),
        ("rg8_unorm", 16, 2),
        ("rgba8_unorm", 37, 4),
        ("bgra8_unorm", 44, 4),
        ("a2b10g10r10_unorm", 64, 4),
        ("r16_unorm", 70, 2),
        ("r16_uint", 74, 2),
        ("r16_sfloat", 76, 2),
        ("rg16_unorm", 77, 4),
        ("rg16_snorm", 78, 4),
        ("rg16_sfloat", 83, 4),
        ("rgba16_unorm", 91, 8),
        ("rgba16_snorm", 92, 8),
        ("rgba16_sfloat", 97, 8),
        ("r32_uint", 98, 4),
        ("r32_sint", 99, 4),
        ("r32_sfloat", 100, 4),
        ("rg32_uint", 101, 8),
        ("rg32_sfloat", 103, 8),
        ("rgba32_uint", 107, 16),
        ("rgba32_sfloat", 109, 16),
        ("b10g11r11_ufloat", 122, 4),
    ]
    formats = {name: Format(name, vk, size) for name, vk, size in color}
    for name, vk in (("rgba8_srgb", 43), ("bgra8_srgb", 50)):
        formats[name] = Format(name, vk, 4, srgb=True)
    for name, vk, size, aspect in (
        ("d16_unorm", 124, 2, Aspect.DEPTH),
        ("d32_sfloat", 126, 4, Aspect.DEPTH),
        ("d24_unorm_s8_uint", 129, 4, Aspect.DEPTH_STENCIL),
        ("d32_sfloat_s8_uint", 130, 8, Aspect.DEPTH_STENCIL),
    ):
        formats[name] = Format(name, vk, size, aspect)
    formats["d32_float"] = formats["d32_sfloat"]
    return formats


FORMATS: dict[str, Format] = _table()
_GLSL_NAME = re.compile(r"(?P<channels>r|rg|rgba)(?P<bits>8|16|32)(?P<type>f|ui|i|)")
_CHANNELS = re.compile(r"([rgba]+)(\d+)")
_GLSL_TYPES = {"f": "sfloat", "ui": "uint", "i": "sint", "": "unorm"}


def without_encoding(name: str) -> str:
    """The format with the same bytes whose values are not sRGB-encoded; the same format if they are not."""
    return name.replace("_srgb", "_unorm")


def format_named(name: str) -> Format:
    """The format with this name; ``GraphError`` with the nearest name if unknown."""
    try:
        return FORMATS[name]
    except KeyError:
        meant = _of_glsl(name) or _of_channels(name.lower())
        hint = f'did you mean "{meant}"?' if meant else did_you_mean(name.lower().removeprefix("vk_format_"), FORMATS)
        raise GraphError(f'unknown texture format "{name}"', hint=hint) from None


def _of_glsl(name: str) -> str:
    """The format of a name that GLSL or OpenGL has for it, such as ``r16f``; '' if it is none."""
    found = _GLSL_NAME.fullmatch(name.lower())
    if found is None:
        return ""
    meant = f"{found['channels']}{found['bits']}_{_GLSL_TYPES[found['type']]}"
    return meant if meant in FORMATS else ""


def _of_channels(name: str) -> str:
    """The format with the channels of a name, in whatever order, such as ``r11g11b10_ufloat`` or ``rgb10_a2``; '' if
    there is none, or several of other types."""
    channels, kind = _channels(name), name.rpartition("_")[2]
    found = [other for other in FORMATS if channels and sorted(_channels(other)) == sorted(channels)]
    same = [other for other in found if other.rpartition("_")[2] == kind]
    in_order = [other for other in same if _channels(other) == channels]
    return next(iter(in_order or same or (found if len(found) == 1 else ())), "")


def _channels(name: str) -> list[tuple[str, str]]:
    """The letter and the bits of each channel in a format's name."""
    return [(letter, bits) for letters, bits in _CHANNELS.findall(name) for letter in letters]
