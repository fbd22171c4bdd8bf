"""Robust access: reads and writes out of bounds touch nothing else, where the device can promise that.

With ``VK_EXT_robustness2`` they read zeros and write nothing. With only the core feature ``robustBufferAccess``, those
to buffers stay within the memory of the bound buffer.
"""

from __future__ import annotations

from renderwright.render.backend.vulkan.api import NULL, CData
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.dispatch import Dispatch

EXTENSION = "VK_EXT_robustness2"

_CORE = "robustBufferAccess"
_FURTHER = ("robustBufferAccess2", "robustImageAccess2")
_STRUCT = "VkPhysicalDeviceRobustness2FeaturesEXT"


def robust_features(dispatch: Dispatch, physical: CData, *, extension: bool) -> frozenset[str]:
    """The features of a device for robust access; ``extension`` is whether it has the extension."""
    arena = Arena()
    struct = arena.new(_STRUCT)
    root = arena.new("VkPhysicalDeviceFeatures2", pNext=struct if extension else NULL)
    dispatch.vkGetPhysicalDeviceFeatures2(physical, root)
    if not getattr(root.features, _CORE):
        return frozenset()
    return frozenset({_CORE, *(name for name in _FURTHER if getattr(struct, name))})


def enable(arena: Arena, chain: CData, features: frozenset[str]) -> CData:
    """Enable the features in a VkPhysicalDeviceFeatures2; returns the chain with them."""
    setattr(chain.features, _CORE, 1)
    further = {name: 1 for name in _FURTHER if name in features}
    return arena.new(_STRUCT, pNext=chain, **further) if further else chain


def extensions(features: frozenset[str]) -> tuple[str, ...]:
    """The device extensions that the features need."""
    return (EXTENSION,) if features & {*_FURTHER} else ()
