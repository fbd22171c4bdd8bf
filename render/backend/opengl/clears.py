"""The texel that a clear fills a texture with."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import CData, ffi
from renderwright.render.backend.opengl.formats import TOP_24_BITS, Values, pixel_format
from renderwright.render.formats import format_named
from renderwright.render.types.resources import ClearValue

_MOST_WORDS = 4
"""Words of the largest texel."""

_ONE = 0x3F800000
"""The bits of 1.0."""


@dataclass(frozen=True)
class TexelValue:
    """One texel in host memory, with its format and type."""

    format: int
    type: int
    data: CData


def texel_value(format_name: str, value: ClearValue) -> TexelValue:
    """The texel of a clear value; an sRGB format's is encoded, as attachments encode theirs."""
    values = pixel_format(format_name).values
    if values is Values.UINT:
        return TexelValue(gl.RGBA_INTEGER, gl.UNSIGNED_INT, ffi.new("GLuint[]", [int(part) for part in value]))
    if values is Values.SINT:
        return TexelValue(gl.RGBA_INTEGER, gl.INT, ffi.new("GLint[]", [int(part) for part in value]))
    if values is Values.DEPTH:
        return TexelValue(gl.DEPTH_COMPONENT, gl.FLOAT, ffi.new("GLfloat[]", [value[0]]))
    if values is Values.DEPTH_STENCIL:
        # Depth, and a word with stencil 0.
        return TexelValue(gl.DEPTH_STENCIL, gl.FLOAT_32_UNSIGNED_INT_24_8_REV, ffi.new("GLfloat[]", [value[0], 0.0]))
    channels = list(value)
    if format_named(format_name).srgb:
        channels = [*(_encoded(part) for part in channels[:3]), channels[3]]
    return TexelValue(gl.RGBA, gl.FLOAT, ffi.new("GLfloat[]", channels))


def texel_of_word(format_name: str, word: int) -> TexelValue:
    """A texel whose bytes are those of a repeated 32-bit word.

    Drivers clamp depth to 0 and 1, and give NaN as either; it is 1 here, so that it differs from a cleared texel.
    """
    found = pixel_format(format_name)
    if found.type == gl.FLOAT and found.values in (Values.DEPTH, Values.DEPTH_STENCIL) and _is_nan(word):
        word = _ONE
    data = ffi.new("GLuint[]", [word] * _MOST_WORDS)
    if found.values is not Values.DEPTH_STENCIL:
        return TexelValue(found.format, found.type, data)
    packed = format_named(format_name).name == TOP_24_BITS
    return TexelValue(gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8 if packed else gl.FLOAT_32_UNSIGNED_INT_24_8_REV, data)


def _is_nan(word: int) -> bool:
    """Whether the bits are those of a float that is no number."""
    return word & 0x7FFFFFFF > 0x7F800000


def _encoded(linear: float) -> float:
    """The sRGB encoding of a linear value (IEC 61966-2-1)."""
    clamped = min(max(linear, 0.0), 1.0)
    return 12.92 * clamped if clamped <= 0.0031308 else 1.055 * clamped ** (1.0 / 2.4) - 0.055
