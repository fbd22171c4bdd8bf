"""Samplers, one of each kind."""

from __future__ import annotations

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.samplings import SamplerKind, sampler_kind
from renderwright.render.types.sampling import Sampling

_FILTERS = {"linear": (gl.LINEAR, gl.LINEAR_MIPMAP_LINEAR), "nearest": (gl.NEAREST, gl.NEAREST_MIPMAP_NEAREST)}
_ADDRESSES = {"clamp": gl.CLAMP_TO_EDGE, "repeat": gl.REPEAT, "mirror": gl.MIRRORED_REPEAT}


class Samplers:
    """Creates samplers at their first use."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._made: dict[SamplerKind, int] = {}

    def get(self, sampling: Sampling, format_name: str, *, shadow: bool) -> int:
        """The sampler for a texture of that format."""
        filterable = self._device.supports(format_name, gl.FILTER)
        most = self._device.most_anisotropy
        kind = sampler_kind(sampling, filterable=filterable, most_anisotropy=most, shadow=shadow)
        if kind not in self._made:
            self._made[kind] = self._create(kind)
        return self._made[kind]

    def release(self) -> None:
        """Delete all samplers."""
        for sampler in self._made.values():
            self._device.api.delete("Samplers", sampler)
        self._made.clear()

    def _create(self, kind: SamplerKind) -> int:
        api = self._device.api
        sampler = api.create("Samplers")
        texel_filter, mip_filter = _FILTERS[kind.filter]
        api.glSamplerParameteri(sampler, gl.TEXTURE_MAG_FILTER, texel_filter)
        api.glSamplerParameteri(sampler, gl.TEXTURE_MIN_FILTER, mip_filter)
        across, along = (_ADDRESSES[address] for address in kind.addresses)
        for axis, address in ((gl.TEXTURE_WRAP_S, across), (gl.TEXTURE_WRAP_T, along), (gl.TEXTURE_WRAP_R, across)):
            api.glSamplerParameteri(sampler, axis, address)
        if kind.anisotropy > 1.0:
            api.glSamplerParameterf(sampler, gl.TEXTURE_MAX_ANISOTROPY, kind.anisotropy)
        if kind.shadow:
            api.glSamplerParameteri(sampler, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE)
            api.glSamplerParameteri(sampler, gl.TEXTURE_COMPARE_FUNC, gl.GEQUAL)
        return sampler
