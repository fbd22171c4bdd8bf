"""Samplers, one of each kind."""

from __future__ import annotations

from renderwright.render.backend.samplings import SamplerKind, sampler_kind
from renderwright.render.backend.vulkan.api import NULL, CData, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.constants import ANY_LOD
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.types.sampling import Sampling

_FILTERS = {
    "linear": (lib.VK_FILTER_LINEAR, lib.VK_SAMPLER_MIPMAP_MODE_LINEAR),
    "nearest": (lib.VK_FILTER_NEAREST, lib.VK_SAMPLER_MIPMAP_MODE_NEAREST),
}
_ADDRESSES = {
    "clamp": lib.VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
    "repeat": lib.VK_SAMPLER_ADDRESS_MODE_REPEAT,
    "mirror": lib.VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
}


class Samplers:
    """Creates samplers at their first use."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._made: dict[SamplerKind, CData] = {}

    def get(self, sampling: Sampling, format_name: str, *, shadow: bool) -> CData:
        """The sampler for a texture of that format."""
        linear_bit = lib.VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT
        filterable = bool(self._device.format_features(format_name) & linear_bit)
        most = self._device.most_anisotropy
        kind = sampler_kind(sampling, filterable=filterable, most_anisotropy=most, shadow=shadow)
        if kind not in self._made:
            self._made[kind] = self._create(kind)
        return self._made[kind]

    def release(self) -> None:
        """Destroy all samplers."""
        for sampler in self._made.values():
            self._device.dispatch.vkDestroySampler(self._device.handle, sampler, NULL)
        self._made.clear()

    def _create(self, kind: SamplerKind) -> CData:
        arena = Arena()
        texel_filter, mip_filter = _FILTERS[kind.filter]
        across, along = (_ADDRESSES[address] for address in kind.addresses)
        info = arena.new(
            "VkSamplerCreateInfo",
            magFilter=texel_filter,
            minFilter=texel_filter,
            mipmapMode=mip_filter,
            addressModeU=across,
            addressModeV=along,
            addressModeW=across,
            anisotropyEnable=int(kind.anisotropy > 1.0),
            maxAnisotropy=kind.anisotropy,
            compareEnable=int(kind.shadow),
            compareOp=lib.VK_COMPARE_OP_GREATER_OR_EQUAL if kind.shadow else lib.VK_COMPARE_OP_NEVER,
            maxLod=ANY_LOD,
        )
        name = f"sampler {kind.filter} {' '.join(dict.fromkeys(kind.addresses))}{' shadow' if kind.shadow else ''}"
        sampler = arena.out("VkSampler")
        check(self._device.dispatch.vkCreateSampler(self._device.handle, info, NULL, sampler), f"create a {name}")
        self._device.name(lib.VK_OBJECT_TYPE_SAMPLER, sampler[0], name)
        return sampler[0]
