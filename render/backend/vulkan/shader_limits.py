"""What shaders can have on a device."""

from __future__ import annotations

from collections.abc import Mapping

from renderwright.render.backend.shader_limits import Groups, ShaderLimits
from renderwright.render.backend.vulkan.api import CData
from renderwright.render.shaders.module import BindingKind
from renderwright.render.types.usages import ShaderStage

_IN_A_STAGE: Mapping[BindingKind, tuple[str, ...]] = {
    # A sampled texture is an image with its sampler.
    BindingKind.SAMPLED: ("SampledImages", "Samplers"),
    BindingKind.STORAGE_TEXTURE: ("StorageImages",),
    BindingKind.UNIFORM_BUFFER: ("UniformBuffers",),
    BindingKind.STORAGE_BUFFER: ("StorageBuffers",),
}


def shader_limits(limits: CData, device: str) -> ShaderLimits:
    """Those of VkPhysicalDeviceLimits, of the device with that name."""
    in_a_stage = {
        kind: min(int(getattr(limits, f"maxPerStageDescriptor{name}")) for name in names)
        for kind, names in _IN_A_STAGE.items()
    }
    return ShaderLimits(
        device=device,
        bindings=dict.fromkeys(ShaderStage, in_a_stage),
        push_bytes=int(limits.maxPushConstantsSize),
        invocations=int(limits.maxComputeWorkGroupInvocations),
        group_size=_by_axis(limits.maxComputeWorkGroupSize),
        groups=_by_axis(limits.maxComputeWorkGroupCount),
        sets=int(limits.maxBoundDescriptorSets),
    )


def _by_axis(values: CData) -> Groups:
    return int(values[0]), int(values[1]), int(values[2])
