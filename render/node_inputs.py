"""The inputs that a test gives to ``run_node``: their checks, and the nodes that make textures of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, get_origin

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.texels import texel_layout
from renderwright.render.errors import GraphError, SourceLocation
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.requests import NodeDeclaration, Verb
from renderwright.render.graph.resolutions import scaled
from renderwright.render.types.resources import Blob, Buffer, Extent, Resolution, ResourceDesc, Texture

_FORMATS = {
    np.dtype(np.uint8): ("r8_unorm", "rg8_unorm", "rgba8_unorm"),
    np.dtype(np.uint32): ("r32_uint", "rg32_uint", "rgba32_uint"),
    np.dtype(np.float16): ("r16_sfloat", "rg16_sfloat", "rgba16_sfloat"),
    np.dtype(np.float32): ("r32_sfloat", "rg32_sfloat", "rgba32_sfloat"),
}
_PLACES = {1: 0, 2: 1, 3: 2, 4: 2}
"""The place among the formats of a type, by the number of channels that are given."""

_TEXTURE = "give an array of (height, width), (height, width, channels) or (layers, height, width, channels)"


def check_blob(key: str, value: object, desc: ResourceDesc | None, where: SourceLocation | None) -> None:
    """Raise ``GraphError`` for a value of another type than the blob that a node reads."""
    kind = desc.type if isinstance(desc, Blob) else None
    if kind is None or _fits(value, kind):
        return
    expected = _with_article(kind.__name__)
    maker = f"{kind.__name__}.of" if hasattr(kind, "of") else kind.__name__
    raise GraphError(
        f'the input "{key}" is {_shown(value)}, the node reads {expected}',
        hint=f'give {expected}: run_node(..., {{"{key}": {maker}(...)}})',
        where=where,
    )


def check_texels(key: str, value: object, where: SourceLocation | None) -> None:
    """Raise ``GraphError`` for what cannot be the texels of a texture: no array, or one of a single dimension."""
    if isinstance(value, np.ndarray) and value.ndim != 1:
        return
    is_array = isinstance(value, np.ndarray)
    raise GraphError(
        f'the input "{key}" is {"an array of 1 dimension" if is_array else _shown(value)}, and the node uses it as a '
        "texture",
        hint=_TEXTURE if is_array else f"{_TEXTURE}: np.array(..., np.float32)",
        where=where,
    )


def check_texture(key: str, value: NDArray[Any], size: Extent, where: SourceLocation | None) -> None:
    """Raise ``GraphError`` for a texture that has to be of the size (width, height) and whose array has these two
    swapped."""
    rows = 0 if value.ndim < 4 else 1
    width, height = size
    if width == height or value.shape[rows : rows + 2] != (width, height):
        return
    right = (*value.shape[:rows], height, width, *value.shape[rows + 2 :])
    raise GraphError(
        f'the input "{key}" has the shape {value.shape}, with width and height swapped: the size is {width} x {height}',
        hint=f"give an array of the shape {right}: (height, width) come in this order",
        where=where,
    )


def check_history(key: str, value: NDArray[Any], desc: Texture, size: Extent, where: SourceLocation | None) -> None:
    """Raise ``GraphError`` for a history that cannot be of the texture ``desc``, whose resolutions are ``size``."""
    extent = scaled(size, desc.size.scale) if isinstance(desc.size, Resolution) else desc.size
    channels = texel_layout(desc.format).channels
    right = (extent[1], extent[0], 4 if channels == 3 else channels)
    if value.shape[-3:] != right:
        raise GraphError(
            f'the input "{key}" has the shape {value.shape}; it is the history of what the node creates as '
            f"{extent[0]} x {extent[1]} texels of {desc.format}",
            hint=f"give an array of the shape {right}: (height, width, channels)",
            where=where,
        )


def check_own_names(node: NodeDeclaration, keys: Iterable[str]) -> None:
    """Raise ``GraphError`` for a history that has the name of another request's input, one of the ``keys``: it would
    be that of a first frame, in silence."""
    given = set(keys)
    for request in node.requests:
        key = request.binding or request.name
        if request.verb is Verb.HISTORY and key in given:
            raise GraphError(
                f'"{node.name}" requests "{key}" and its history by the same name, so the input "{key}" fills the '
                "former alone",
                hint=f'give the history a name of its own, .bind("{key}_before"), which may then be an input as well',
                where=request.source,
            )


def check_depth(key: str, channels: int, where: SourceLocation | None) -> None:
    """Raise ``GraphError`` for a texture of several channels that the node uses as depth."""
    if channels > 1:
        raise GraphError(
            f'the input "{key}" has {channels} channels, and the node uses it as depth, which has one',
            hint="give an array of the shape (height, width) or (layers, height, width, 1)",
            where=where,
        )


def external(reg: Registry, name: str, desc: Texture | Buffer) -> None:
    """Declare what the test has put on the device."""
    request = reg.external(name, desc)
    if isinstance(desc, Texture):
        request.sampled()
    else:
        request.storage_read()


def copied(source: str, name: str, desc: Texture, layer: int, node: str, *, depth: bool) -> Declare:
    """A node that copies a ``layer`` of the texture ``source`` into a target ``name`` for the ``node`` under test.

    The node of layer 0 creates the target.
    """

    def declare(reg: Registry) -> Execute:
        reg.before(node)
        reg.read(source).layer(layer).sampled(filter="nearest").bind("source")
        made = replace(desc, format="d32_sfloat") if depth else desc
        target = (reg.modify(name) if layer else reg.create(name, made)).layer(layer)
        if depth:
            target.depth()
            pipeline = reg.graphics("copy_depth.frag", depth_test="always", depth_write=True)
        else:
            target.color()
            pipeline = reg.graphics("copy_color.frag")
        return lambda commands: commands.draw(pipeline)

    return declare


def with_channels(value: NDArray[Any], key: str, where: SourceLocation | None) -> NDArray[Any]:
    """Texels with an axis for channels; three channels get a fourth of ones, since no format has three."""
    pixels = value[:, :, None] if value.ndim == 2 else value[0] if value.ndim == 4 and len(value) == 1 else value
    if pixels.ndim not in (3, 4):
        raise GraphError(
            f'the input "{key}" is an array of {value.ndim} dimensions',
            hint=_TEXTURE,
            where=where,
        )
    if pixels.shape[-1] == 3:
        one = 255 if pixels.dtype == np.uint8 else 1
        pixels = np.concatenate([pixels, np.full((*pixels.shape[:-1], 1), one, pixels.dtype)], axis=-1)
    return np.ascontiguousarray(pixels)


def channels_of(value: NDArray[Any]) -> int:
    """The number of channels that a texture is given with."""
    return 1 if value.ndim == 2 else value.shape[-1]


def format_of(value: NDArray[Any], key: str, where: SourceLocation | None) -> str:
    """The texture format of an input. Raises ``GraphError`` if there is none."""
    channels, formats = channels_of(value), _FORMATS.get(value.dtype)
    if formats is None or channels not in _PLACES:
        known = ", ".join(str(dtype) for dtype in _FORMATS)
        raise GraphError(
            f'the input "{key}" has {channels} channel{"" if channels == 1 else "s"} of type {value.dtype}, which no '
            "texture format has",
            hint=f"give 1 to 4 channels of {known}" + ("" if formats else "; .astype(np.float32) converts"),
            where=where,
        )
    return formats[_PLACES[channels]]


def _fits(value: object, kind: Any) -> bool:
    if kind is float:
        return isinstance(value, float | int)
    try:
        return isinstance(value, get_origin(kind) or kind)
    except TypeError:  # a type that isinstance cannot check, such as a protocol
        return True


def _shown(value: object) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return "an array" if isinstance(value, np.ndarray) else _with_article(type(value).__name__)


def _with_article(word: str) -> str:
    return f"{'an' if word[0].lower() in 'aeiou' else 'a'} {word}"
