"""Checks of fills, clears and copies: drivers write beyond a buffer's end, and into memory that is not the plugin's."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Sequence
from typing import Any, NoReturn

from renderwright.render.backend.protocol import COPIED
from renderwright.render.errors import GraphError
from renderwright.render.formats import Aspect, format_named
from renderwright.render.graph.arguments import COLOR, check_argument
from renderwright.render.graph.command_checks import as_buffer, check_counts, check_multiples, refuse_range
from renderwright.render.graph.source import caller_location
from renderwright.render.sync.flags import Layout
from renderwright.render.types.parts import Part, wrong_part
from renderwright.render.types.physical import PhysicalTexture, TextureInfo, mip_extent

_WORD = 4
_DEPTH_BYTES = 4
"""Of a depth texel in a buffer, without its stencil, at most."""


def check_fill(buffer: Any, word: Any, start: Any, size: Any) -> tuple[int, int, int]:
    """The word, the start and the size as ints; ``GraphError`` at the caller's line unless a buffer has these bytes to
    fill, in whole words."""
    info = as_buffer("the buffer of a fill", buffer).info
    (filled,) = check_counts("the word of a fill", word)
    first, count = check_multiples("the start or the size of a fill", _WORD, start, size)
    end = first + count if count else info.size
    if not first < end <= info.size:
        refuse_range("a fill writes", buffer, first, end)
    return filled, first, count


def check_copied_bytes(source: Any, target: Any, size: Any) -> int:
    """The size as an int (0: as many bytes as both have); ``GraphError`` at the caller's line unless both buffers have
    that many."""
    as_buffer("the source of a copy", source)
    as_buffer("the target of a copy", target)
    _check_two(source, target)
    (count,) = check_multiples("the size of a copy", 1, size)
    for verb, buffer in (("reads", source), ("writes", target)):
        if count > buffer.info.size:
            refuse_range(f"a copy {verb}", buffer, 0, count)
    return count or min(source.info.size, target.info.size)


def check_clear(texture: Any, layout: Any, value: Any, part: Any) -> None:
    """Raise ``GraphError`` at the caller's line unless a texture has that part, and texels of that value."""
    info = _as_texture("the texture of a clear", texture).info
    _check_layout("the layout of a clear", layout, COPIED[1])
    _check_value(info.format, value)
    _check_part("a clear", texture, part, whole_mips=True)


def check_copied_parts(source: Any, target: Any, parts: Any, layouts: Any) -> None:
    """Raise ``GraphError`` at the caller's line unless the textures are equal and have those parts."""
    one, other = _as_texture("the source of a copy", source), _as_texture("the target of a copy", target)
    _check_two(one, other)
    if not isinstance(layouts, tuple | list) or len(layouts) != len(COPIED):
        _refuse("the layouts of a copy are", layouts, "give (source.layout, target.layout) of the requests' handles")
    for layout, own in zip(layouts, COPIED, strict=True):
        _check_layout("a layout of a copy", layout, own)
    shapes = [_shape(one.info), _shape(other.info)]
    if shapes[0] != shapes[1]:
        raise GraphError(
            f'"{one.name}" is copied to "{other.name}", and they differ: {shapes[0]} and {shapes[1]}',
            hint="copy between textures of one format, size, number of mips, layers and samples",
            where=caller_location(),
        )
    if isinstance(parts, Part) or not isinstance(parts, Sequence):
        _refuse("the parts of a copy are", parts, "give a list of renderwright.render.Part, or leave it out")
    for part in parts:
        _check_part("a copy", one, part, whole_mips=False)


def check_copied_texels(source: Any, layout: Any, mip: Any, layer: Any, target: Any) -> tuple[int, int]:
    """The mip and the layer as ints; ``GraphError`` at the caller's line unless the texture has them and the buffer has
    room for their texels."""
    info = _as_texture("the source of a copy", source).info
    _check_layout("the layout of a copy", layout, COPIED[0])
    level, number = check_counts("the mip or the layer of a copy", mip, layer)
    part = Part((level, 1), (number, 1))
    _check_part("a copy", source, part, whole_mips=True)
    if info.samples > 1:
        raise GraphError(
            f'"{source.name}" has {info.samples} samples, which no copy to a buffer can read',
            hint="copy a texture of one sample that it is resolved to",
            where=caller_location(),
        )
    width, height = mip_extent(info.extent, part)
    each = format_named(info.format)
    texel = each.texel_bytes if each.aspect is Aspect.COLOR else min(each.texel_bytes, _DEPTH_BYTES)
    size = width * height * texel
    if size > as_buffer("the target of a copy", target).info.size:
        refuse_range("a copy writes", target, 0, size)
    return level, number


def _as_texture(what: str, texture: Any) -> PhysicalTexture:
    info = getattr(texture, "info", None)
    if not isinstance(info, TextureInfo):
        _refuse(f"{what} is", texture, "give the .texture of a request's handle", ", which is no texture")
    if info.transient:
        raise GraphError(
            f'{what} is "{texture.name}", which has no memory outside render passes',
            hint="request it by .copy_src() or .copy_dst()",
            where=caller_location(),
        )
    found: PhysicalTexture = texture
    return found


def _check_layout(what: str, layout: Any, own: Layout) -> None:
    if not isinstance(layout, Layout) or layout not in (own, Layout.GENERAL):
        given = layout.name if isinstance(layout, Layout) else reprlib.repr(layout)
        request = ".copy_src()" if own is Layout.TRANSFER_SRC else ".copy_dst()"
        raise GraphError(
            f"{what} is {given}, which is not {own.name} or GENERAL",
            hint=f"request the texture by {request} and give the handle's .layout",
            where=caller_location(),
        )


def _check_two(source: Any, target: Any) -> None:
    if source is target:
        raise GraphError(
            f'"{source.name}" is copied to itself', hint="copy to another resource", where=caller_location()
        )


def _check_value(format_name: str, value: Any) -> None:
    check_argument("the value of a clear", value, COLOR)
    aspect = format_named(format_name).aspect
    if aspect is not Aspect.COLOR:
        least, most, given = 0, 1, list(value)[:1]
    elif format_name.endswith("_uint"):
        least, most, given = 0, 2**32 - 1, list(value)
    elif format_name.endswith("_sint"):
        least, most, given = -(2**31), 2**31 - 1, list(value)
    else:
        return
    for number in given:
        if not (math.isfinite(number) and least <= number <= most):
            _refuse(f"the value of a clear of {format_name} has", number, f"give a number from {least} to {most}")


def _check_part(what: str, texture: PhysicalTexture, part: Any, *, whole_mips: bool) -> None:
    """Mips beyond the texture's are left out of a copy, unless it needs them whole: a size may allow fewer of them."""
    if not isinstance(part, Part):
        _refuse(f"the part of {what} is", part, "give a renderwright.render.Part, or leave it out")
    for span in part:
        if span is not None and not _is_span(span):
            _refuse(f"the part of {what} has the range", span, "give (first, count), with a count of at least 1")
    info = texture.info
    lacks = wrong_part(part if whole_mips else Part(None, part.layers), info.mips, info.layers)
    if lacks:
        raise GraphError(
            f'{what} has a part that "{texture.name}" has not: it has {lacks}',
            hint="give a part within the texture",
            where=caller_location(),
        )


def _is_span(span: Any) -> bool:
    if not isinstance(span, tuple) or len(span) != 2:
        return False
    check_counts("a number of a part's range", *span)
    return bool(span[1] > 0)


def _shape(info: TextureInfo) -> str:
    width, height = info.extent
    return f"{info.format}, {width}x{height}, {info.mips} mips, {info.layers} layers, {info.samples} samples"


def _refuse(what: str, value: Any, hint: str, behind: str = "") -> NoReturn:
    raise GraphError(f"{what} {reprlib.repr(value)}{behind}", hint=hint, where=caller_location())
