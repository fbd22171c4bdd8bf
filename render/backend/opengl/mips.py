"""Mips that are made on the device, each from the one before.

``glGenerateTextureMipmap`` leaves the filter to the driver, and with that of NVIDIA small dots came out darker than on
Vulkan. So textures that can be rendered to are halved by blits, as Vulkan halves them: in linear light.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import ffi
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.errors import check
from renderwright.render.backend.opengl.textures import GLTexture
from renderwright.render.errors import BackendError
from renderwright.render.types.physical import TextureInfo


def make_mips(device: Device, texture: GLTexture) -> None:
    """Make all other mips from mip 0, in linear light."""
    if device.supports(texture.info.format, gl.FRAMEBUFFER_RENDERABLE):
        with _framebuffer(device) as source, _framebuffer(device) as target:
            for layer in range(texture.storage.kind.layers):
                for mip in range(1, texture.info.mips):
                    _blit(device, texture, layer, mip, source, target)
    else:
        device.api.glGenerateTextureMipmap(texture.handle)
    check(device.api, f"make mips of {texture.name!r}")


def require_mips(device: Device, info: TextureInfo, name: str) -> None:
    """Raise ``BackendError`` unless the device can make the texture's mips, if it has several."""
    if info.mips > 1 and not device.supports(info.format, gl.FILTER):
        raise BackendError(
            f'{device.name} cannot make mips of {name!r} in format "{info.format}"',
            hint="create the texture with one mip, or in another format",
        )


@contextmanager
def _framebuffer(device: Device) -> Iterator[int]:
    made = device.api.create("Framebuffers")
    try:
        device.api.glNamedFramebufferDrawBuffers(made, 1, ffi.new("GLenum[]", [gl.COLOR_ATTACHMENT0]))
        device.api.glNamedFramebufferReadBuffer(made, gl.COLOR_ATTACHMENT0)
        yield made
    finally:
        device.api.delete("Framebuffers", made)


def _blit(device: Device, texture: GLTexture, layer: int, mip: int, source: int, target: int) -> None:
    """Fill a mip of a layer from the next larger one."""
    api, (width, height) = device.api, texture.info.extent
    larger = max(width >> mip - 1, 1), max(height >> mip - 1, 1)
    smaller = max(width >> mip, 1), max(height >> mip, 1)
    for framebuffer, level in ((source, mip - 1), (target, mip)):
        if texture.storage.kind.layers > 1:
            api.glNamedFramebufferTextureLayer(framebuffer, gl.COLOR_ATTACHMENT0, texture.handle, level, layer)
        else:
            api.glNamedFramebufferTexture(framebuffer, gl.COLOR_ATTACHMENT0, texture.handle, level)
    api.glScissor(0, 0, *smaller)  # it cuts blits as well; each pass sets its own
    api.glBlitNamedFramebuffer(source, target, 0, 0, *larger, 0, 0, *smaller, gl.COLOR_BUFFER_BIT, gl.LINEAR)
