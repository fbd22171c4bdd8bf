"""Memory that is used again in each frame: fresh arrays of this size cost more than what is computed in them."""

from __future__ import annotations

import math
import sys

import numpy as np
from numpy.typing import NDArray

_KEPT = 6
_OWN_REFERENCES = 3
"""References to an array that only its list has, while they are counted."""


class Recycled:
    """Arrays of float32 that are given away, and used again when nothing refers to them any more."""

    def __init__(self) -> None:
        self._arrays: list[NDArray[np.float32]] = []

    def like(self, other: NDArray[np.float32]) -> NDArray[np.float32]:
        """An array of the shape of another one; its contents are left over from anything."""
        for array in self._arrays:
            if array.shape == other.shape and sys.getrefcount(array) <= _OWN_REFERENCES:
                return array
        self._arrays = [*self._arrays, np.empty_like(other)][-_KEPT:]
        return self._arrays[-1]


class Workspace:
    """Named arrays of float32 that keep their memory. What they hold is lost when the name is asked for again."""

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[np.float32]] = {}

    def array(self, name: str, *shape: int) -> NDArray[np.float32]:
        """An array of a shape; its contents are left over from anything."""
        size = math.prod(shape)
        memory = self._arrays.get(name)
        if memory is None or memory.size < size:
            memory = self._arrays[name] = np.empty(size, np.float32)
        return memory[:size].reshape(shape)
