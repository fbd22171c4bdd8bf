"""The offscreen target."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from renderwright.render.backend.texture_target import TextureTarget
from renderwright.render.backend.timeline import Retirement
from renderwright.render.backend.vulkan.api import NULL, CData
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.placement import own_texture
from renderwright.render.backend.vulkan.textures import Presents, VulkanTexture
from renderwright.render.types.resources import Extent


class OffscreenTarget(TextureTarget[VulkanTexture]):
    """A texture that all frames render to; after a frame it is in TRANSFER_SRC."""

    def __init__(
        self, device: Device, retirement: Retirement, extent: Extent, closed: Callable[[TextureTarget[Any]], None]
    ) -> None:
        self._device = device
        super().__init__(extent, retirement.add, closed)

    def semaphores(self) -> tuple[CData, CData]:
        """Null handles: no waits and no signals."""
        return NULL, NULL

    def _create(self, extent: Extent) -> VulkanTexture:
        return own_texture(self._device, self._described(extent), "offscreen target", Presents.OFFSCREEN)
