"""Values that change over the life of a particle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

STOPS = 4
"""Values at equal distances over a life, which shaders mix."""


def stops(values: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    """``STOPS`` values at equal distances of a gradient that is given by any number of values at equal distances."""
    given = np.array(values, np.float32)
    at = np.linspace(0.0, len(given) - 1.0, STOPS)
    return np.stack([np.interp(at, np.arange(len(given)), column) for column in given.T], axis=1).astype(np.float32)
