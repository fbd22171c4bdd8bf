"""Levels of detail as draw commands: each level of a command's mesh is a command of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.gpu_geometry import MeshRange
from renderwright.engine.scene.mesh import Mesh

BOUNDS = np.dtype(
    [
        ("sphere", np.float32, 4),  # centre, radius
        ("least", np.float32),
        ("below", np.float32),
        ("finest", np.uint32),
        ("listed", np.uint32),
    ]
)
"""What culling knows of a command, as in ``cull.comp``.

The command is for sizes from ``least`` to ``below``; ``below`` does not count for a finest level. ``finest`` is the
number of the command of the finest level, which has the instances. The visible ones are listed from ``listed`` on.
"""

_LEVEL = np.dtype(
    [
        ("indices", np.uint32),
        ("first_index", np.uint32),
        ("vertex_offset", np.int32),
        ("least", np.float32),
        ("below", np.float32),
    ]
)


class LevelRows:
    """The levels of all meshes, one after the other, each mesh's finest first."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, int, int, float, float]] = []
        #: By the first index of the finest level, of which each mesh has another.
        self._found: dict[int, tuple[int, int]] = {}

    def add(self, mesh: Mesh, ranges: tuple[MeshRange, ...]) -> tuple[int, int]:
        """The first row of a mesh and the number of its rows. ``ranges`` are those of the mesh and of its levels."""
        found = self._found.get(ranges[0].first_index)
        if found is None:
            found = self._found[ranges[0].first_index] = len(self._rows), len(ranges)
            sizes = [0.0, *(level.size for level in mesh.levels), 0.0]
            for number, place in enumerate(ranges):
                row = (place.index_count, place.first_index, place.vertex_offset, sizes[number + 1], sizes[number])
                self._rows.append(row)
        return found

    def expanded(self, commands: NDArray[Any]) -> NDArray[Any]:
        """The commands, each followed by those of its coarser levels, which have no instances.

        The fields ``first_level`` and ``levels`` are the results of ``add``. ``finest`` becomes a place in the result.
        """
        rows = np.array(self._rows, _LEVEL)
        counts = commands["levels"]
        starts = np.cumsum(counts) - counts
        expanded = np.repeat(commands, counts)
        finest = np.repeat(starts, counts)
        number = np.arange(len(expanded)) - finest
        levels = rows[expanded["first_level"] + number]
        for name in ("indices", "first_index", "vertex_offset"):
            expanded[name] = levels[name]
        for name in ("least", "below"):
            expanded["bounds"][name] = levels[name]
        expanded["bounds"]["finest"] = finest
        expanded["instances"][number > 0] = 0
        return expanded


def place_lists(commands: NDArray[Any]) -> None:
    """Set ``listed`` of all commands of a table: finest levels list at their instances, the others behind all these."""
    bounds = commands["bounds"]
    bounds["listed"] = commands["first_instance"]
    coarser = bounds["finest"] != np.arange(len(commands))
    counts = np.where(coarser, commands["instances"][bounds["finest"]], 0).astype(np.int64)
    behind = int((commands["first_instance"] + commands["instances"]).max(initial=0))
    bounds["listed"][counts > 0] = (behind + np.cumsum(counts) - counts)[counts > 0]
