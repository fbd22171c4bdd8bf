"""Samplers, one of each kind."""

from __future__ import annotations

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.samplings import require_known
from renderwright.render.types.sampling import Sampling

_FILTERS = {"linear": (gl.LINEAR, gl.LINEAR_MIPMAP_LINEAR), "nearest": (gl.NEAREST, gl.NEAREST_MIPMAP_NEAREST)}
_ADDRESSES = {"clamp": gl.CLAMP_TO_EDGE, "repeat": gl.REPEAT, "mirror": gl.MIRRORED_REPEAT}


class Samplers:
    """Creates samplers at their first use."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._made: dict[tuple[str, tuple[str, str], float, bool], int] = {}

    def get(self, sampling: Sampling, format_name: str, *, shadow: bool) -> int:
        """The sampler for a texture of that format.

        A format without linear filtering is sampled with ``nearest``. A shadow sampler compares with
        greater-or-equal: with reversed depth a reference not behind the stored depth gives 1.
        """
        require_known(sampling)
        texel_filter = sampling.filter if self._device.supports(format_name, gl.FILTER) else "nearest"
        linear = texel_filter == "linear"
        anisotropy = max(1.0, min(sampling.anisotropy, self._device.most_anisotropy)) if linear else 1.0
        key = texel_filter, sampling.addresses, anisotropy, shadow
        if key not in self._made:
            self._made[key] = self._create(*key)
        return self._made[key]

    def release(self) -> None:
        """Delete all samplers."""
        for sampler in self._made.values():
            self._device.api.delete("Samplers", sampler)
        self._made.clear()

    def _create(self, filter_name: str, addresses: tuple[str, str], anisotropy: float, shadow: bool) -> int:
        api = self._device.api
        sampler = api.create("Samplers")
        texel_filter, mip_filter = _FILTERS[filter_name]
        api.glSamplerParameteri(sampler, gl.TEXTURE_MAG_FILTER, texel_filter)
        api.glSamplerParameteri(sampler, gl.TEXTURE_MIN_FILTER, mip_filter)
        across, along = (_ADDRESSES[address] for address in addresses)
        for axis, address in ((gl.TEXTURE_WRAP_S, across), (gl.TEXTURE_WRAP_T, along), (gl.TEXTURE_WRAP_R, across)):
            api.glSamplerParameteri(sampler, axis, address)
        if anisotropy > 1.0:
            api.glSamplerParameterf(sampler, gl.TEXTURE_MAX_ANISOTROPY, anisotropy)
        if shadow:
            api.glSamplerParameteri(sampler, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE)
            api.glSamplerParameteri(sampler, gl.TEXTURE_COMPARE_FUNC, gl.GEQUAL)
        return sampler
