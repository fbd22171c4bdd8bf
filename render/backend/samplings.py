"""Checks of how textures are sampled."""

from __future__ import annotations

from renderwright.render.errors import BackendError
from renderwright.render.types.sampling import Sampling

FILTERS = ("linear", "nearest")
ADDRESSES = ("clamp", "repeat")


def require_known(sampling: Sampling) -> None:
    """Raise ``BackendError`` for an unknown filter or addressing."""
    if sampling.filter not in FILTERS or sampling.address not in ADDRESSES:
        raise BackendError(
            f'unknown sampling "{sampling.filter}, {sampling.address}"',
            hint="filter is linear or nearest, address is clamp or repeat",
        )
