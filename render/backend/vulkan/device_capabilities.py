"""What plans have to know about a device."""

from __future__ import annotations

from renderwright.render.backend.capabilities import Capabilities
from renderwright.render.backend.few_graphics_units import faster_fullscreen
from renderwright.render.backend.vulkan.api import ffi, lib
from renderwright.render.backend.vulkan.defects import copies_shaders, draws_views_wrong
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.formats import FORMATS, Aspect, without_encoding
from renderwright.render.sync.queues import GRAPHICS


def capabilities_of(device: Device, queues: tuple[str, ...]) -> Capabilities:
    """The capabilities of a device of which these queues are used."""
    physical = device.physical
    return Capabilities(
        backend="vulkan",
        device=physical.name,
        api_version=physical.api_version,
        driver=physical.driver,
        timestamps=device.timestamp_bits(GRAPHICS) > 0,
        queues=queues,
        views=1 if draws_views_wrong(physical.driver) else device.views,
        unified_layouts=device.unified_layouts,
        copies_shaders=copies_shaders(physical.driver),
        anisotropy=device.most_anisotropy,
        indirect_instances="drawIndirectFirstInstance" in device.features,
        indexed_textures=device.indexed_textures,
        fullscreen=faster_fullscreen(physical.name),
        storage_formats=_storage_formats(device),
        most_samples=device.most_samples,
        most_colors=device.most_colors,
    )


def _storage_formats(device: Device) -> frozenset[str]:
    """The color formats that shaders can store to without naming the format; they encode sRGB themselves."""
    if "shaderStorageImageWriteWithoutFormat" not in device.features:
        return frozenset()
    storage = lib.VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT
    colors = (name for name in FORMATS if FORMATS[name].aspect is Aspect.COLOR)
    found = (name for name in colors if device.format_features(without_encoding(name)) & storage)
    return frozenset(name for name in found if not FORMATS[name].srgb or _has_views_without_encoding(device, name))


def _has_views_without_encoding(device: Device, name: str) -> bool:
    """Whether shaders can store to sRGB images of a format through views without the encoding."""
    usage = lib.VK_IMAGE_USAGE_SAMPLED_BIT | lib.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | lib.VK_IMAGE_USAGE_STORAGE_BIT
    flags = lib.VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | lib.VK_IMAGE_CREATE_EXTENDED_USAGE_BIT
    kind, tiling = lib.VK_IMAGE_TYPE_2D, lib.VK_IMAGE_TILING_OPTIMAL
    limits = ffi.new("VkImageFormatProperties*")
    result = device.dispatch.vkGetPhysicalDeviceImageFormatProperties(
        device.physical.handle, FORMATS[name].vk, kind, tiling, usage, flags, limits
    )
    return bool(result == lib.VK_SUCCESS)
