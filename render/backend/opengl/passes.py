"""Passes: the framebuffer, clears and resolves of a pass's attachments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import CData, ffi
from renderwright.render.backend.opengl.formats import Values, pixel_format
from renderwright.render.backend.opengl.framebuffers import Attached, Framebuffers
from renderwright.render.backend.opengl.textures import GLTexture, is_depth
from renderwright.render.backend.protocol import AttachedTexture
from renderwright.render.errors import BackendError
from renderwright.render.types.attachments import Attachment, Load
from renderwright.render.types.resources import ClearValue, Extent
from renderwright.render.types.usages import Usage


@dataclass(frozen=True)
class Clear:
    """A clear of a buffer of the framebuffer: colour ``number``, or the depth."""

    call: str
    buffer: int
    number: int
    value: CData


@dataclass(frozen=True)
class Resolve:
    """A blit of a multisampled colour of one layer: framebuffers from and to."""

    source: int
    target: int


@dataclass(frozen=True)
class Pass:
    """A pass ready to begin; ``discarded`` are attachments whose contents nothing needs."""

    framebuffer: int
    extent: Extent
    clears: tuple[Clear, ...]
    discarded: tuple[int, ...]
    discarded_array: CData
    resolves: tuple[Resolve, ...]


def pass_of(framebuffers: Framebuffers, attachments: Sequence[AttachedTexture], extent: Extent) -> Pass:
    """The pass with these attachments.

    Colours are in the given order; resolve targets belong to the multisampled colours in order.
    """
    layers = min((_layers(each) for each in attachments), default=1)
    colors = [each for each in attachments if each.attachment.usage is Usage.COLOR]
    resolved = [each for each in attachments if each.attachment.usage is Usage.RESOLVE]
    depths = [each for each in attachments if each.attachment.usage in (Usage.DEPTH, Usage.DEPTH_READ)]
    for each in depths:
        if not is_depth(each.texture.info):
            raise BackendError(
                f'{each.texture.name!r} is a depth attachment, but "{each.texture.info.format}" is no depth format'
            )
    depth = _attached(depths[0], layers) if depths else None
    framebuffer = framebuffers.get([_attached(each, layers) for each in colors], depth)
    clears = [_clear(each, number) for number, each in enumerate(colors) if each.attachment.load is Load.CLEAR]
    clears += [_clear(each, 0) for each in depths if each.attachment.load is Load.CLEAR]
    where = {id(each): gl.COLOR_ATTACHMENT0 + number for number, each in enumerate(colors)}
    discarded = tuple(where[id(each)] for each in colors if each.attachment.load is Load.DISCARD)
    resolves = _resolves(framebuffers, colors, resolved, layers)
    return Pass(framebuffer, extent, tuple(clears), discarded, ffi.new("GLenum[]", discarded), tuple(resolves))


def _layers(each: AttachedTexture) -> int:
    part = each.attachment.part
    return part.layers[1] if part.layers is not None else each.texture.info.layers


def _attached(each: AttachedTexture, layers: int, layer: int = 0) -> Attached:
    texture, part = each.texture, each.attachment.part
    assert isinstance(texture, GLTexture)
    return Attached(texture, part.mips[0] if part.mips else 0, layer + (part.layers[0] if part.layers else 0), layers)


def _clear(each: AttachedTexture, number: int) -> Clear:
    attachment: Attachment = each.attachment
    values = pixel_format(each.texture.info.format).values
    if values in (Values.DEPTH, Values.DEPTH_STENCIL):
        return Clear("glClearNamedFramebufferfv", gl.DEPTH, 0, ffi.new("GLfloat[]", [attachment.clear[0]]))
    call, value = _color(values, attachment.clear)
    return Clear(call, gl.COLOR, number, value)


def _color(values: Values, value: ClearValue) -> tuple[str, CData]:
    if values is Values.UINT:
        return "glClearNamedFramebufferuiv", ffi.new("GLuint[]", [int(part) for part in value])
    if values is Values.SINT:
        return "glClearNamedFramebufferiv", ffi.new("GLint[]", [int(part) for part in value])
    return "glClearNamedFramebufferfv", ffi.new("GLfloat[]", list(value))


def _resolves(
    framebuffers: Framebuffers, colors: Sequence[AttachedTexture], targets: Sequence[AttachedTexture], layers: int
) -> list[Resolve]:
    multisampled = [each for each in colors if each.texture.info.samples > 1]
    if len(targets) > len(multisampled):
        raise BackendError(
            f"{targets[len(multisampled)].texture.name!r} is a resolve target of a pass that has no multisampled "
            "colour for it",
            hint="give the colour attachment more samples, or drop the resolve request",
        )
    return [
        Resolve(framebuffers.get([_attached(color, 1, layer)]), framebuffers.get([_attached(target, 1, layer)]))
        for color, target in zip(multisampled, targets, strict=False)
        for layer in range(layers)
    ]
