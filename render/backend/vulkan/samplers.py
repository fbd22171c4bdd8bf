"""Samplers, one of each kind."""

from __future__ import annotations

from renderwright.render.backend.samplings import require_known
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
        self._made: dict[tuple[str, tuple[str, str], float, bool], CData] = {}

    def get(self, sampling: Sampling, format_name: str, *, shadow: bool) -> CData:
        """The sampler for a texture of that format.

        A format without linear filtering is sampled with ``nearest``. A shadow sampler compares with
        greater-or-equal: with reversed depth a reference not behind the stored depth gives 1.
        """
        require_known(sampling)
        linear_bit = lib.VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT
        filterable = bool(self._device.format_features(format_name) & linear_bit)
        texel_filter = sampling.filter if filterable else "nearest"
        anisotropy = (
            max(1.0, min(sampling.anisotropy, self._device.most_anisotropy)) if texel_filter == "linear" else 1.0
        )
        key = (texel_filter, sampling.addresses, anisotropy, shadow)
        if key not in self._made:
            self._made[key] = self._create(*key)
        return self._made[key]

    def release(self) -> None:
        """Destroy all samplers."""
        for sampler in self._made.values():
            self._device.dispatch.vkDestroySampler(self._device.handle, sampler, NULL)
        self._made.clear()

    def _create(self, filter_name: str, addresses: tuple[str, str], anisotropy: float, shadow: bool) -> CData:
        arena = Arena()
        texel_filter, mip_filter = _FILTERS[filter_name]
        across, along = (_ADDRESSES[address] for address in addresses)
        info = arena.new(
            "VkSamplerCreateInfo",
            magFilter=texel_filter,
            minFilter=texel_filter,
            mipmapMode=mip_filter,
            addressModeU=across,
            addressModeV=along,
            addressModeW=across,
            anisotropyEnable=int(anisotropy > 1.0),
            maxAnisotropy=anisotropy,
            compareEnable=int(shadow),
            compareOp=lib.VK_COMPARE_OP_GREATER_OR_EQUAL if shadow else lib.VK_COMPARE_OP_NEVER,
            maxLod=ANY_LOD,
        )
        name = f"sampler {filter_name} {' '.join(dict.fromkeys(addresses))}{' shadow' if shadow else ''}"
        sampler = arena.out("VkSampler")
        check(self._device.dispatch.vkCreateSampler(self._device.handle, info, NULL, sampler), f"create a {name}")
        self._device.name(lib.VK_OBJECT_TYPE_SAMPLER, sampler[0], name)
        return sampler[0]
