"""Tools that look at what a device does: the validation layer, frame debuggers, profilers."""

from __future__ import annotations

from renderwright.render.backend.vulkan.api import NULL, CData
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.dispatch import Dispatch
from renderwright.render.backend.vulkan.errors import check


def active_tools(dispatch: Dispatch, physical: CData) -> int:
    """The number of active tools that say so (Vulkan specification, vkGetPhysicalDeviceToolProperties)."""
    count = Arena().out("uint32_t")
    check(dispatch.vkGetPhysicalDeviceToolProperties(physical, count, NULL), "ask for tools")
    return int(count[0])
