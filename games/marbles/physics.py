"""Rolling marbles: deterministic simulation in fixed steps, in board space.

A marble on the floor rolls without slipping, so gravity along the board accelerates it by a factor of 5/7 (solid
sphere). Rolling friction is a constant deceleration. Substeps limit movement to a third of the radius, so that marbles
do not tunnel through obstacles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.games.marbles.collision import Contact, NearBy, touch_block, touch_bumper, touch_floor, touch_pit
from renderwright.games.marbles.course import MARBLE_RADIUS, Block, Course, Mover, Pit, Spot
from renderwright.games.marbles.spin import IDENTITY, Quaternion, turned
from renderwright.games.marbles.tilt import Vector

STEP = 1.0 / 120.0
"""Fixed time step of the game, in seconds."""
ROLLING_SHARE = 5.0 / 7.0
ROLLING_FRICTION = 0.18
"""Deceleration, in units per second squared."""
WALL_BOUNCE = 0.45
MARBLE_BOUNCE = 0.9
DROP_BOUNCE = 0.3
QUIET_SPEED = 0.35
"""Slower impacts do not bounce, so that a marble comes to rest. Units per second."""
BUMPER_KICK = 4.0
"""Minimum speed of a marble after a bumper hit, in units per second."""
MAX_SPEED = 40.0
CAPTURE_HEIGHT = 0.1
"""A marble over a pit is captured once its centre is below this height."""
_ROUNDS = 4
"""Contact solver iterations per substep."""


@dataclass
class Marble:
    """The state of one marble: position of its centre, velocity, spin (radians per second) and orientation.

    A ``pinned`` marble does not move, and others bounce off it. ``captured`` is the pit that it fell into.
    """

    position: Vector
    velocity: Vector = (0.0, 0.0, 0.0)
    spin: Vector = (0.0, 0.0, 0.0)
    orientation: Quaternion = IDENTITY
    pinned: bool = False
    captured: Pit | None = None

    def respawn(self, spot: Spot, height: float = 1.2) -> None:
        """Put the marble at rest ``height`` above a spot."""
        self.position = (spot.x, MARBLE_RADIUS + height, spot.z)
        self.velocity = self.spin = (0.0, 0.0, 0.0)
        self.pinned = False
        self.captured = None


class World:
    """The marbles of a course and its movers."""

    def __init__(self, course: Course, marbles: list[Marble]) -> None:
        self.course = course
        self.marbles = marbles
        self.mover_times = [0.0] * len(course.movers)
        self.bumps = [0] * len(course.bumpers)
        """Number of hits of each bumper."""
        self._near = NearBy(course)
        self._bumper_number = {bumper: number for number, bumper in enumerate(course.bumpers)}

    def step(self, gravity: Vector, dt: float = STEP, own: Sequence[Vector] = ()) -> None:
        """Advance by ``dt`` seconds under ``gravity`` (board space, units per second squared).

        ``own`` gives each marble its own gravity.
        """
        free = [marble for marble in self.marbles if not marble.pinned]
        pulls = dict(zip(map(id, self.marbles), own, strict=True)) if own else {}
        pull = max(math.hypot(*each) for each in (gravity, *own)) * dt
        fastest = max((math.hypot(*marble.velocity) for marble in free), default=0.0) + pull
        substeps = max(1, math.ceil(min(fastest, MAX_SPEED) * dt / (MARBLE_RADIUS / 3.0)))
        for _ in range(substeps):
            self._substep([(marble, pulls.get(id(marble), gravity)) for marble in free], dt / substeps)
        for marble in free:
            marble.orientation = turned(marble.orientation, marble.spin, dt)

    def mover_spot(self, number: int) -> Spot:
        """Current centre of a mover."""
        return self.course.movers[number].position(self.mover_times[number])

    def _substep(self, pulled: list[tuple[Marble, Vector]], dt: float) -> None:
        free = [marble for marble, _ in pulled]
        for marble, gravity in pulled:
            self._accelerate(marble, gravity, dt)
            x, y, z = marble.position
            vx, vy, vz = marble.velocity
            marble.position = (x + vx * dt, y + vy * dt, z + vz * dt)
        self._advance_movers(free, dt)
        for _ in range(_ROUNDS):
            moved = self._solve_pairs()
            for marble in free:
                moved = self._solve_marble(marble) or moved
            if not moved:
                break
        for marble in free:
            low = marble.position[1] < CAPTURE_HEIGHT
            marble.captured = self._pit_under(marble) if low else None

    def _accelerate(self, marble: Marble, gravity: Vector, dt: float) -> None:
        gx, gy, gz = gravity
        vx, vy, vz = marble.velocity
        rolls = self._pit_under(marble) is None and marble.position[1] <= MARBLE_RADIUS + 1e-3
        share = ROLLING_SHARE if rolls else 1.0
        vx, vy, vz = vx + gx * share * dt, vy + gy * dt, vz + gz * share * dt
        if rolls or marble.captured is not None:
            speed = math.hypot(vx, vz)
            loss = (ROLLING_FRICTION if rolls else 20.0 * ROLLING_FRICTION) * dt
            kept = max(0.0, 1.0 - loss / speed) if speed > 0.0 else 0.0
            vx, vz = vx * kept, vz * kept
        if rolls:
            # Rolling without slipping: the spin is up x velocity / radius.
            marble.spin = (vz / MARBLE_RADIUS, 0.0, -vx / MARBLE_RADIUS)
        speed = math.hypot(vx, vy, vz)
        cut = MAX_SPEED / speed if speed > MAX_SPEED else 1.0
        marble.velocity = (vx * cut, vy * cut, vz * cut)

    def _pit_under(self, marble: Marble) -> Pit | None:
        x, _, z = marble.position
        return marble.captured or self._near.pit(self._near.cell(x, z), x, z)

    def _advance_movers(self, free: list[Marble], dt: float) -> None:
        """Advance each mover. A mover that would squeeze a marble against an obstacle waits."""
        for number, mover in enumerate(self.course.movers):
            later = self.mover_times[number] + dt
            block = _mover_block(mover, later)
            velocity = mover.velocity(later)
            pushed = [marble for marble in free if marble.captured is None]
            if not any(self._squeezed(marble, block, velocity) for marble in pushed):
                self.mover_times[number] = later

    def _squeezed(self, marble: Marble, block: Block, velocity: Spot) -> bool:
        x, _, z = marble.position
        contact = touch_block(x, z, block)
        if contact is None or contact.nx * velocity.x + contact.nz * velocity.z <= 0.0:
            return False
        x, z = x + contact.nx * contact.depth, z + contact.nz * contact.depth
        walls = (touch_block(x, z, wall) for wall in self._near.blocks(self._near.cell(x, z)))
        return any(wall is not None and wall.depth > 0.02 for wall in walls)

    def _solve_marble(self, marble: Marble) -> bool:
        x, y, z = marble.position
        pit = self._pit_under(marble)
        moved = False
        if pit is not None:
            for contact in touch_pit(x, y, z, pit):
                moved = _push(marble, contact, 0.0) or moved
        else:
            floor = touch_floor(y)
            if floor is not None:
                moved = _push(marble, floor, DROP_BOUNCE)
        if marble.captured is None:
            moved = self._solve_sides(marble) or moved
        return moved

    def _solve_sides(self, marble: Marble) -> bool:
        x, _, z = marble.position
        cell = self._near.cell(x, z)
        moved = False
        for bumper in self._near.bumpers(cell):
            contact = touch_bumper(x, z, bumper)
            if contact is not None:
                self.bumps[self._bumper_number[bumper]] += 1
                moved = _push(marble, contact, 1.0, least=BUMPER_KICK)
        for mover, time in zip(self.course.movers, self.mover_times, strict=True):
            contact = touch_block(marble.position[0], marble.position[2], _mover_block(mover, time))
            if contact is not None:
                moved = _push(marble, contact, WALL_BOUNCE, obstacle=mover.velocity(time)) or moved
        # Deepest wall first, so that seams between joined walls do not stop a marble that rolls along them.
        x, _, z = marble.position
        touched = [contact for block in self._near.blocks(cell) if (contact := touch_block(x, z, block))]
        if touched:
            moved = _push(marble, max(touched, key=lambda contact: contact.depth), WALL_BOUNCE) or moved
        return moved

    def _solve_pairs(self) -> bool:
        moved = False
        for number, first in enumerate(self.marbles):
            for second in self.marbles[number + 1 :]:
                moved = _collide(first, second) or moved
        return moved


def _mover_block(mover: Mover, time: float) -> Block:
    spot, half = mover.position(time), 0.5 * mover.size
    return Block(spot.x - half, spot.z - half, spot.x + half, spot.z + half)


def _push(marble: Marble, contact: Contact, bounce: float, *, least: float = 0.0, obstacle: Spot | None = None) -> bool:
    """Move a marble out of an obstacle and reflect its relative velocity. Returns whether it moved."""
    x, y, z = marble.position
    marble.position = (
        x + contact.nx * contact.depth,
        y + contact.ny * contact.depth,
        z + contact.nz * contact.depth,
    )
    ox, oz = (obstacle.x, obstacle.z) if obstacle else (0.0, 0.0)
    vx, vy, vz = marble.velocity
    approach = (vx - ox) * contact.nx + vy * contact.ny + (vz - oz) * contact.nz
    if approach < 0.0:
        bounced = -approach * bounce if -approach > QUIET_SPEED else 0.0
        change = max(bounced, least) - approach
        marble.velocity = (vx + contact.nx * change, vy + contact.ny * change, vz + contact.nz * change)
    return contact.depth > 1e-7


def _collide(first: Marble, second: Marble) -> bool:
    """Separate two overlapping marbles of equal mass and exchange momentum. Returns whether they overlapped."""
    dx, dy, dz = (b - a for a, b in zip(first.position, second.position, strict=True))
    distance = math.hypot(dx, dy, dz)
    if distance >= 2.0 * MARBLE_RADIUS:
        return False
    weights = [0.0 if marble.pinned else 1.0 for marble in (first, second)]
    total = sum(weights)
    if total == 0.0:
        return False
    nx, ny, nz = (dx / distance, dy / distance, dz / distance) if distance > 1e-9 else (1.0, 0.0, 0.0)
    depth = 2.0 * MARBLE_RADIUS - distance
    approach = sum((b - a) * n for a, b, n in zip(first.velocity, second.velocity, (nx, ny, nz), strict=True))
    bounce = MARBLE_BOUNCE if -approach > QUIET_SPEED else 0.0
    impulse = -(1.0 + bounce) * approach / total if approach < 0.0 else 0.0
    for marble, weight, side in ((first, weights[0], -1.0), (second, weights[1], 1.0)):
        shift = side * weight * depth / total
        change = side * weight * impulse
        x, y, z = marble.position
        vx, vy, vz = marble.velocity
        marble.position = (x + nx * shift, y + ny * shift, z + nz * shift)
        marble.velocity = (vx + nx * change, vy + ny * change, vz + nz * change)
    return depth > 1e-7
