"""Bots: they take the shortest way to the nearest enemy, or to a repair pad, and shoot at what they see."""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from renderwright.games.duel.arena import FREE, Cell, Ground, Spot
from renderwright.games.duel.shots import SPEED
from renderwright.games.duel.tanks import ARMOUR, Hand, Tank

_THINK = 12
"""Steps between two looks around."""
_WEAK = 0.4 * ARMOUR
_NEAR, _FAR = 9.0, 26.0
_FAR_AWAY = 1 << 20


@dataclass
class Bot:
    """The driver of a tank. ``number`` spreads the thinking of several bots over the steps."""

    number: int
    random: random.Random
    _steps: int = 0
    _enemy: int = -1
    _sees: bool = False
    _error: float = 0.0
    _side: float = 1.0
    _ahead: Spot = field(default=(0.0, 0.0))

    def hand(self, tanks: Sequence[Tank], pads: Sequence[Spot], ground: Ground) -> Hand:
        """What the bot does in this step. ``pads`` are those that repair at the moment."""
        me = tanks[self.number]
        self._steps += 1
        if (self._steps + 3 * self.number) % _THINK == 1 or self._enemy < 0:
            self._think(me, tanks, pads, ground)
        if self._enemy < 0 or not me.alive:
            return Hand()
        enemy = tanks[self._enemy]
        distance = math.hypot(enemy.x - me.x, enemy.z - me.z)
        if self._sees and enemy.alive:
            flight = distance / SPEED
            aim = _bearing(me, enemy.x + enemy.vx * flight, enemy.z + enemy.vz * flight) + self._error
            drive = 0.8 if distance > _NEAR + 4.0 else -0.5 if distance < _NEAR - 3.0 else 0.2
            fire = abs(aim) < 0.2 and distance < _FAR
            return Hand(drive, _turn(aim), 0.8 * self._side, fire, boost=False)
        aim = _bearing(me, *self._ahead)
        return Hand(1.0 if abs(aim) < 0.6 else 0.25, _turn(aim), boost=abs(aim) < 0.15 and me.energy > 0.9)

    def _think(self, me: Tank, tanks: Sequence[Tank], pads: Sequence[Spot], ground: Ground) -> None:
        others = [number for number, tank in enumerate(tanks) if number != self.number and tank.alive]
        if not others:
            self._enemy, self._sees = -1, False
            return
        self._enemy = min(others, key=lambda number: math.hypot(tanks[number].x - me.x, tanks[number].z - me.z))
        self._error = self.random.gauss(0.0, 0.05)
        if self.random.random() < 0.15:
            self._side = -self._side
        enemy = tanks[self._enemy]
        goal = (enemy.x, enemy.z)
        self._sees = ground.sees((me.x, me.z), goal)
        if me.armour < _WEAK and pads:
            goal = min(pads, key=lambda pad: math.hypot(pad[0] - me.x, pad[1] - me.z))
            self._sees = False
        self._ahead = _next_place(ground, (me.x, me.z), goal)


def _bearing(me: Tank, x: float, z: float) -> float:
    """The angle from its direction to a place, positive to the left, from -pi to pi."""
    angle = math.atan2(me.x - x, me.z - z) - me.heading
    return (angle + math.pi) % math.tau - math.pi


def _turn(aim: float) -> float:
    return max(-1.0, min(1.0, -4.0 * aim))


def _next_place(ground: Ground, here: Spot, goal: Spot) -> Spot:
    """The place to drive to: two cells on along the shortest way."""
    ways = _ways_to(ground, ground.cell(*goal))
    cell = ground.cell(*here)
    for _ in range(2):
        cell = min(_around(cell), key=lambda near: ways[near], default=cell)
    return goal if ways[cell] <= 1 else ground.arena.centre(cell)


def _ways_to(ground: Ground, goal: Cell) -> NDArray[np.int64]:
    """The number of cells from each cell to a goal, through free ones."""
    ways = np.full(ground.solid.shape, _FAR_AWAY)
    ways[goal] = 0
    edge = deque([goal])
    while edge:
        cell = edge.popleft()
        for near in _around(cell):
            if ground.solid[near] == FREE and ways[near] == _FAR_AWAY:
                ways[near] = ways[cell] + 1
                edge.append(near)
    return ways


def _around(cell: Cell) -> tuple[Cell, ...]:
    row, column = cell
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)
