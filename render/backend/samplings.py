"""Checks of how textures are sampled."""

from __future__ import annotations

from renderwright.render.errors import BackendError
from renderwright.render.types.sampling import Sampling

FILTERS = ("linear", "nearest")
ADDRESSES = ("clamp", "repeat", "mirror")


def require_known(sampling: Sampling) -> None:
    """Raise ``BackendError`` for an unknown filter or addressing."""
    if sampling.filter not in FILTERS or not set(sampling.addresses) <= set(ADDRESSES):
        raise BackendError(
            f'unknown sampling "{sampling.filter}, {", ".join(dict.fromkeys(sampling.addresses))}"',
            hint="filter is linear or nearest, address is clamp, repeat or mirror",
        )
