"""Checks of how textures are sampled."""

from __future__ import annotations

from typing import NamedTuple

from renderwright.render.errors import BackendError
from renderwright.render.types.sampling import ADDRESSES, FILTERS, Sampling


def _require_known(sampling: Sampling) -> None:
    """Raise ``BackendError`` for an unknown filter or addressing."""
    if sampling.filter not in FILTERS or not set(sampling.addresses) <= set(ADDRESSES):
        raise BackendError(
            f'unknown sampling "{sampling.filter}, {", ".join(dict.fromkeys(sampling.addresses))}"',
            hint="filter is linear or nearest, address is clamp, repeat or mirror",
        )


class SamplerKind(NamedTuple):
    """The properties of a device's sampler. A ``shadow`` sampler compares with greater-or-equal: with reversed depth a
    reference not behind the stored depth gives 1."""

    filter: str
    addresses: tuple[str, str]
    anisotropy: float
    shadow: bool


def sampler_kind(sampling: Sampling, *, filterable: bool, most_anisotropy: float, shadow: bool) -> SamplerKind:
    """The sampler for textures of a format that is ``filterable`` or not; the latter are sampled with ``nearest``."""
    _require_known(sampling)
    texel_filter = sampling.filter if filterable else "nearest"
    anisotropy = max(1.0, min(sampling.anisotropy, most_anisotropy)) if texel_filter == "linear" else 1.0
    return SamplerKind(texel_filter, sampling.addresses, anisotropy, shadow)
