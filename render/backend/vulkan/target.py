"""The offscreen target."""

from __future__ import annotations

from collections.abc import Callable

from renderwright.render.backend.timeline import Retirement
from renderwright.render.backend.vulkan.api import NULL, CData
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.placement import own_texture
from renderwright.render.backend.vulkan.textures import Presents, VulkanTexture
from renderwright.render.errors import BackendError
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import Usage


class OffscreenTarget:
    """A texture that all frames render to; after a frame it is in TRANSFER_SRC. ``close`` calls ``closed``."""

    windowed = False

    def __init__(
        self, device: Device, retirement: Retirement, extent: Extent, closed: Callable[[OffscreenTarget], None]
    ) -> None:
        self.format = "rgba8_srgb"
        self.extent = extent
        self.paced = True
        self._device = device
        self._retirement = retirement
        self._closed = closed
        self._texture: VulkanTexture | None = self._create(extent)

    def acquire(self, slot: int) -> VulkanTexture:
        """The texture, which is the same for all slots."""
        if self._texture is None:
            raise BackendError("the target is closed")
        return self._texture

    def resize(self, extent: Extent) -> None:
        """Recreate the texture in another size."""
        if extent != self.extent:
            texture = self._create(extent)
            self._retire()
            self._texture, self.extent = texture, extent

    def close(self) -> None:
        """Destroy the texture once the frames that use it have finished."""
        self._retire()
        self._closed(self)

    def semaphores(self) -> tuple[CData, CData]:
        """Null handles: no waits and no signals."""
        return NULL, NULL

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
            self._retirement.add(self._texture)
            self._texture = None

    def _create(self, extent: Extent) -> VulkanTexture:
        usages = frozenset({Usage.COLOR, Usage.COPY_SRC})
        info = TextureInfo(self.format, extent, mips=1, layers=1, samples=1, usages=usages)
        return own_texture(self._device, info, "offscreen target", Presents.OFFSCREEN)
