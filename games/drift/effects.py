"""Sparks, flashes, rings and chips: what is seen of the events of a match. Nothing here has an effect on the rules."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from renderwright.engine.scene import Image, Scene
from renderwright.games.drift.backdrop import light
from renderwright.games.drift.dust import Dust
from renderwright.games.drift.match import STEP, Event, Match, What
from renderwright.games.drift.particles import Particles
from renderwright.games.drift.pixels import ROCKS, cell
from renderwright.games.drift.ship import Ship

Rgb = Sequence[float]

PLAYERS: tuple[Rgb, ...] = ((0.25, 1.0, 1.5), (1.5, 0.35, 0.95))
"""The linear colour of each player's ship and shots."""
FIRE: Rgb = (1.9, 0.75, 0.2)
RIM: Rgb = (0.25, 0.9, 1.2)
SPARKS, CHIPS, FLASHES, RINGS = 5_000, 300, 48, 32
_SPARK_LAYER, _RING_LAYER, _CHIP_LAYER, _FLASH_LAYER = 0, 5, 1, 6
_CALMS_DOWN = 1.8
"""Share of the shaking of the camera that is lost in a second."""


class Effects:
    """All particles. ``shaking`` is from 0 to 1, for the camera."""

    def __init__(self, scene: Scene, sheet: Image, dot: Image, dust: Dust, seed: int) -> None:
        rocks = np.array([cell(f"rock{n % ROCKS}") for n in range(CHIPS)])
        self._sparks = Particles(scene, dot, SPARKS, _SPARK_LAYER, drag=1.3)
        self._chips = Particles(scene, sheet, CHIPS, _CHIP_LAYER, regions=rocks, drag=0.2)
        self._flashes = Particles(scene, dot, FLASHES, _FLASH_LAYER, growth=5.0)
        self._rings = Particles(scene, sheet, RINGS, _RING_LAYER, regions=cell("ring"), growth=13.0)
        self._dust = dust
        self._random = np.random.default_rng(seed)
        self.shaking = 0.0

    def step(self, match: Match) -> None:
        """Show what has happened in this step of a match."""
        for event in match.events:
            self._show(event, match)
        for player, ship in enumerate(match.ships):
            if ship.flying:
                self._burn(ship, PLAYERS[player])
        self._trail_shots(match)
        self._smoulder(match)
        for pool in (self._sparks, self._chips, self._flashes, self._rings):
            pool.step(STEP)
        self.shaking *= 1.0 - _CALMS_DOWN * STEP

    # events ---------------------------------------------------------------------------------------------------------

    def _show(self, event: Event, match: Match) -> None:
        at, size = event.at, event.size
        if event.what is What.SHOT:
            self._dust.push(at, 1.3, 1.2)
            self._flash(at, 0.7, PLAYERS[event.who], 0.09)
        elif event.what is What.BREAK:
            kind = match.kinds[event.who]
            color = tuple(0.6 * one + 0.5 * hot for one, hot in zip(kind.color, FIRE, strict=True))
            self._burst(event, int(40 + 80 * size), 3.0 + 2.4 * size, color)
            self._crumble(event, int(4 + 9 * size), kind.color)
            self._flash(at, 3.4 * size, color, 0.2)
            self._ring(at, 0.6 * size, color, 0.32 + 0.1 * size, 0.5)
            self._blow(at, 2.2 + 1.9 * size, 3.0 + 1.6 * size, 0.08 * size)
        elif event.what is What.BLAST:
            self._burst(event, 300, 12.0, FIRE)
            self._flash(at, 2.1 * size, FIRE, 0.3)
            self._ring(at, 1.0, FIRE, 0.55, 1.6)
            self._blow(at, 1.7 * size, 11.0, 0.45)
        elif event.what is What.CRASH:
            self._burst(event, 480, 14.0, PLAYERS[event.who])
            self._burst(event, 220, 7.0, FIRE)
            self._flash(at, 9.0, PLAYERS[event.who], 0.45)
            self._ring(at, 0.5, PLAYERS[event.who], 0.9, 2.2)
            self._ring(at, 0.2, FIRE, 0.6, 1.6)
            self._blow(at, 9.0, 13.0, 1.0)
        elif event.what is What.BURN:
            self._burst(Event(What.BURN, at, 2.2 * at), int(30 + 40 * size), 4.0, FIRE)
            self._flash(at, 3.0 * size, FIRE, 0.3)
        elif event.what is What.RIM:
            self._burst(Event(What.RIM, at, -0.12 * at), int(14 + 20 * size), 4.0, RIM)
            self._flash(at, 1.6 * size, RIM, 0.2)
        elif event.what is What.APPEAR:
            self._ring(at, 0.3, PLAYERS[event.who], 0.5, 1.2)
            self._blow(at, 5.0, 5.0, 0.0)

    def _burst(self, event: Event, count: int, speed: float, color: Rgb) -> None:
        """Sparks in all directions."""
        way = self._ways(count) * speed * self._random.uniform(0.05, 1.0, count) ** 1.4
        life = self._random.uniform(0.3, 1.5, count)
        length = 0.13 + 0.055 * np.abs(way)
        bright = self._random.uniform(1.0, 6.0, (count, 1))
        self._streaks(event.at, event.velocity * 0.6 + way, life, length, np.array(color) * bright)

    def _crumble(self, event: Event, count: int, color: Rgb) -> None:
        velocity = event.velocity + self._ways(count) * self._random.uniform(0.6, 3.6, count)
        side = self._random.uniform(0.1, 0.32, (count, 1)) * min(event.size, 1.4)
        start = event.at + self._ways(count) * event.size * 0.6
        life, spin = self._random.uniform(0.7, 1.9, count), self._random.uniform(-5.0, 5.0, count)
        self._chips.emit(start, velocity, life, np.repeat(side, 2, axis=1), (*(0.6 * c for c in color), 1.0), spin=spin)

    def _flash(self, at: complex, side: float, color: Rgb, life: float) -> None:
        self._flashes.emit(at, 0j, life, side, _glow(color, 2.2), count=1)

    def _ring(self, at: complex, side: float, color: Rgb, life: float, bright: float) -> None:
        self._rings.emit(at, 0j, life, side, _glow(color, bright), count=1)

    def _blow(self, at: complex, radius: float, speed: float, shaking: float) -> None:
        self._dust.push(at, radius, speed)
        self.shaking = min(1.0, self.shaking + shaking)

    # trails ---------------------------------------------------------------------------------------------------------

    def _burn(self, ship: Ship, color: Rgb) -> None:
        if ship.thrust <= 0.0:
            return
        count, back = 4, -ship.forward
        start = ship.at + back * 0.45 - ship.velocity * STEP * self._random.uniform(0.0, 1.0, count)
        way = back * self._random.uniform(3.0, 8.0, count) + 0.9 * self._ways(count)
        life, length = self._random.uniform(0.25, 0.85, count), self._random.uniform(0.12, 0.4, count)
        hot = np.array(color) * 1.3 + np.array(FIRE) * self._random.uniform(0.0, 1.0, (count, 1))
        self._streaks(start, ship.velocity + way, life, length, hot)
        self._dust.push(ship.at + back, 1.6, 0.55)

    def _trail_shots(self, match: Match) -> None:
        shots = match.shots
        rows = shots.rows
        if len(rows):
            colors = np.array(PLAYERS)[shots.owner[rows]] * 0.7
            way = shots.velocity[rows] * 0.06 + 0.4 * self._ways(len(rows))
            self._streaks(shots.at[rows], way, 0.34, 0.26, colors)

    def _smoulder(self, match: Match) -> None:
        """Embers of rocks that are about to burst."""
        rocks = match.rocks
        blasts = np.array([kind.blast > 0.0 for kind in match.kinds])
        rows = rocks.rows[blasts[rocks.owner[rocks.rows]]]
        rows = rows[self._random.random(len(rows)) < 0.5]
        if len(rows):
            ways = self._ways(len(rows))
            start = rocks.at[rows] + ways * rocks.radius[rows] * 0.7
            life = self._random.uniform(0.3, 0.9, len(rows))
            self._streaks(start, rocks.velocity[rows] + ways * 0.8, life, 0.14, np.array(FIRE) * 0.9)

    # inside ---------------------------------------------------------------------------------------------------------

    def _ways(self, count: int) -> NDArray[np.complex128]:
        ways: NDArray[np.complex128] = np.exp(1j * self._random.uniform(0.0, 2.0 * math.pi, count))
        return ways

    def _streaks(self, at: ArrayLike, velocity: ArrayLike, life: ArrayLike, length: ArrayLike, rgb: ArrayLike) -> None:
        count = np.size(velocity)
        size, color = np.empty((count, 2)), np.empty((count, 4))
        size[:, 0], size[:, 1] = length, 0.13
        color[:, :3], color[:, 3] = np.asarray(rgb) / 0.3, 0.3
        self._sparks.emit(at, velocity, life, size, color)


def _glow(color: Rgb, bright: float) -> tuple[float, float, float, float]:
    red, green, blue = color
    return light(bright * red, bright * green, bright * blue)
