"""Which lights have shadow casters within their reach that have moved, so that other shadow maps may stay."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.poses import NO_POSES, Poses
from renderwright.engine.renderer.lights.shadow_places import MOST_SHADOWED
from renderwright.engine.renderer.lights.shadowed_lights import ShadowedLight
from renderwright.engine.scene.deformation import DeformedMesh
from renderwright.engine.scene.draw_list import DrawList, Stamp
from renderwright.engine.scene.rows import NO_ROWS, Rows, union

_Spheres = NDArray[np.float32]


class CasterMoves:
    """Counts, for each slot of a light with shadows, the pictures in which a caster within its reach has moved."""

    def __init__(self) -> None:
        self._counts = np.zeros(MOST_SHADOWED, np.int64)
        self._stamp: Stamp | None = None
        self._poses: Poses = NO_POSES
        self._placed: _Spheres | None = None
        self._local: _Spheres = np.zeros((0, 4), np.float32)

    def follow(self, draws: DrawList, lights: Sequence[ShadowedLight | None]) -> tuple[int, ...]:
        """The counts by slot after a picture with these draws."""
        posed = NO_ROWS if draws.poses is self._poses else _deformed(draws)
        if draws.stamp != self._stamp or len(posed):
            changed = draws.changed_since(self._stamp)
            if changed is None:
                self._counts += 1
                self._placed = None
            elif len(changed) or len(posed):
                self._note(draws, union([changed, posed]), lights)
            self._stamp = draws.stamp
        self._poses = draws.poses
        return tuple(self._counts.tolist())

    def _note(self, draws: DrawList, changed: Rows, lights: Sequence[ShadowedLight | None]) -> None:
        if self._placed is None:  # where they were before is unknown
            self._local = _spheres(draws)
            self._placed = _in_world(self._local, draws.models)
            self._counts += 1
            return
        before, now = self._placed[changed], _in_world(self._local[changed], draws.models[changed])
        self._placed[changed] = now
        for slot, light in enumerate(lights):
            if light is not None and (_reaches(light, before).any() or _reaches(light, now).any()):
                self._counts[slot] += 1


def _deformed(draws: DrawList) -> Rows:
    """The instances of characters, whose vertices move by themselves within the bounds of their meshes."""
    batches = [batch for batch in draws.batches if isinstance(batch.mesh, DeformedMesh)]
    return union([np.arange(batch.first, batch.first + batch.count) for batch in batches])


def _spheres(draws: DrawList) -> _Spheres:
    """The bounding spheres of all meshes, in mesh space. Meshes that cast no shadow have a radius of minus infinity."""
    spheres = np.empty((len(draws.batches), 4), np.float32)
    for number, batch in enumerate(draws.batches):
        center, radius = batch.mesh.bounds
        spheres[number] = (*center, radius if batch.casts_shadow else -np.inf)
    return np.repeat(spheres, [batch.count for batch in draws.batches], axis=0)


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
