"""Framebuffers by what is attached to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import ffi
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.textures import GLTexture
from renderwright.render.errors import BackendError
from renderwright.render.types.parts import Part


class Attached(NamedTuple):
    """One mip of a texture as an attachment: one layer of it, or ``layers`` from ``layer`` on at once."""

    texture: GLTexture
    mip: int
    layer: int
    layers: int


_Key = tuple[tuple[tuple[int, int, int, int], ...], tuple[int, int, int, int] | None]


class Framebuffers:
    """Creates framebuffers at their first use, and deletes them with the first of their textures."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._made: dict[_Key, int] = {}
        self._by_texture: dict[int, set[_Key]] = {}
        device.texture_gone.append(self.forget)

    def get(self, colors: Sequence[Attached], depth: Attached | None = None) -> int:
        """The framebuffer with these attachments; several layers are attached layered."""
        attached = [*colors, *([depth] if depth is not None else [])]
        key = tuple(_key(each) for each in colors), _key(depth) if depth is not None else None
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = self._create(colors, depth)
            for each in attached:
                self._by_texture.setdefault(id(each.texture), set()).add(key)
        return known

    def forget(self, texture: object) -> None:
        """Delete the framebuffers of a texture that is about to be deleted."""
        for key in self._by_texture.pop(id(texture), ()):
            made = self._made.pop(key, None)
            if made is not None:
                self._device.api.delete("Framebuffers", made)

    def release(self) -> None:
        """Delete all."""
        for made in self._made.values():
            self._device.api.delete("Framebuffers", made)
        self._made.clear()
        self._by_texture.clear()

    def _create(self, colors: Sequence[Attached], depth: Attached | None) -> int:
        api = self._device.api
        made = api.create("Framebuffers")
        for number, each in enumerate(colors):
            self._attach(made, gl.COLOR_ATTACHMENT0 + number, each)
        if depth is not None:
            stencil = depth.texture.storage.kind.format.endswith("_s8_uint")
            self._attach(made, gl.DEPTH_STENCIL_ATTACHMENT if stencil else gl.DEPTH_ATTACHMENT, depth)
        buffers = [gl.COLOR_ATTACHMENT0 + number for number in range(len(colors))] or [0]
        api.glNamedFramebufferDrawBuffers(made, len(buffers), ffi.new("GLenum[]", buffers))
        api.glNamedFramebufferReadBuffer(made, buffers[0])
        status = api.glCheckNamedFramebufferStatus(made, gl.FRAMEBUFFER)
        if status != gl.FRAMEBUFFER_COMPLETE:
            api.delete("Framebuffers", made)
            names = ", ".join(each.texture.name for each in (*colors, *([depth] if depth is not None else [])))
            raise BackendError(
                f"{self._device.name} cannot render to {names} at once (framebuffer status {status:#06x})",
                hint="give the attachments of a pass the same samples, and formats that can be rendered to",
            )
        return made

    def _attach(self, framebuffer: int, where: int, each: Attached) -> None:
        api, texture = self._device.api, each.texture
        if each.layers > 1:
            part = Part((each.mip, 1), (each.layer, each.layers))
            api.glNamedFramebufferTexture(framebuffer, where, texture.view(part), 0)
        elif texture.storage.kind.layers > 1:
            api.glNamedFramebufferTextureLayer(framebuffer, where, texture.handle, each.mip, each.layer)
        else:
            api.glNamedFramebufferTexture(framebuffer, where, texture.handle, each.mip)


def _key(each: Attached) -> tuple[int, int, int, int]:
    return id(each.texture), each.mip, each.layer, each.layers
