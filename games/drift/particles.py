"""Pools of short-lived sprites, all moved at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from renderwright.engine.scene import Image, Scene

Complexes = NDArray[np.complex64]


class Particles:
    """A fixed number of sprites. When all are in use, the oldest are used again.

    They slow down by ``drag``, their share of speed lost in a second, and grow by ``growth`` metres a second.
    """

    def __init__(
        self,
        scene: Scene,
        image: Image,
        count: int,
        layer: int,
        *,
        regions: ArrayLike | None = None,
        drag: float = 0.0,
        growth: float = 0.0,
    ) -> None:
        places = np.zeros((count, 3), np.float32)
        self._sprites = scene.sprites.add_many(image, places, sizes=(0.0, 0.0), regions=regions, layer=layer)
        self._at = np.zeros(count, np.complex64)
        self._velocity = np.zeros(count, np.complex64)
        self._left = np.zeros(count, np.float32)
        self._life = np.ones(count, np.float32)
        self._sizes = np.zeros((count, 2), np.float32)
        self._colors = np.zeros((count, 4), np.float32)
        self._alpha = np.ones(count, np.float32)
        self._angles = np.zeros(count, np.float32)
        self._spin = np.zeros(count, np.float32)
        self._new: list[NDArray[np.intp]] = []
        self._next = 0
        self._drag, self._growth = drag, growth

    def __len__(self) -> int:
        return len(self._at)

    def emit(
        self,
        at: ArrayLike,
        velocity: ArrayLike,
        life: ArrayLike,
        size: ArrayLike,
        color: ArrayLike,
        *,
        spin: ArrayLike = 0.0,
        count: int | None = None,
    ) -> None:
        """Add particles, one for each of ``velocity`` unless ``count`` is given; each looks where it flies."""
        number = np.size(velocity) if count is None else count
        rows = (self._next + np.arange(number)) % len(self)
        self._next = int(rows[-1] + 1) % len(self)
        self._at[rows], self._velocity[rows] = at, velocity
        self._left[rows] = self._life[rows] = life
        self._sizes[rows], self._colors[rows], self._spin[rows] = size, color, spin
        self._alpha[rows] = self._colors[rows, 3]
        self._angles[rows] = np.angle(self._velocity[rows])
        self._new.append(rows)

    def step(self, dt: float) -> None:
        """Move all, and hand those that are shown over to the scene."""
        rows = np.flatnonzero(self._left > 0.0)
        if not len(rows):
            return
        self._left[rows] -= dt
        self._at[rows] += self._velocity[rows] * np.float32(dt)
        self._velocity[rows] *= np.float32(1.0 - self._drag * dt)
        share = np.maximum(self._left[rows] / self._life[rows], 0.0)
        self._colors[rows, 3] = self._alpha[rows] * share
        sprites = self._sprites[rows]
        sprites.positions = places_of(self._at[rows])
        sprites.colors = self._colors[rows]
        if self._growth:
            self._sizes[rows] += np.float32(self._growth * dt)
            sprites.sizes = self._sizes[rows]
        if self._spin.any():
            self._angles[rows] += self._spin[rows] * np.float32(dt)
            sprites.rotations = self._angles[rows]
        self._show_new()

    def _show_new(self) -> None:
        if not self._new:
            return
        rows = np.concatenate(self._new)
        self._new.clear()
        sprites = self._sprites[rows]
        sprites.sizes, sprites.rotations = self._sizes[rows], self._angles[rows]
        sprites.snap()


def places_of(at: NDArray[np.complexfloating], z: float = 0.0) -> NDArray[np.float32]:
    """Complex places as x, y, z."""
    places = np.empty((len(at), 3), np.float32)
    places[:, 0], places[:, 1], places[:, 2] = at.real, at.imag, z
    return places
