"""Round bodies that drift around the sun, as rows of arrays. Places and velocities are complex numbers: x + iy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from renderwright.games.drift.rule_files import Sun

_NEAREST = 1.0
"""Metres from the sun's middle within which its pull does not grow."""


def pull(at: NDArray[np.complex128] | complex, sun: Sun) -> NDArray[np.complex128]:
    """The acceleration by the sun at these places."""
    distance = np.maximum(np.abs(at), _NEAREST)
    result: NDArray[np.complex128] = -sun.gravity * np.asarray(at) / distance**3
    return result


def orbit(at: complex, sun: Sun) -> complex:
    """The velocity of a round orbit through a place, counter-clockwise as the dust."""
    distance = max(abs(at), _NEAREST)
    return complex(1j * at / distance * (sun.gravity / distance) ** 0.5)


class Bodies:
    """Rows for at most ``capacity`` bodies, of which those that are ``alive`` are there.

    ``changes`` counts additions and removals, ``owner`` is the kind of a rock and the player of a shot.
    """

    def __init__(self, capacity: int) -> None:
        self.alive = np.zeros(capacity, np.bool_)
        self.at = np.zeros(capacity, np.complex128)
        self.velocity = np.zeros(capacity, np.complex128)
        self.angle = np.zeros(capacity)
        self.spin = np.zeros(capacity)
        self.radius = np.zeros(capacity)
        self.age = np.zeros(capacity)
        self.owner = np.zeros(capacity, np.intp)
        self.changes = 0

    def __len__(self) -> int:
        return int(np.count_nonzero(self.alive))

    @property
    def rows(self) -> NDArray[np.intp]:
        """The rows of those that are there."""
        return np.flatnonzero(self.alive)

    def add(self, at: complex, velocity: complex, radius: float, owner: int, spin: float = 0.0) -> None:
        """Add a body, unless all rows are taken."""
        row = int(np.argmin(self.alive))
        if self.alive[row]:
            return
        self.alive[row] = True
        self.at[row], self.velocity[row], self.radius[row], self.owner[row] = at, velocity, radius, owner
        self.angle[row], self.spin[row], self.age[row] = np.angle(velocity), spin, 0.0
        self.changes += 1

    def remove(self, rows: NDArray[np.intp] | int) -> None:
        """Remove bodies."""
        self.alive[rows] = False
        self.changes += 1

    def drift(self, dt: float, sun: Sun) -> None:
        """Fly on for ``dt`` seconds."""
        self.velocity += pull(self.at, sun) * dt
        self.at += self.velocity * dt
        self.angle += self.spin * dt
        self.age += dt

    def bounce(self, edge: float, share: float) -> NDArray[np.intp]:
        """Keep bodies within ``edge`` metres of the sun; returns the rows of those that have hit the rim."""
        distance = np.abs(self.at)
        rows = np.flatnonzero(self.alive & (distance > edge - self.radius))
        if len(rows):
            outward = self.at[rows] / distance[rows]
            speed = np.maximum((self.velocity[rows] * outward.conj()).real, 0.0)
            self.velocity[rows] -= (1.0 + share) * speed * outward
            self.at[rows] = outward * (edge - self.radius[rows])
        return rows
