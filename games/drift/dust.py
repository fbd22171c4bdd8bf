"""The dust that orbits the sun. Ships and blasts push it; it finds back to its orbits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene import Image, Scene
from renderwright.games.drift.particles import places_of
from renderwright.games.drift.rule_files import Rules

COUNT = 12_000
LAYER = -5
_DAMPING = 1.6
"""Share of the speed of pushed dust that is lost in a second."""
_RETURN = 0.8
"""Share of the way back to its orbit that it goes in a second."""
BANDS = ((0.2, 0.025, 1.4), (0.33, 0.045, 2.4), (0.5, 0.05, 2.6), (0.68, 0.04, 1.8), (0.86, 0.05, 1.6))
"""Rings of dust: the radius, its spread, both as shares of the arena's, and the weight."""
_INNER, _MIDDLE, _OUTER = (2.2, 0.8, 0.2), (1.2, 0.26, 0.8), (0.2, 0.8, 1.5)
"""Linear colours from the sun outwards."""


class Dust:
    """All motes, in one group of sprites."""

    def __init__(self, scene: Scene, image: Image, rules: Rules, seed: int, count: int = COUNT) -> None:
        random = np.random.default_rng(seed)
        self._home = _radii(random, count, rules)
        self._home_squares = self._home**2
        turn = random.uniform(0.0, 2.0 * np.pi, count)
        self.at = (self._home * np.exp(1j * turn)).astype(np.complex64)
        self._push = np.zeros(count, np.complex64)
        self._angular = np.sqrt(rules.sun.gravity / self._home**3)
        self._dt, self._turn = 0.0, np.ones(count, np.complex64)
        share = np.clip(self._home / rules.arena.radius, 0.0, 1.0)[:, np.newaxis]
        low, high = np.clip(share * 2.0 - 0.2, 0.0, 1.0), np.clip(share * 2.0 - 1.0, 0.0, 1.0)
        color = np.array(_INNER) * (1.0 - low) + np.array(_MIDDLE) * (low - high) + np.array(_OUTER) * high
        bright = np.minimum(0.45 + random.exponential(0.9, (count, 1)), 6.0)
        tints = np.concatenate([color * bright, np.full((count, 1), 0.85)], axis=1)
        sides = 0.08 + random.exponential(0.04, count)
        self._depth = random.normal(0.0, 0.35, count).astype(np.float32)
        places = places_of(self.at)
        places[:, 2] = self._depth
        self._sprites = scene.sprites.add_many(
            image, places, sizes=np.stack([sides, sides], axis=1), colors=tints, layer=LAYER
        )
        self._places = places

    def push(self, at: complex, radius: float, speed: float) -> None:
        """Blow dust away from a place: with ``speed`` there, with nothing ``radius`` metres off."""
        apart = self.at - np.complex64(at)
        rows = np.flatnonzero((np.abs(apart.real) < radius) & (np.abs(apart.imag) < radius))
        away = apart[rows]
        distance = np.maximum(np.abs(away), np.float32(0.05))
        self._push[rows] += away / distance * np.maximum(1.0 - distance / np.float32(radius), 0.0) * np.float32(speed)

    def step(self, dt: float) -> None:
        """Move all, and hand them over to the scene."""
        if dt != self._dt:
            self._dt, self._turn = dt, np.exp(1j * self._angular * dt).astype(np.complex64)
        self.at *= self._turn
        self._push *= np.float32(1.0 - _DAMPING * dt)
        self.at += self._push * np.float32(dt)
        self._settle(np.float32(0.5 * _RETURN * dt))
        self._places[:, 0], self._places[:, 1] = self.at.real, self.at.imag
        self._sprites.positions = self._places

    def _settle(self, share: np.float32) -> None:
        """Go some of the way back to the orbits, by the squares of the radii: near them that is half of the way."""
        squares = self.at.real**2
        squares += self.at.imag**2
        np.divide(self._home_squares, squares, out=squares)
        squares *= share
        squares += np.float32(1.0) - share
        self.at *= squares


def _radii(random: np.random.Generator, count: int, rules: Rules) -> NDArray[np.float32]:
    middles, spreads, weights = np.array(BANDS).T
    band = random.choice(len(BANDS), count, p=weights / weights.sum())
    share = random.normal(middles[band], spreads[band])
    nearest = 1.25 * rules.sun.radius
    radii = np.clip(share * rules.arena.radius, nearest, 0.985 * rules.arena.radius)
    spread: NDArray[np.float32] = (radii + random.uniform(0.0, 0.2, count)).astype(np.float32)
    return spread
