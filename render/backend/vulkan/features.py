"""Required and optional device features."""

from __future__ import annotations

from collections.abc import Iterable

from renderwright.render.backend.vulkan.api import NULL, CData
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.dispatch import Dispatch

_CORE = "VkPhysicalDeviceFeatures"
_VULKAN_11 = "VkPhysicalDeviceVulkan11Features"
_VULKAN_12 = "VkPhysicalDeviceVulkan12Features"
_VULKAN_13 = "VkPhysicalDeviceVulkan13Features"

DESCRIPTOR_INDEXING = (
    "runtimeDescriptorArray",
    "shaderSampledImageArrayNonUniformIndexing",
    "descriptorBindingVariableDescriptorCount",
)
"""Features for arrays of textures without length, which each invocation indexes on its own."""

_REQUIRED = {
    _VULKAN_12: ("timelineSemaphore", "hostQueryReset"),
    _VULKAN_13: ("dynamicRendering", "synchronization2", "maintenance4"),
}
_OPTIONAL = {
    _CORE: (
        "samplerAnisotropy",
        "depthClamp",
        "imageCubeArray",
        "independentBlend",
        "shaderSampledImageArrayDynamicIndexing",
        "shaderStorageImageExtendedFormats",
        "shaderStorageImageReadWithoutFormat",
        "shaderStorageImageWriteWithoutFormat",
        "vertexPipelineStoresAndAtomics",
        "fragmentStoresAndAtomics",
        "multiDrawIndirect",
        "drawIndirectFirstInstance",
    ),
    _VULKAN_11: ("multiview", "shaderDrawParameters"),
    _VULKAN_12: ("drawIndirectCount", *DESCRIPTOR_INDEXING),
}

REQUIRED: tuple[str, ...] = tuple(name for names in _REQUIRED.values() for name in names)


def feature_chain(arena: Arena, enabled: Iterable[str] = ()) -> CData:
    """A VkPhysicalDeviceFeatures2 with the structs of Vulkan 1.1 to 1.3 behind it and the features ``enabled``."""
    wanted = set(enabled)
    following = NULL
    for struct in (_VULKAN_13, _VULKAN_12, _VULKAN_11):
        following = arena.new(struct, pNext=following, **_switches(struct, wanted))
    return arena.new("VkPhysicalDeviceFeatures2", pNext=following, features=_switches(_CORE, wanted))


def present_features(dispatch: Dispatch, physical: CData) -> frozenset[str]:
    """The required and optional features that a device of Vulkan 1.3 has."""
    arena = Arena()
    structs = {struct: arena.new(struct) for struct in (_VULKAN_11, _VULKAN_12, _VULKAN_13)}
    structs[_VULKAN_11].pNext = structs[_VULKAN_12]
    structs[_VULKAN_12].pNext = structs[_VULKAN_13]
    root = arena.new("VkPhysicalDeviceFeatures2", pNext=structs[_VULKAN_11])
    dispatch.vkGetPhysicalDeviceFeatures2(physical, root)
    structs[_CORE] = root.features
    return frozenset(name for struct, value in structs.items() for name in _known(struct) if getattr(value, name))


def _known(struct: str) -> tuple[str, ...]:
    return _REQUIRED.get(struct, ()) + _OPTIONAL.get(struct, ())


def _switches(struct: str, wanted: set[str]) -> dict[str, int]:
    return {name: 1 for name in _known(struct) if name in wanted}
