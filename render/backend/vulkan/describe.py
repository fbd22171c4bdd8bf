"""A description of the machine's Vulkan devices for ``renderwright info``."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render.backend.vulkan.constants import MEMORY_BUDGET, SWAPCHAIN, VALIDATION_LAYER
from renderwright.render.backend.vulkan.defects import draws_views_wrong, filters_anisotropy_wrong
from renderwright.render.backend.vulkan.dispatch import Dispatch
from renderwright.render.backend.vulkan.instance import Instance, layer_limit, layer_version, present_layers
from renderwright.render.backend.vulkan.physical import PhysicalDevice, list_devices
from renderwright.render.backend.vulkan.unified_layouts import EXTENSION as UNIFIED_LAYOUTS

_INTERESTING = (
    SWAPCHAIN,
    "VK_EXT_descriptor_buffer",
    MEMORY_BUDGET,
    "VK_EXT_mesh_shader",
    "VK_KHR_dynamic_rendering_local_read",
    "VK_KHR_fragment_shading_rate",
    "VK_KHR_push_descriptor",
    "VK_KHR_ray_tracing_pipeline",
    UNIFIED_LAYOUTS,
)


@dataclass(frozen=True)
class DeviceDescription:
    """One device. ``lacks`` is its missing requirements (empty for a usable device), ``unused`` the features that are
    not used because of driver defects; ``layers`` are the machine's, ``layer_limit`` is what its validation layer does
    not report."""

    index: int
    name: str
    type: str
    api_version: str
    driver: str
    queues: tuple[str, ...]
    layers: tuple[str, ...]
    extensions: tuple[str, ...]
    lacks: tuple[str, ...]
    unused: tuple[str, ...] = ()
    layer_limit: str = ""


def describe_devices() -> list[DeviceDescription]:
    """Every Vulkan device. Raises ``BackendError`` if there is no driver."""
    dispatch = Dispatch()
    instance = Instance(dispatch, validate=False)
    try:
        layers = present_layers(dispatch)
        limit = layer_limit(layer_version(dispatch, VALIDATION_LAYER)) if VALIDATION_LAYER in layers else ""
        return [_description(device, layers, limit) for device in list_devices(instance)]
    finally:
        instance.close()


def _description(device: PhysicalDevice, layers: tuple[str, ...], limit: str) -> DeviceDescription:
    return DeviceDescription(
        index=device.index,
        name=device.name,
        type=device.type.name.lower(),
        api_version=device.api_version,
        driver=device.driver,
        queues=tuple(f"{family.count} x {'+'.join(family.does)}" for family in device.families),
        layers=layers,
        extensions=tuple(name for name in _INTERESTING if name in device.extensions),
        lacks=device.lacks,
        unused=_unused(device.driver),
        layer_limit=limit,
    )


def _unused(driver: str) -> tuple[str, ...]:
    wrong = {"multiview": draws_views_wrong(driver), "anisotropic filtering": filters_anisotropy_wrong(driver)}
    return tuple(feature for feature, is_wrong in wrong.items() if is_wrong)
