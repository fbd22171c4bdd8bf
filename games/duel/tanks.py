"""Hover tanks: they glide, turn, bump into walls and into each other. Fixed steps, no random numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.games.duel.arena import CELL, FREE, Ground, Spot

STEP = 1.0 / 60.0
RADIUS = 1.25
ARMOUR = 100.0
RELOAD = 0.19
"""Seconds between two shots."""
_TURN = 2.7
"""Radians per second."""
_TURN_RATE, _DRIVE, _REVERSE, _STRAFE, _BOOST = 12.0, 27.0, 18.0, 16.0, 2.0
_DRAG, _GRIP = 1.7, 1.2
"""Rates per second at which speed is lost: in all directions, and sideways besides."""
_BOUNCE = 0.45
_BOOST_DRAIN, _BOOST_GAIN = 0.7, 0.28


@dataclass(frozen=True)
class Hand:
    """What a player asks for: axes from -1 to 1, right and forwards positive."""

    drive: float = 0.0
    turn: float = 0.0
    strafe: float = 0.0
    fire: bool = False
    boost: bool = False


@dataclass
class Tank:
    """A tank. ``heading`` is counter-clockwise from above, 0 along -Z. A dead one waits for ``wait`` seconds."""

    x: float = 0.0
    z: float = 0.0
    heading: float = 0.0
    vx: float = 0.0
    vz: float = 0.0
    turn: float = 0.0
    armour: float = ARMOUR
    energy: float = 1.0
    reload: float = 0.0
    wait: float = 0.0
    shock: float = 0.0
    """From hits, 0 to 1; fades."""
    boosting: bool = False
    frags: int = 0

    @property
    def alive(self) -> bool:
        """Whether it is in play."""
        return self.armour > 0.0

    @property
    def forward(self) -> Spot:
        """Its direction, x and z."""
        return -math.sin(self.heading), -math.cos(self.heading)

    @property
    def speed(self) -> float:
        """Metres per second."""
        return math.hypot(self.vx, self.vz)

    def place(self, spot: Spot) -> None:
        """Start anew at a spot, turned to the middle of the arena."""
        self.x, self.z = spot
        self.heading = math.atan2(spot[0], spot[1])
        self.vx = self.vz = self.turn = self.reload = self.wait = self.shock = 0.0
        self.armour, self.energy, self.boosting = ARMOUR, 1.0, False

    def move(self, hand: Hand) -> None:
        """Glide for a step."""
        self.reload = max(0.0, self.reload - STEP)
        self.shock *= math.exp(-3.0 * STEP)
        self.turn += (-hand.turn * _TURN - self.turn) * (1.0 - math.exp(-_TURN_RATE * STEP))
        self.heading += self.turn * STEP
        self.boosting = hand.boost and hand.drive > 0.0 and self.energy > 0.02
        self.energy += (-_BOOST_DRAIN if self.boosting else _BOOST_GAIN) * STEP
        self.energy = min(1.0, max(0.0, self.energy))
        fx, fz = self.forward
        push = hand.drive * (_DRIVE * (_BOOST if self.boosting else 1.0) if hand.drive > 0.0 else _REVERSE)
        side = hand.strafe * _STRAFE
        self.vx += (fx * push - fz * side) * STEP
        self.vz += (fz * push + fx * side) * STEP
        across = (self.vx * -fz + self.vz * fx) * (1.0 - math.exp(-_GRIP * STEP))
        kept = math.exp(-_DRAG * STEP)
        self.vx, self.vz = (self.vx + fz * across) * kept, (self.vz - fx * across) * kept
        self.x += self.vx * STEP
        self.z += self.vz * STEP

    def push(self, nx: float, nz: float, depth: float) -> None:
        """Something pushes it out along a normal, off which it bounces."""
        self.x += nx * depth
        self.z += nz * depth
        against = self.vx * nx + self.vz * nz
        if against < 0.0:
            self.vx -= (1.0 + _BOUNCE) * against * nx
            self.vz -= (1.0 + _BOUNCE) * against * nz


def collide(tanks: Sequence[Tank], ground: Ground) -> None:
    """Keep living tanks apart, and out of walls and cover."""
    living = [tank for tank in tanks if tank.alive]
    for number, one in enumerate(living):
        for other in living[number + 1 :]:
            dx, dz = one.x - other.x, one.z - other.z
            distance = math.hypot(dx, dz) or 1e-6
            if distance < 2.0 * RADIUS:
                depth = RADIUS - 0.5 * distance
                one.push(dx / distance, dz / distance, depth)
                other.push(-dx / distance, -dz / distance, depth)
    for tank in living:
        _keep_out(tank, ground)


def _keep_out(tank: Tank, ground: Ground) -> None:
    row, column = ground.cell(tank.x, tank.z)
    rows, columns = ground.solid.shape
    for near_row in range(max(0, row - 1), min(rows, row + 2)):
        for near_column in range(max(0, column - 1), min(columns, column + 2)):
            if ground.solid[near_row, near_column] == FREE:
                continue
            x, z = ground.arena.centre((near_row, near_column))
            dx = tank.x - min(max(tank.x, x - 0.5 * CELL), x + 0.5 * CELL)
            dz = tank.z - min(max(tank.z, z - 0.5 * CELL), z + 0.5 * CELL)
            distance = math.hypot(dx, dz)
            if 0.0 < distance < RADIUS:
                tank.push(dx / distance, dz / distance, RADIUS - distance)
