"""The images that a runtime lends for one eye's pictures."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

from renderwright.plugins.vr.openxr.errors import OpenXrError, calling
from renderwright.render import FORMATS, DeviceHungError, DeviceLostError, Extent, PhysicalTexture, TextureInfo, Usage
from renderwright.render.backend.interop import SharingBackend

WAIT_NANOSECONDS = 1_000_000_000
"""So long a frame waits for an image; without one it shows nothing."""
_PREFERRED = ("rgba8_srgb", "bgra8_srgb", "rgba16_sfloat", "a2b10g10r10_unorm", "rgba8_unorm", "bgra8_unorm")
"""Runtimes take what is in a texture for linear unless its format is one of sRGB; so does the GPU that draws to it."""


def choose_format(offered: Iterable[int]) -> str:
    """The best one for finished pictures of those that a runtime offers, by their numbers in Vulkan."""
    numbers = set(offered)
    for name in _PREFERRED:
        if FORMATS[name].vk in numbers:
            return name
    raise OpenXrError(
        "the OpenXR runtime takes no pictures in a format that the game can draw",
        hint="use another runtime, or vr.device=simulated",
        result="ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED",
    )


class EyeSwapchain:
    """An XrSwapchain whose images are textures of the backend.

    An image is acquired, waited for, drawn to and released; between its being waited for and its release the runtime
    leaves it alone. It comes in any layout the graph likes, for what it held is not wanted, and must be released as a
    colour attachment: as the graph leaves a texture from outside that a node draws to last.
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
        with calling(xr, "make the images of an eye"):
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
        """The image that may be drawn to now."""
        return self._textures[self._acquired] if self._acquired is not None and self._ready else None

    def acquire(self) -> bool:
        """Get the next image; whether it may be drawn to. If not, the runtime is late, and the next call goes on."""
        xr = self._xr
        with calling(xr, "get an image"):
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
        """Give the image to the runtime, if there is one to give; what draws to it has been submitted."""
        if not self._ready:
            return
        self._acquired, self._ready = None, False
        with calling(self._xr, "hand an image over"):
            self._xr.release_swapchain_image(self.handle, self._xr.SwapchainImageReleaseInfo())

    def close(self) -> None:
        """Give everything back; waits for the frames that draw to the images."""
        for texture in self._textures:
            self._backend.destroy(texture)
        self._textures.clear()
        self._acquired, self._ready = None, False
        try:
            self._backend.wait_idle()
        except DeviceHungError:
            raise
        except DeviceLostError:
            pass  # what is lost uses nothing any more
        with calling(self._xr, "give back the images of an eye"):
            self._xr.destroy_swapchain(self.handle)
