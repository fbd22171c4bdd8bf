"""Targets: an offscreen texture, or a texture that is shown in a window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.framebuffers import Attached, Framebuffers
from renderwright.render.backend.opengl.textures import GLTexture, own_texture
from renderwright.render.backend.timeline import Releasable
from renderwright.render.errors import BackendError
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import Usage


class OffscreenTarget:
    """A texture that all frames render to. ``close`` calls ``closed``, ``retire`` releases a texture later."""

    windowed = False

    def __init__(
        self,
        device: Device,
        extent: Extent,
        retire: Callable[[Releasable], None],
        closed: Callable[[OffscreenTarget], None],
    ) -> None:
        self.format = "rgba8_srgb"
        self.extent = extent
        self.paced = True
        self._device = device
        self._retire_later = retire
        self._closed = closed
        self._texture: GLTexture | None = self._create(extent)

    def acquire(self, slot: int) -> GLTexture | None:
        """The texture, which is the same for all slots."""
        if self._texture is None:
            raise BackendError("the target is closed")
        return self._texture

    def resize(self, extent: Extent) -> None:
        """Recreate the texture in another size."""
        if extent != self.extent:
            self._device.context.enter()
            texture = self._create(extent)
            self._retire()
            self._texture, self.extent = texture, extent

    def close(self) -> None:
        """Destroy the texture once the frames that use it have finished."""
        self._retire()
        self._closed(self)

    def present(self) -> bool:
        """Return True: the texture always fits."""
        return True

    def release(self) -> None:
        """Destroy the texture at once."""
        if self._texture is not None:
            self._texture.release()
            self._texture = None

    def _retire(self) -> None:
        if self._texture is not None:
            self._retire_later(self._texture)
            self._texture = None

    def _create(self, extent: Extent) -> GLTexture:
        usages = frozenset({Usage.COLOR, Usage.COPY_SRC})
        return own_texture(self._device, TextureInfo(self.format, extent, 1, 1, 1, usages), "target")


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
        closed: Callable[[OffscreenTarget], None],
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
