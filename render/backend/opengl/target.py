"""Targets: an offscreen texture, or a texture that is shown in a window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.framebuffers import Attached, Framebuffers
from renderwright.render.backend.opengl.textures import GLTexture, own_texture
from renderwright.render.backend.texture_target import TextureTarget
from renderwright.render.backend.timeline import Releasable
from renderwright.render.types.resources import Extent


class OffscreenTarget(TextureTarget[GLTexture]):
    """A texture that all frames render to."""

    def __init__(
        self,
        device: Device,
        extent: Extent,
        retire: Callable[[Releasable], None],
        closed: Callable[[TextureTarget[Any]], None],
    ) -> None:
        self._device = device
        super().__init__(extent, retire, closed)

    def _create(self, extent: Extent) -> GLTexture:
        self._device.context.enter()
        return own_texture(self._device, self._described(extent), "target")


class WindowTarget(OffscreenTarget):
    """A texture that is copied to a pyglet window at the end of each frame.

    The window's rows begin at the bottom, those of textures at the top.
    """

    windowed = True

    def __init__(
        self,
        device: Device,
        framebuffers: Framebuffers,
        extent: Extent,
        window: Any,
        retire: Callable[[Releasable], None],
        closed: Callable[[TextureTarget[Any]], None],
    ) -> None:
        self._framebuffers = framebuffers
        self._window = window
        self._waits = True
        window.set_vsync(True)
        super().__init__(device, (max(1, extent[0]), max(1, extent[1])), retire, closed)
        self.extent = extent

    def acquire(self, slot: int) -> GLTexture | None:
        """The texture, or None while the window is minimised."""
        return super().acquire(slot) if min(self.extent) > 0 else None

    def resize(self, extent: Extent) -> None:
        """Recreate the texture in another size; a minimised window keeps its texture."""
        if min(extent) > 0 and self._texture is not None and self._texture.info.extent == extent:
            self.extent = extent
        elif min(extent) > 0:
            super().resize(extent)
        else:
            self.extent = extent

    def present(self) -> bool:
        """Show the texture. Returns False if the window has another size now."""
        texture = self._texture
        assert texture is not None
        if self.paced is not self._waits:
            self._window.set_vsync(self.paced)
            self._waits = self.paced
        api, (width, height) = self._device.api, texture.info.extent
        framebuffer = self._framebuffers.get([Attached(texture, 0, 0, 1)])
        shown = tuple(int(side) for side in self._window.get_framebuffer_size())
        # The window takes the encoded bytes as they are.
        api.glDisable(gl.FRAMEBUFFER_SRGB)
        api.glScissor(0, 0, *shown)
        corners = (0, 0, width, height), (0, shown[1], shown[0], 0)
        api.glBlitNamedFramebuffer(framebuffer, 0, *corners[0], *corners[1], gl.COLOR_BUFFER_BIT, gl.NEAREST)
        api.glEnable(gl.FRAMEBUFFER_SRGB)
        with self._device.waiting():
            self._window.flip()
        return shown == texture.info.extent
