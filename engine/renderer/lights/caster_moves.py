"""Which lights have shadow casters within their reach that have changed, so that other shadow maps may stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.poses import NO_POSES, Poses
from renderwright.engine.renderer.lights.shadow_places import MOST_SHADOWED
from renderwright.engine.renderer.lights.shadowed_lights import ShadowedLight
from renderwright.engine.scene.deformation import DeformedMesh
from renderwright.engine.scene.draw_list import DrawBatch, DrawList, Stamp
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.rows import NO_ROWS, Rows, union

_Spheres = NDArray[np.float32]

MOST_COMPARED = 2000
"""Instances of an arrangement that is compared with the one before it. In larger ones all maps are drawn anew, as a
comparison takes longer than a millisecond."""


class CasterMoves:
    """Counts, for each slot of a light with shadows, the pictures in which a caster within its reach has changed.

    ``arrangement`` counts those in which casters are in other rows, or may be.
    """

    def __init__(self) -> None:
        self.arrangement = 0
        self._counts = np.zeros(MOST_SHADOWED, np.int64)
        self._stamp: Stamp | None = None
        self._poses: Poses = NO_POSES
        self._casters: _Casters | None = None

    def follow(self, draws: DrawList, lights: Sequence[ShadowedLight | None]) -> tuple[int, ...]:
        """The counts by slot after a picture with these draws."""
        posed = NO_ROWS if draws.poses is self._poses else _deformed(draws)
        if draws.stamp != self._stamp or len(posed):
            changed = draws.changed_since(self._stamp)
            if changed is None:
                self._compare(draws, posed, lights)
            elif self._casters is None:  # where they were before is unknown
                self._casters = _Casters.of(draws, {})
                self._counts += 1
            elif len(changed) or len(posed):
                self._note(self._casters.move(draws, union([changed, posed])), lights)
            self._stamp = draws.stamp
        self._poses = draws.poses
        return tuple(self._counts.tolist())

    def _compare(self, draws: DrawList, posed: Rows, lights: Sequence[ShadowedLight | None]) -> None:
        """Look for differences between two arrangements, if they are small enough."""
        self.arrangement += 1
        before = self._casters
        if len(draws.models) > MOST_COMPARED:
            self._casters = None
        else:
            self._casters = _Casters.of(draws, before.shape_numbers if before is not None else {})
        if before is None or self._casters is None:
            self._counts += 1
        else:
            self._note(self._casters.differing(before, posed), lights)

    def _note(self, spheres: _Spheres, lights: Sequence[ShadowedLight | None]) -> None:
        """Something has changed within these spheres."""
        for slot, light in enumerate(lights):
            if light is not None and _reaches(light, spheres).any():
                self._counts[slot] += 1


class _Shape(NamedTuple):
    """What a shadow map shows of a batch: its mesh, which sides are drawn, and where it has holes."""

    mesh: Mesh
    casts: bool
    double_sided: bool
    holes: Material | None
    layers: int

    @classmethod
    def of(cls, batch: DrawBatch) -> _Shape:
        material = batch.material
        holes = material if material.drawn_as == "mask" else None
        return cls(batch.mesh, batch.in_shadow_maps, material.double_sided, holes, batch.layers)


@dataclass
class _Casters:
    """The casters of a draw list, a row for each instance: entities' numbers, shapes, models, and bounding spheres in
    mesh space and in the world. Meshes that cast no shadow have a radius of minus infinity.

    A shape has the same number as long as something has it.
    """

    numbers: NDArray[np.int64]
    shape_numbers: Mapping[_Shape, int]
    shapes: NDArray[np.int64]
    models: NDArray[np.float32]
    local: _Spheres
    placed: _Spheres

    @classmethod
    def of(cls, draws: DrawList, known: Mapping[_Shape, int]) -> _Casters:
        """The casters of these draws; shapes that are ``known`` keep their numbers."""
        counts = [batch.count for batch in draws.batches]
        shapes = [_Shape.of(batch) for batch in draws.batches]
        free = max(known.values(), default=-1) + 1
        numbered: dict[_Shape, int] = {}
        for shape in shapes:
            if shape not in numbered:
                numbered[shape] = known.get(shape, free)
                free += shape not in known
        spheres = np.array([_sphere(shape) for shape in shapes], np.float32).reshape(-1, 4)
        local = np.repeat(spheres, counts, axis=0)
        rows = np.repeat(np.array([numbered[shape] for shape in shapes], np.int64), counts)
        return cls(draws.numbers, numbered, rows, draws.models.copy(), local, _in_world(local, draws.models))

    def move(self, draws: DrawList, rows: Rows) -> _Spheres:
        """Take over the models of these rows; the spheres around them before and now."""
        models = draws.models[rows]
        before, now = self.placed[rows], _in_world(self.local[rows], models)
        self.models[rows], self.placed[rows] = models, now
        return np.concatenate([before, now])

    def differing(self, before: _Casters, posed: Rows) -> _Spheres:
        """The spheres around what is not as it was: what has vanished, appeared, or changed its shape or its model, and
        the ``posed`` rows."""
        _, old, new = np.intersect1d(before.numbers, self.numbers, assume_unique=True, return_indices=True)
        same = before.shapes[old] == self.shapes[new]
        same &= (before.models[old] == self.models[new]).all(axis=(1, 2))
        gone, there = np.ones(len(before.numbers), np.bool_), np.ones(len(self.numbers), np.bool_)
        gone[old[same]] = False
        there[new[same]] = False
        there[posed] = True
        return np.concatenate([before.placed[gone], self.placed[there]])


def _deformed(draws: DrawList) -> Rows:
    """The instances of characters, whose vertices move by themselves within the bounds of their meshes."""
    batches = [batch for batch in draws.batches if isinstance(batch.mesh, DeformedMesh)]
    return union([np.arange(batch.first, batch.first + batch.count) for batch in batches])


def _sphere(shape: _Shape) -> tuple[float, float, float, float]:
    center, radius = shape.mesh.bounds
    return (*center, radius if shape.casts else -np.inf)


def _in_world(spheres: _Spheres, models: NDArray[np.float32]) -> _Spheres:
    axes = models[:, :3, :3]
    placed = np.empty_like(spheres)
    placed[:, :3] = np.einsum("nc,ncr->nr", spheres[:, :3], axes) + models[:, 3, :3]
    placed[:, 3] = spheres[:, 3] * np.maximum(np.linalg.norm(axes, axis=(1, 2)), 1e-30)  # bounds any stretch
    return placed


def _reaches(light: ShadowedLight, spheres: _Spheres) -> NDArray[np.bool_]:
    x, y, z, radius = light.position_radius
    away = np.linalg.norm(spheres[:, :3] - np.array([x, y, z], np.float32), axis=1)
    reached: NDArray[np.bool_] = away <= spheres[:, 3] + radius
    return reached
