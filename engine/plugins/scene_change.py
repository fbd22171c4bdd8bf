"""Entities that come and go, as plugins are told of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene import Group, Scene

_NONE: NDArray[np.int64] = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class SceneChange:
    """The entities that have come into the scene and those that have left it.

    ``spawned`` is a group, ``spawned_numbers`` (n,) has its entities' numbers (``Entity.number``), ``removed_numbers``
    (m,) those of the entities that are not in the scene any more. A number is never given out again.
    """

    spawned: Group
    spawned_numbers: NDArray[np.int64]
    removed_numbers: NDArray[np.int64]


class SceneWatch:
    """What one plugin knows of the scene."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._revision = -1
        self._known = _NONE

    def change(self, scene: Scene) -> SceneChange | None:
        """What is otherwise than at the last call, None if nothing is. At first all entities have come."""
        if scene is self._scene and scene.revision == self._revision:
            return None
        known = self._known
        numbers = scene.numbers()
        if scene is self._scene:
            spawned, removed = np.isin(numbers, known, invert=True), np.setdiff1d(known, numbers, True)
        else:
            spawned, removed = np.ones(len(numbers), np.bool_), known
        self._scene, self._revision, self._known = scene, scene.revision, numbers
        if not spawned.any() and not len(removed):
            return None
        return SceneChange(scene.group()[spawned], numbers[spawned], removed)
