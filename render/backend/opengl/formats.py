"""Texture formats and vertex formats in OpenGL's numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.formats import format_named


class Values(StrEnum):
    """What a format's texels are, as clears and shaders see them."""

    FLOAT = "float"
    UINT = "uint"
    SINT = "sint"
    DEPTH = "depth"
    DEPTH_STENCIL = "depth_stencil"


@dataclass(frozen=True)
class PixelFormat:
    """A texture's internal format, and the format and type of its texels in host memory."""

    internal: int
    format: int
    type: int
    values: Values = Values.FLOAT


_FORMATS: dict[str, PixelFormat] = {
    "r8_unorm": PixelFormat(0x8229, gl.RED, gl.UNSIGNED_BYTE),
    "r8_uint": PixelFormat(0x8232, gl.RED_INTEGER, gl.UNSIGNED_BYTE, Values.UINT),
    "rg8_unorm": PixelFormat(0x822B, gl.RG, gl.UNSIGNED_BYTE),
    "rgba8_unorm": PixelFormat(gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE),
    # OpenGL has no such internal formats; the channels are swapped on the way in and out.
    "bgra8_unorm": PixelFormat(gl.RGBA8, gl.BGRA, gl.UNSIGNED_BYTE),
    "bgra8_srgb": PixelFormat(0x8C43, gl.BGRA, gl.UNSIGNED_BYTE),
    "a2b10g10r10_unorm": PixelFormat(0x8059, gl.RGBA, gl.UNSIGNED_INT_2_10_10_10_REV),
    "r16_unorm": PixelFormat(0x822A, gl.RED, gl.UNSIGNED_SHORT),
    "r16_uint": PixelFormat(0x8234, gl.RED_INTEGER, gl.UNSIGNED_SHORT, Values.UINT),
    "r16_sfloat": PixelFormat(0x822D, gl.RED, gl.HALF_FLOAT),
    "rg16_unorm": PixelFormat(0x822C, gl.RG, gl.UNSIGNED_SHORT),
    "rg16_snorm": PixelFormat(0x8F99, gl.RG, gl.SHORT),
    "rg16_sfloat": PixelFormat(0x822F, gl.RG, gl.HALF_FLOAT),
    "rgba16_unorm": PixelFormat(0x805B, gl.RGBA, gl.UNSIGNED_SHORT),
    "rgba16_snorm": PixelFormat(0x8F9B, gl.RGBA, gl.SHORT),
    "rgba16_sfloat": PixelFormat(0x881A, gl.RGBA, gl.HALF_FLOAT),
    "r32_uint": PixelFormat(gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, Values.UINT),
    "r32_sint": PixelFormat(0x8235, gl.RED_INTEGER, gl.INT, Values.SINT),
    "r32_sfloat": PixelFormat(0x822E, gl.RED, gl.FLOAT),
    "rg32_uint": PixelFormat(0x823C, gl.RG_INTEGER, gl.UNSIGNED_INT, Values.UINT),
    "rg32_sfloat": PixelFormat(0x8230, gl.RG, gl.FLOAT),
    "rgba32_uint": PixelFormat(0x8D70, gl.RGBA_INTEGER, gl.UNSIGNED_INT, Values.UINT),
    "rgba32_sfloat": PixelFormat(0x8814, gl.RGBA, gl.FLOAT),
    "b10g11r11_ufloat": PixelFormat(0x8C3A, gl.RGB, gl.UNSIGNED_INT_10F_11F_11F_REV),
    "rgba8_srgb": PixelFormat(0x8C43, gl.RGBA, gl.UNSIGNED_BYTE),
    "d16_unorm": PixelFormat(0x81A5, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, Values.DEPTH),
    "d32_sfloat": PixelFormat(0x8CAC, gl.DEPTH_COMPONENT, gl.FLOAT, Values.DEPTH),
    "d24_unorm_s8_uint": PixelFormat(0x88F0, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, Values.DEPTH_STENCIL),
    "d32_sfloat_s8_uint": PixelFormat(0x8CAD, gl.DEPTH_COMPONENT, gl.FLOAT, Values.DEPTH_STENCIL),
}

TOP_24_BITS = "d24_unorm_s8_uint"
"""OpenGL gives this format's depth in the upper bits of a word, Vulkan in the lower ones."""


def pixel_format(name: str) -> PixelFormat:
    """The format with this name. Raises ``GraphError`` for an unknown one."""
    return _FORMATS[format_named(name).name]


@dataclass(frozen=True)
class VertexFormat:
    """An attribute: the number of components, their type, and how shaders see them."""

    size: int
    type: int
    normalized: bool = False
    integer: bool = False


_COMPONENTS = {"r": 1, "rg": 2, "rgb": 3, "rgba": 4, "bgra": gl.BGRA}
_TYPES = {
    ("8", "unorm"): gl.UNSIGNED_BYTE,
    ("8", "snorm"): gl.BYTE,
    ("8", "uint"): gl.UNSIGNED_BYTE,
    ("16", "unorm"): gl.UNSIGNED_SHORT,
    ("16", "snorm"): gl.SHORT,
    ("16", "uint"): gl.UNSIGNED_SHORT,
    ("16", "sfloat"): gl.HALF_FLOAT,
    ("32", "uint"): gl.UNSIGNED_INT,
    ("32", "sint"): gl.INT,
    ("32", "sfloat"): gl.FLOAT,
}


def vertex_format(name: str) -> VertexFormat:
    """The attribute format of a name in ``VERTEX_FORMATS``."""
    if name == "a2b10g10r10_unorm":
        return VertexFormat(4, gl.UNSIGNED_INT_2_10_10_10_REV, normalized=True)
    if name == "b10g11r11_ufloat":
        return VertexFormat(3, gl.UNSIGNED_INT_10F_11F_11F_REV)
    where, kind = name.split("_")
    channels = where.rstrip("0123456789")
    bits = where.removeprefix(channels)
    return VertexFormat(
        _COMPONENTS[channels], _TYPES[bits, kind], normalized=kind.endswith("norm"), integer=kind in ("uint", "sint")
    )
