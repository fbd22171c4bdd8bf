"""Levels of detail as draw commands: each level of a mesh is a command of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.command_layout import SLOT
from renderwright.engine.renderer.gpu_geometry import MeshRange
from renderwright.engine.scene.mesh import Mesh

_LEVEL = np.dtype(
    [
        ("indices", np.uint32),
        ("first_index", np.uint32),
        ("vertex_offset", np.int32),
        ("sphere", np.float32, 4),
        ("reach", np.float32, 3),
        ("least", np.float32),
        ("below", np.float32),
    ]
)


class MeshLevels:
    """Numbers meshes, and knows the levels of each: the mesh itself is the finest."""

    def __init__(self) -> None:
        #: By the place of the mesh, which no other has.
        self._numbers: dict[MeshRange, int] = {}
        self._counts: list[int] = []
        self._levels: list[tuple[Any, ...]] = []

    def number(self, mesh: Mesh, place: MeshRange, coarser: tuple[MeshRange, ...]) -> int:
        """The number of a mesh, whose range and whose levels' ranges are given."""
        number = self._numbers.get(place)
        if number is None:
            number = self._numbers[place] = len(self._counts)
            self._add(mesh, (place, *coarser))
        return number

    def _add(self, mesh: Mesh, places: tuple[MeshRange, ...]) -> None:
        self._counts.append(len(places))
        sphere, reach = (*mesh.bounds.center, mesh.bounds.radius), tuple(mesh.reach)
        sizes = [0.0, *(level.size for level in mesh.levels), 0.0]
        for place, below, least in zip(places, sizes[:-1], sizes[1:], strict=True):
            indices = (place.index_count, place.first_index, place.vertex_offset)
            self._levels.append((*indices, sphere, reach, least, below))

    def commands(self, draws: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """The commands of draws, each followed by those of its coarser levels, and the draw of each.

        Draws have ``mesh``, ``instances`` and ``first_instance``. Coarser levels have no instances. ``finest`` is a
        place in the result.
        """
        levels, counts = np.array(self._levels, _LEVEL), np.array(self._counts, np.intp)
        own = counts[draws["mesh"]]
        draw_of = np.repeat(np.arange(len(draws)), own)
        finest = (np.cumsum(own) - own)[draw_of]
        number = np.arange(len(draw_of)) - finest
        level = levels[(np.cumsum(counts) - counts)[draws["mesh"]][draw_of] + number]
        commands = np.zeros(len(draw_of), SLOT)
        for name in ("indices", "first_index", "vertex_offset"):
            commands[name] = level[name]
        for name in ("sphere", "reach", "least", "below"):
            commands["bounds"][name] = level[name]
        commands["bounds"]["finest"] = finest
        commands["first_instance"] = draws["first_instance"][draw_of]
        commands["instances"] = np.where(number == 0, draws["instances"][draw_of], 0)
        return commands, draw_of


def place_lists(commands: NDArray[Any]) -> None:
    """Set ``listed`` of all commands of a table: finest levels list at their instances, the others behind all these."""
    bounds = commands["bounds"]
    bounds["listed"] = commands["first_instance"]
    coarser = bounds["finest"] != np.arange(len(commands))
    counts = np.where(coarser, commands["instances"][bounds["finest"]], 0).astype(np.int64)
    behind = int((commands["first_instance"] + commands["instances"]).max(initial=0))
    bounds["listed"][counts > 0] = (behind + np.cumsum(counts) - counts)[counts > 0]
