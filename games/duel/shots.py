"""Shots of all tanks as arrays: they fly straight, bounce off walls, and hit cover and tanks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from renderwright.games.duel.arena import COVER, FREE, SEATS, Cell, Ground
from renderwright.games.duel.tanks import RADIUS, STEP, Tank

EACH = 10
"""Shots of a tank that are in the air at once. The tank of a shot is its number // EACH."""
COUNT = SEATS * EACH
SPEED = 27.0
HEIGHT = 0.95
_LIFE = 2.2
_BOUNCES = 3
_MUZZLE = 1.2
"""Metres in front of the middle of a tank. Less than its radius, so that no shot begins in a wall."""


class Struck(Enum):
    """What a shot hits."""

    WALL = auto()
    COVER = auto()
    TANK = auto()


@dataclass(frozen=True)
class Strike:
    """A hit at x and z: its normal, the shot, and the cell of cover or the number of the tank."""

    what: Struck
    x: float
    z: float
    normal: tuple[float, float]
    shot: int
    cell: Cell = (0, 0)
    tank: int = -1


class Shots:
    """All shots. ``life`` is 0 or less for those that are not in the air."""

    def __init__(self) -> None:
        self.places = np.zeros((COUNT, 2))
        self.velocities = np.zeros((COUNT, 2))
        self.life = np.zeros(COUNT)
        self.bounces = np.zeros(COUNT, np.int8)

    def fire(self, tank: Tank, number: int) -> None:
        """A tank fires; its oldest shot ends if all are in the air."""
        first = number * EACH
        shot = first + int(np.argmin(self.life[first : first + EACH]))
        forward = np.array(tank.forward)
        self.places[shot] = (tank.x, tank.z) + forward * _MUZZLE
        self.velocities[shot] = forward * SPEED + 0.35 * np.array((tank.vx, tank.vz))
        self.life[shot], self.bounces[shot] = _LIFE, _BOUNCES

    def step(self, ground: Ground, tanks: Sequence[Tank]) -> list[Strike]:
        """Fly for a step. Returns what was hit, in the order of the shots."""
        self.life -= STEP
        live = np.flatnonzero(self.life > 0.0)
        if not len(live):
            return []
        strikes = [*self._meet_tanks(live, tanks), *self._meet_ground(live, ground)]
        return sorted(strikes, key=lambda strike: strike.shot)

    def _meet_tanks(self, live: np.ndarray, tanks: Sequence[Tank]) -> list[Strike]:
        middles = np.array([(tank.x, tank.z) if tank.alive else (1e6, 1e6) for tank in tanks])
        away = self.places[live, None, :] - middles[None, :, :]
        near = (away**2).sum(axis=2) < RADIUS**2
        near[np.arange(len(live)), live // EACH] = False
        strikes = []
        for row, tank in np.argwhere(near):
            shot = int(live[row])
            if self.life[shot] > 0.0:
                self.life[shot] = 0.0
                x, z = self.places[shot]
                nx, nz = -self.velocities[shot] / np.linalg.norm(self.velocities[shot])
                strikes.append(Strike(Struck.TANK, float(x), float(z), (float(nx), float(nz)), shot, tank=int(tank)))
        return strikes

    def _meet_ground(self, live: np.ndarray, ground: Ground) -> list[Strike]:
        now = self.places[live]
        then = now + self.velocities[live] * STEP
        rows, columns = ground.cells(now).T
        next_rows, next_columns = ground.cells(then).T
        along_x = ground.solid[rows, next_columns] != FREE
        along_z = ground.solid[next_rows, columns] != FREE
        corner = ~along_x & ~along_z & (ground.solid[next_rows, next_columns] != FREE)
        strikes = []
        for row in np.flatnonzero(along_x | along_z | corner):
            shot = int(live[row])
            if self.life[shot] <= 0.0:
                continue
            velocity = self.velocities[shot]
            sides = np.array((along_x[row] or corner[row], along_z[row] or corner[row]))
            cell = (
                int(next_rows[row] if along_z[row] or corner[row] else rows[row]),
                int(next_columns[row] if along_x[row] or corner[row] else columns[row]),
            )
            if along_x[row] and along_z[row]:
                cell = (int(rows[row]), int(next_columns[row]))
            normal = np.where(sides, -np.sign(velocity), 0.0)
            normal /= np.linalg.norm(normal)
            is_cover = bool(ground.solid[cell] == COVER)
            if is_cover or self.bounces[shot] == 0:
                self.life[shot] = 0.0
            else:
                self.bounces[shot] -= 1
                self.velocities[shot] = np.where(sides, -velocity, velocity)
                then[row] = now[row]
            x, z = self.places[shot]
            what = Struck.COVER if is_cover else Struck.WALL
            strikes.append(Strike(what, float(x), float(z), (float(normal[0]), float(normal[1])), shot, cell))
        self.places[live] = then
        return strikes
