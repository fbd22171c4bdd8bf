"""Macros of the C headers that the declarations of the ``vulkan`` package lack."""

from __future__ import annotations

WHOLE_SIZE = 2**64 - 1
QUEUE_FAMILY_IGNORED = 2**32 - 1
ANY_LOD = 1000.0

API_VERSION_1_3 = (1 << 22) | (3 << 12)
API_VERSION_1_4 = (1 << 22) | (4 << 12)

VALIDATION_LAYER = "VK_LAYER_KHRONOS_validation"
DEBUG_UTILS = "VK_EXT_debug_utils"
VALIDATION_FEATURES = "VK_EXT_validation_features"
SURFACE = "VK_KHR_surface"
XLIB_SURFACE = "VK_KHR_xlib_surface"
SWAPCHAIN = "VK_KHR_swapchain"
MEMORY_BUDGET = "VK_EXT_memory_budget"


def version_text(version: int) -> str:
    """A packed Vulkan version as ``major.minor.patch``."""
    return f"{(version >> 22) & 0x7F}.{(version >> 12) & 0x3FF}.{version & 0xFFF}"
