"""VK_KHR_unified_image_layouts: devices on which textures are as fast in the general layout as in any other.

The declarations of the ``vulkan`` package predate the extension, so its struct is declared here.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from cffi import FFI

from renderwright.render.backend.vulkan.api import NULL, CData
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.dispatch import Dispatch

EXTENSION = "VK_KHR_unified_image_layouts"
FEATURE = "unifiedImageLayouts"

STRUCTURE_TYPE = 1000527000
"""VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFIED_IMAGE_LAYOUTS_FEATURES_KHR: the extension's number is 528."""

_STRUCT = "VkPhysicalDeviceUnifiedImageLayoutsFeaturesKHR"


@cache
def _declared() -> Any:
    own = FFI()
    own.cdef(
        f"typedef struct {{ uint32_t sType; void *pNext; uint32_t {FEATURE}; uint32_t unifiedImageLayoutsVideo; }} "
        f"{_STRUCT};"
    )
    return own


def features_struct(following: CData = NULL, *, enabled: bool = False) -> CData:
    """The extension's feature struct, chained in front of another struct that the caller keeps alive."""
    struct = _declared().new(f"{_STRUCT} *")
    struct.sType, struct.pNext = STRUCTURE_TYPE, following
    setattr(struct, FEATURE, int(enabled))
    return struct


def is_present(dispatch: Dispatch, physical: CData) -> bool:
    """Whether a device with the extension has its feature as well."""
    arena = Arena()
    struct = features_struct()
    root = arena.new("VkPhysicalDeviceFeatures2", pNext=struct)
    dispatch.vkGetPhysicalDeviceFeatures2(physical, root)
    return bool(getattr(struct, FEATURE))
