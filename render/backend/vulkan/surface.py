"""Surfaces of pyglet windows, and their capabilities."""

from __future__ import annotations

import ctypes
import logging
from dataclasses import dataclass
from typing import Any

from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.constants import SURFACE, SWAPCHAIN, XLIB_SURFACE
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.errors import BackendError
from renderwright.render.formats import FORMATS
from renderwright.render.types.resources import Extent

_logger = logging.getLogger("renderwright.vulkan")

_WINDOW_DECIDES = 2**32 - 1
_PREFERRED = ("bgra8_srgb", "rgba8_srgb", "bgra8_unorm", "rgba8_unorm")


@dataclass(frozen=True)
class SurfaceState:
    """The current capabilities of a surface. ``extent`` is None if the swapchain may choose it."""

    extent: Extent | None
    image_count: int
    transform: int
    composite_alpha: int
    usages: int


@dataclass(frozen=True)
class SurfaceFormat:
    """A texture format by its short name, with the surface's colour space."""

    name: str
    color_space: int


def create_surface(device: Device, window: Any) -> CData:
    """A VkSurfaceKHR on a pyglet window. Raises ``BackendError`` if the window or the device does not support it."""
    if not {SURFACE, XLIB_SURFACE} <= device.instance.extensions or SWAPCHAIN not in device.physical.extensions:
        raise BackendError(
            f"{device.physical.name} cannot show pictures in X11 windows",
            hint=f"its driver lacks {SURFACE}, {XLIB_SURFACE} or {SWAPCHAIN}; render offscreen instead",
        )
    # pyglet has no public access to these two. Its view covers its window, so only the view is visible.
    display, handle = getattr(window, "_x_display", None), getattr(window, "_view", None)
    if display is None or handle is None:
        raise BackendError(
            f"cannot show pictures in a {type(window).__name__}: only open X11 windows of pyglet are supported",
            hint="on Wayland run under Xwayland; elsewhere use the OpenGL backend",
        )
    arena = Arena()
    info = arena.new(
        "VkXlibSurfaceCreateInfoKHR",
        dpy=ffi.cast("Display*", ctypes.cast(display, ctypes.c_void_p).value),
        window=int(handle),
    )
    surface = arena.out("VkSurfaceKHR")
    vk = device.dispatch
    check(vk.vkCreateXlibSurfaceKHR(device.instance.handle, info, NULL, surface), "use the window")
    supported = ffi.new("VkBool32*")
    result = vk.vkGetPhysicalDeviceSurfaceSupportKHR(device.physical.handle, device.family, surface[0], supported)
    if result != lib.VK_SUCCESS or not supported[0]:
        vk.vkDestroySurfaceKHR(device.instance.handle, surface[0], NULL)
        check(result, "use the window")
        raise BackendError(f"{device.physical.name} cannot present to this window", hint="choose another device")
    # A surface is an object of the loader: naming it with the device's function crashes drivers.
    return surface[0]


def surface_state(device: Device, surface: CData) -> SurfaceState:
    """The current capabilities of the surface, whose size follows the window."""
    found = ffi.new("VkSurfaceCapabilitiesKHR*")
    check(
        device.dispatch.vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device.physical.handle, surface, found),
        "query the size of the window",
    )
    width, height = found.currentExtent.width, found.currentExtent.height
    count = found.minImageCount + 1
    opaque = lib.VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
    alphas = found.supportedCompositeAlpha
    return SurfaceState(
        extent=None if width == _WINDOW_DECIDES else (width, height),
        image_count=min(count, found.maxImageCount) if found.maxImageCount else count,
        transform=found.currentTransform,
        composite_alpha=opaque if alphas & opaque else alphas & -alphas,
        usages=found.supportedUsageFlags,
    )


def choose_present_mode(device: Device, surface: CData, *, paced: bool) -> int:
    """The VkPresentModeKHR: FIFO if ``paced`` by the display, else without waiting, if possible without tearing."""
    if paced:
        return int(lib.VK_PRESENT_MODE_FIFO_KHR)
    count = ffi.new("uint32_t*")
    query = device.dispatch.vkGetPhysicalDeviceSurfacePresentModesKHR
    check(query(device.physical.handle, surface, count, NULL), "list the window's present modes")
    items = ffi.new("VkPresentModeKHR[]", count[0])
    check(query(device.physical.handle, surface, count, items), "list the window's present modes")
    offered = {int(items[number]) for number in range(count[0])}
    wanted = (lib.VK_PRESENT_MODE_MAILBOX_KHR, lib.VK_PRESENT_MODE_IMMEDIATE_KHR)
    return int(next((mode for mode in wanted if mode in offered), lib.VK_PRESENT_MODE_FIFO_KHR))


def choose_format(device: Device, surface: CData) -> SurfaceFormat:
    """The best of the surface's formats with 8 bits a channel: sRGB if available."""
    count = ffi.new("uint32_t*")
    query = device.dispatch.vkGetPhysicalDeviceSurfaceFormatsKHR
    check(query(device.physical.handle, surface, count, NULL), "list the window's formats")
    items = ffi.new("VkSurfaceFormatKHR[]", count[0])
    check(query(device.physical.handle, surface, count, items), "list the window's formats")
    offered = {items[number].format: items[number].colorSpace for number in range(count[0])}
    for name in _PREFERRED:
        if FORMATS[name].vk in offered:
            if not FORMATS[name].srgb:
                _logger.warning("the window has no sRGB format; %s will look too dark", name)
            return SurfaceFormat(name, offered[FORMATS[name].vk])
    raise BackendError("the window has no format with 8 bits a channel", hint="render offscreen instead")
