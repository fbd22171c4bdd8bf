"""The target in a window: a swapchain that follows the window's size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.empty_submission import EmptySubmission
from renderwright.render.backend.vulkan.errors import check, failure
from renderwright.render.backend.vulkan.surface import (
    SurfaceState,
    choose_format,
    choose_present_mode,
    create_surface,
    surface_state,
)
from renderwright.render.backend.vulkan.textures import Presents, VulkanTexture
from renderwright.render.backend.vulkan.timeline import Timeline
from renderwright.render.errors import (
    BackendError,
    DeviceHungError,
    DeviceLostError,
    OutOfMemoryError,
    SurfaceLostError,
)
from renderwright.render.formats import format_named
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import Usage

_ACQUIRE_NANOSECONDS = 1_000_000_000

MAX_LOST_SURFACES = 3
"""The most consecutive losses of a window's surface without a frame shown in between."""


@dataclass
class _AcquireSemaphore:
    """Signalled when an image may be written; ``value`` is the timeline's value after the last wait for it."""

    handle: CData
    value: int = 0


@dataclass(frozen=True)
class _Image:
    """An image of the swapchain, and the semaphore that presentation waits for."""

    index: int
    texture: VulkanTexture
    shown: CData


class SwapchainTarget:
    """A pyglet window on X11. Frames wait for the vertical blank (FIFO) while ``paced``; ``close`` calls ``closed``.

    A swapchain that no longer fits the window is recreated, as is a lost surface. Raises ``SurfaceLostError`` if the
    window no longer exists.
    """

    windowed = True

    def __init__(
        self,
        device: Device,
        timeline: Timeline,
        extent: Extent,
        window: Any,
        closed: Callable[[SwapchainTarget], None],
    ) -> None:
        self.extent = extent
        self.paced = True
        self._made_paced = True
        self._closed = closed
        self._device = device
        self._timeline = timeline
        self._window = window
        self._surface: CData = NULL
        self._swapchain: CData = NULL
        self._released = False
        self._lost_surfaces = 0
        self._renew = False
        self._suboptimal = False
        self._end = EmptySubmission(device, timeline)
        self._images: list[_Image] = []
        self._acquire: list[_AcquireSemaphore] = []
        self._turn = 0
        self._acquired: tuple[_Image, _AcquireSemaphore] | None = None
        self._present_arena = arena = Arena()
        self._present_semaphore = arena.out("VkSemaphore")
        self._present_swapchain = arena.out("VkSwapchainKHR")
        self._present_index = arena.out("uint32_t")
        self._present_info = arena.new(
            "VkPresentInfoKHR",
            waitSemaphoreCount=1,
            pWaitSemaphores=self._present_semaphore,
            swapchainCount=1,
            pSwapchains=self._present_swapchain,
            pImageIndices=self._present_index,
        )
        try:
            self._open_surface()
            for number in range(FRAMES_IN_FLIGHT):
                self._acquire.append(_AcquireSemaphore(self._semaphore(f"swapchain acquire {number}")))
            self._create(extent)
        except BaseException:
            self.release()
            raise

    def acquire(self, slot: int) -> VulkanTexture | None:
        """The next image, or None if the window is minimised or has just changed its size.

        An image whose frame was never submitted is returned again. ``extent`` is the image's size.
        """
        if self._released:
            raise BackendError("the target is closed")
        if self._acquired is None:
            self._repace()
            if not self._acquire_next():
                return None
        assert self._acquired is not None
        return self._acquired[0].texture

    def resize(self, extent: Extent) -> None:
        """Recreate the swapchain at the window's size, or at ``extent`` if the surface reports none."""
        self.wait_shown()
        if self._acquired is not None:
            # Its semaphore is signalled, and no submission will wait for it.
            self._replace_semaphore(self._acquired[1])
            self._acquired = None
        self._remake(extent)

    def close(self) -> None:
        """Release the window, after waiting for the frames that use it. Closing again does nothing."""
        if self._released:
            return
        try:
            self.wait_shown()
        except DeviceHungError:
            raise
        except DeviceLostError:
            pass  # a lost device uses nothing any more
        self.release()
        self._closed(self)

    def semaphores(self) -> tuple[CData, CData]:
        """The semaphores that the frame's submission waits for and signals."""
        if self._acquired is None:
            raise BackendError("a frame ends on a window without an acquired image")
        image, semaphore = self._acquired
        return semaphore.handle, image.shown

    def present(self) -> bool:
        """Present the acquired image, whose frame was just submitted. Returns False if the window has another size."""
        assert self._acquired is not None
        image, semaphore = self._acquired
        self._acquired = None
        semaphore.value = self._timeline.submitted
        self._present_semaphore[0] = image.shown
        self._present_swapchain[0] = self._swapchain
        self._present_index[0] = image.index
        with self._device.waiting():
            result = self._device.dispatch.vkQueuePresentKHR(self._device.queue, self._present_info)
        if result == lib.VK_ERROR_OUT_OF_DATE_KHR:
            return False
        if result == lib.VK_ERROR_SURFACE_LOST_KHR:
            self._renew = True
            return False
        if result != lib.VK_SUBOPTIMAL_KHR:
            check(result, "show a frame")
        self._lost_surfaces = 0
        return not self._has_changed(suspected=self._suboptimal or result == lib.VK_SUBOPTIMAL_KHR)

    def wait_shown(self) -> None:
        """Wait (bounded) until the device is done with all frames, their presentation included."""
        self._end.wait("wait for the window")

    def release(self) -> None:
        """Destroy everything at once."""
        if self._released:
            return
        self._released = True
        self._drop_surface()
        for semaphore in self._acquire:
            self._device.dispatch.vkDestroySemaphore(self._device.handle, semaphore.handle, NULL)
        self._acquired = None

    # images ---------------------------------------------------------------------------------------------------------

    def _repace(self) -> None:
        """Destroy the swapchain if ``paced`` has changed since its creation."""
        if self.paced is not self._made_paced and self._swapchain != NULL:
            self.wait_shown()
            self._drop_swapchain()

    def _acquire_next(self) -> bool:
        for _ in range(2):
            if self._swapchain == NULL and not self._remake(self.extent):
                return False
            semaphore = self._acquire[self._turn]
            self._timeline.wait(semaphore.value)
            index = ffi.new("uint32_t*")
            with self._device.waiting():
                result = self._device.dispatch.vkAcquireNextImageKHR(
                    self._device.handle, self._swapchain, _ACQUIRE_NANOSECONDS, semaphore.handle, NULL, index
                )
            if result in (lib.VK_TIMEOUT, lib.VK_NOT_READY):
                return False
            if result in (lib.VK_SUCCESS, lib.VK_SUBOPTIMAL_KHR):
                self._turn = (self._turn + 1) % len(self._acquire)
                self._acquired = (self._images[index[0]], semaphore)
                self._suboptimal = result == lib.VK_SUBOPTIMAL_KHR
                return True
            if result not in (lib.VK_ERROR_OUT_OF_DATE_KHR, lib.VK_ERROR_SURFACE_LOST_KHR):
                raise failure(result, "get an image of the window")
            self._renew = result == lib.VK_ERROR_SURFACE_LOST_KHR
            before = self.extent, self.format
            self.wait_shown()
            self._remake(self.extent)
            if (self.extent, self.format) != before:
                # The caller's frame was planned for the old extent and format.
                return False
        return False

    def _has_changed(self, *, suspected: bool) -> bool:
        """Whether a new swapchain would fit better. Some drivers never report it, others report SUBOPTIMAL forever."""
        # A query of the surface is a round trip to the X server, so do it only on suspicion.
        if not suspected and self._window.get_framebuffer_size() == self.extent:
            return False
        try:
            return surface_state(self._device, self._surface) != self._state
        except SurfaceLostError:
            self._renew = True
            return True

    # swapchain and surface ------------------------------------------------------------------------------------------

    def _remake(self, extent: Extent) -> bool:
        """Recreate the swapchain, and a lost surface. Returns False if the window has no area."""
        if not self._renew:
            try:
                return self._create(extent)
            except SurfaceLostError:
                self._renew = True
        self._lost_surfaces += 1
        if self._lost_surfaces > MAX_LOST_SURFACES:
            raise failure(lib.VK_ERROR_SURFACE_LOST_KHR, f"show a frame after {MAX_LOST_SURFACES} new surfaces")
        self._drop_surface()
        try:
            self._open_surface()
        except (OutOfMemoryError, DeviceLostError, SurfaceLostError):
            raise
        except BackendError as error:
            raise SurfaceLostError(
                f"cannot draw to the window any more: the window is gone ({error.message})",
                hint="close the target before its window",
            ) from error
        self._renew = False
        return self._create(extent)

    def _open_surface(self) -> None:
        self._surface = create_surface(self._device, self._window)
        self._format = choose_format(self._device, self._surface)
        self.format = self._format.name

    def _drop_surface(self) -> None:
        self._drop_swapchain()
        if self._surface != NULL:
            self._device.dispatch.vkDestroySurfaceKHR(self._device.instance.handle, self._surface, NULL)
            self._surface = NULL

    def _drop_swapchain(self) -> None:
        for image in self._images:
            image.texture.release()
            self._device.dispatch.vkDestroySemaphore(self._device.handle, image.shown, NULL)
        self._images = []
        if self._swapchain != NULL:
            self._device.dispatch.vkDestroySwapchainKHR(self._device.handle, self._swapchain, NULL)
            self._swapchain = NULL

    def _create(self, extent: Extent) -> bool:
        """Create the swapchain or replace it. Returns False if the window has no area."""
        self._state = state = surface_state(self._device, self._surface)
        size = state.extent or extent
        try:
            swapchain = self._create_swapchain(state, size, self._swapchain) if size[0] and size[1] else NULL
        finally:
            # The old swapchain is retired even if the creation failed.
            self._drop_swapchain()
        self._swapchain, self._made_paced = swapchain, self.paced
        if swapchain == NULL:
            return False
        self.extent = size
        try:
            self._list_images(state)
        except BaseException:
            self._drop_swapchain()
            raise
        return True

    def _create_swapchain(self, state: SurfaceState, size: Extent, old: CData) -> CData:
        arena = Arena()
        info = arena.new(
            "VkSwapchainCreateInfoKHR",
            surface=self._surface,
            minImageCount=state.image_count,
            imageFormat=format_named(self.format).vk,
            imageColorSpace=self._format.color_space,
            imageExtent={"width": size[0], "height": size[1]},
            imageArrayLayers=1,
            imageUsage=_image_usage(state),
            imageSharingMode=lib.VK_SHARING_MODE_EXCLUSIVE,
            preTransform=state.transform,
            compositeAlpha=state.composite_alpha,
            presentMode=choose_present_mode(self._device, self._surface, paced=self.paced),
            clipped=1,
            oldSwapchain=old,
        )
        swapchain = arena.out("VkSwapchainKHR")
        check(
            self._device.dispatch.vkCreateSwapchainKHR(self._device.handle, info, NULL, swapchain),
            "create a swapchain",
        )
        self._device.name(lib.VK_OBJECT_TYPE_SWAPCHAIN_KHR, swapchain[0], "swapchain")
        return swapchain[0]

    def _list_images(self, state: SurfaceState) -> None:
        query = self._device.dispatch.vkGetSwapchainImagesKHR
        count = ffi.new("uint32_t*")
        check(query(self._device.handle, self._swapchain, count, NULL), "list the window's images")
        handles = ffi.new("VkImage[]", count[0])
        check(query(self._device.handle, self._swapchain, count, handles), "list the window's images")
        copied = state.usages & lib.VK_IMAGE_USAGE_TRANSFER_DST_BIT
        usages = frozenset({Usage.COLOR, Usage.COPY_DST} if copied else {Usage.COLOR})
        info = TextureInfo(self.format, self.extent, mips=1, layers=1, samples=1, usages=usages)
        for index in range(count[0]):
            name = f"window image {index}"
            texture = VulkanTexture(self._device, info, name, handles[index], presents=Presents.SWAPCHAIN)
            try:
                shown = self._semaphore(f"{name} can be shown")
            except BaseException:
                texture.release()
                raise
            self._images.append(_Image(index, texture, shown))

    def _replace_semaphore(self, semaphore: _AcquireSemaphore) -> None:
        handle = self._semaphore("swapchain acquire, replaced")
        self._device.dispatch.vkDestroySemaphore(self._device.handle, semaphore.handle, NULL)
        semaphore.handle = handle
        semaphore.value = 0

    def _semaphore(self, name: str) -> CData:
        arena = Arena()
        semaphore = arena.out("VkSemaphore")
        info = arena.new("VkSemaphoreCreateInfo")
        check(self._device.dispatch.vkCreateSemaphore(self._device.handle, info, NULL, semaphore), "create a semaphore")
        self._device.name(lib.VK_OBJECT_TYPE_SEMAPHORE, semaphore[0], name)
        return semaphore[0]


def _image_usage(state: SurfaceState) -> int:
    wanted = lib.VK_IMAGE_USAGE_TRANSFER_DST_BIT | lib.VK_IMAGE_USAGE_TRANSFER_SRC_BIT
    return int(lib.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | (state.usages & wanted))
