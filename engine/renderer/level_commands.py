"""Levels of detail as draw commands: each level of a mesh is a command of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.gpu_geometry import MeshRange
from renderwright.engine.scene.mesh import Mesh

LEVEL = np.dtype(
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
"""What the commands of a level have in common: fields of ``COMMAND`` and of ``BOUNDS``."""


def packed_levels(mesh: Mesh, places: tuple[MeshRange, ...]) -> bytes:
    """A ``LEVEL`` for each level of a mesh; the mesh itself is the finest. ``places`` are their ranges."""
    rows = np.zeros(len(places), LEVEL)
    sizes = [0.0, *(level.size for level in mesh.levels), 0.0]
    rows["sphere"] = (*mesh.bounds.center, mesh.bounds.radius)
    rows["reach"] = tuple(mesh.reach)
    rows["below"], rows["least"] = sizes[:-1], sizes[1:]
    rows["indices"] = [place.index_count for place in places]
    rows["first_index"] = [place.first_index for place in places]
    rows["vertex_offset"] = [place.vertex_offset for place in places]
    return rows.tobytes()


def place_lists(commands: NDArray[Any], bounds: NDArray[Any]) -> None:
    """Set ``listed`` of all commands of a table: finest levels list at their instances, the others behind all these."""
    bounds["listed"] = commands["first_instance"]
    coarser = bounds["finest"] != np.arange(len(commands))
    counts = np.where(coarser, commands["instances"][bounds["finest"]], 0).astype(np.int64)
    behind = int((commands["first_instance"] + commands["instances"]).max(initial=0))
    bounds["listed"][counts > 0] = (behind + np.cumsum(counts) - counts)[counts > 0]
