"""The OpenXR swapchain of one eye."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

from renderwright.plugins.vr.openxr.errors import OpenXrError, calling
from renderwright.render import FORMATS, DeviceHungError, DeviceLostError, Extent, PhysicalTexture, TextureInfo, Usage
from renderwright.render.backend.interop import SharingBackend

WAIT_NANOSECONDS = 1_000_000_000
"""Timeout of a frame's wait for an image. After a timeout, the headset shows nothing in that frame."""
_PREFERRED = ("rgba8_srgb", "bgra8_srgb", "rgba16_sfloat", "a2b10g10r10_unorm", "rgba8_unorm", "bgra8_unorm")
"""Order of preference. Runtimes treat contents as linear unless the format is sRGB, so sRGB formats come first."""


def choose_format(offered: Iterable[int]) -> str:
    """The preferred format for finished pictures among the runtime's VkFormat numbers. Raises ``OpenXrError``."""
    numbers = set(offered)
    for name in _PREFERRED:
        if FORMATS[name].vk in numbers:
            return name
    raise OpenXrError(
        "the OpenXR runtime supports no swapchain format that the game can draw",
        hint="use another runtime, or vr.device=simulated",
        result="ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED",
    )


class EyeSwapchain:
    """An XrSwapchain whose images are textures of the backend.

    An image is acquired, waited for, rendered to and released. The runtime does not access it between the wait and the
    release. Its contents are discarded, so the graph may start from the undefined layout. It must be released in the
    layout of a colour attachment, in which the graph leaves an external texture that was last rendered to.
    """

    def __init__(self, xr: Any, session: Any, backend: SharingBackend, format: str, extent: Extent, name: str) -> None:
        self._xr = xr
        self._backend = backend
        self.extent = extent
        self._textures: list[PhysicalTexture] = []
        self._acquired: int | None = None
        self._ready = False
        info = xr.SwapchainCreateInfo(
            usage_flags=xr.SwapchainUsageFlags.COLOR_ATTACHMENT_BIT,
            format=FORMATS[format].vk,
            sample_count=1,
            width=extent[0],
            height=extent[1],
            face_count=1,
            array_size=1,
            mip_count=1,
        )
        with calling(xr, "create the swapchain of an eye"):
            self.handle = xr.create_swapchain(session, info)
        try:
            with calling(xr, "list the images of an eye"):
                images = xr.enumerate_swapchain_images(self.handle, xr.SwapchainImageVulkanKHR)
            drawn = TextureInfo(format, extent, 1, 1, 1, frozenset({Usage.COLOR}))
            for number, image in enumerate(images):
                handle = ctypes.cast(image.image, ctypes.c_void_p).value or 0
                self._textures.append(backend.adopt_texture(handle, drawn, f"{name} image {number}"))
        except BaseException:
            self.close()
            raise

    @property
    def texture(self) -> PhysicalTexture | None:
        """The acquired image; None if there is none."""
        return self._textures[self._acquired] if self._acquired is not None and self._ready else None

    def acquire(self) -> bool:
        """Acquire the next image. Returns False if the wait times out; the next call continues to wait."""
        xr = self._xr
        with calling(xr, "acquire an image"):
            if self._acquired is None:
                self._acquired = int(xr.acquire_swapchain_image(self.handle, xr.SwapchainImageAcquireInfo()))
        try:
            with calling(xr, "wait for an image"):
                if not self._ready:
                    xr.wait_swapchain_image(self.handle, xr.SwapchainImageWaitInfo(timeout=WAIT_NANOSECONDS))
        except OpenXrError as error:
            if error.result == "TIMEOUT_EXPIRED":
                return False
            raise
        self._ready = True
        return True

    def release(self) -> None:
        """Release the acquired image, if any. The work that renders to it must have been submitted."""
        if not self._ready:
            return
        self._acquired, self._ready = None, False
        with calling(self._xr, "release an image"):
            self._xr.release_swapchain_image(self.handle, self._xr.SwapchainImageReleaseInfo())

    def close(self) -> None:
        """Destroy the swapchain after the frames that render to its images have finished."""
        for texture in self._textures:
            self._backend.destroy(texture)
        self._textures.clear()
        self._acquired, self._ready = None, False
        try:
            self._backend.wait_idle()
        except DeviceHungError:
            raise
        except DeviceLostError:
            pass  # a lost device no longer uses the images
        with calling(self._xr, "destroy the swapchain of an eye"):
            self._xr.destroy_swapchain(self.handle)
