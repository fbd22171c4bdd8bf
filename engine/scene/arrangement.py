"""The visible entities in drawing order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.draw_list import DrawBatch
from renderwright.engine.scene.entity_table import EntityTable
from renderwright.engine.scene.rows import Rows
from renderwright.engine.scene.surfaces import Surface


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Visible rows of a table in drawing order, their batches, and the place of each row in the order."""

    rows: Rows
    batches: tuple[DrawBatch, ...]
    #: By row; -1 for rows that are not drawn.
    places: NDArray[np.intp]
    #: The entities' numbers in drawing order.
    numbers: NDArray[np.int64]
    has_locals: bool

    @cached_property
    def all_places(self) -> Rows:
        """0 to n - 1."""
        return np.arange(len(self.rows))

    @cached_property
    def firsts(self) -> NDArray[np.intp]:
        """The first place of each batch."""
        return np.array([batch.first for batch in self.batches], np.intp)

    def batch_at(self, place: int) -> DrawBatch:
        """The batch of a place."""
        return self.batches[int(np.searchsorted(self.firsts, place, side="right")) - 1]

    @cached_property
    def spheres(self) -> NDArray[np.float32]:
        """The meshes' bounding spheres in drawing order, float32 (n, 4): centre and radius."""
        spheres = np.array(
            [(*batch.mesh.bounds.center, batch.mesh.bounds.radius) for batch in self.batches], np.float32
        )
        return np.repeat(spheres.reshape(-1, 4), [batch.count for batch in self.batches], axis=0)

    @cached_property
    def casts_shadow(self) -> NDArray[np.bool_]:
        """Whether each entity casts a shadow, in drawing order."""
        casting = np.array([batch.casts_shadow for batch in self.batches], np.bool_)
        return np.repeat(casting, [batch.count for batch in self.batches])


def arrange(table: EntityTable) -> Arrangement:
    """Group by surface in the order of the first entity, then shadow casters first, then by layers."""
    ordered = table.in_order()
    ordered = ordered[table.visible[ordered]]
    rank = _ranks(table.surface[ordered], len(table.surfaces))
    kind = 2 * rank[table.surface[ordered]] + ~table.casts_shadow[ordered]
    if 2 * len(rank) <= np.iinfo(np.uint16).max:
        kind = kind.astype(np.uint16)  # which numpy sorts several times faster
    layers = table.layers[ordered]
    if len(layers) and (layers != layers[0]).any():
        order = np.lexsort((layers, kind))
    else:
        order = np.argsort(kind, kind="stable")
    rows, kind, layers = ordered[order], kind[order], layers[order]
    places = np.full(len(table.number), -1, np.intp)
    places[rows] = np.arange(len(rows))
    starts = np.flatnonzero((kind[1:] != kind[:-1]) | (layers[1:] != layers[:-1])) + 1
    edges = [0, *starts.tolist(), len(rows)] if len(rows) else []
    batches = []
    for first, end in pairwise(edges):
        row = rows[first]
        surface: Surface = table.surfaces[table.surface[row]]
        casts, mask = bool(table.casts_shadow[row]), int(layers[first])
        batches.append(DrawBatch(surface.mesh, surface.material, first, end - first, casts, mask))
    return Arrangement(rows, tuple(batches), places, table.number[rows], bool(table.has_local[rows].any()))


def _ranks(surfaces: NDArray[np.int32], count: int) -> NDArray[np.intp]:
    """The rank of each surface by its first use."""
    first = np.full(count, len(surfaces), np.intp)
    first[surfaces[::-1]] = np.arange(len(surfaces))[::-1]  # the first use is assigned last
    rank = np.empty(count, np.intp)
    rank[np.argsort(first, kind="stable")] = np.arange(count)
    return rank
