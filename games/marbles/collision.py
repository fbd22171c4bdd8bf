"""Contacts of a marble with the parts of a course: normal and penetration depth.

All contacts are in board space. Walls, movers and bumpers are taller than a marble, so they are tested in the plane.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from renderwright.games.marbles.course import BUMPER_RADIUS, MARBLE_RADIUS, PIT_RADIUS, Block, Course, Pit, Spot
from renderwright.games.marbles.level import Cell

_REACH = MARBLE_RADIUS + 0.3
"""Broad-phase distance of an obstacle to a cell: the radius plus a margin for one substep's movement."""


@dataclass(frozen=True)
class Contact:
    """A unit ``normal`` (nx, ny, nz) away from the obstacle, and the penetration depth along it."""

    nx: float
    ny: float
    nz: float
    depth: float


def touch_block(x: float, z: float, block: Block) -> Contact | None:
    """The contact with an upright box: its faces, its corners, and from inside its nearest face."""
    near_x = min(max(x, block.x0), block.x1)
    near_z = min(max(z, block.z0), block.z1)
    dx, dz = x - near_x, z - near_z
    distance = math.hypot(dx, dz)
    if distance >= MARBLE_RADIUS:
        return None
    if distance > 1e-9:
        return Contact(dx / distance, 0.0, dz / distance, MARBLE_RADIUS - distance)
    ways_out = (
        (x - block.x0, -1.0, 0.0),
        (block.x1 - x, 1.0, 0.0),
        (z - block.z0, 0.0, -1.0),
        (block.z1 - z, 0.0, 1.0),
    )
    way, nx, nz = min(ways_out)
    return Contact(nx, 0.0, nz, way + MARBLE_RADIUS)


def touch_bumper(x: float, z: float, bumper: Spot) -> Contact | None:
    """The contact with an upright post."""
    dx, dz = x - bumper.x, z - bumper.z
    distance = math.hypot(dx, dz)
    if distance >= MARBLE_RADIUS + BUMPER_RADIUS:
        return None
    if distance < 1e-9:
        return Contact(1.0, 0.0, 0.0, MARBLE_RADIUS + BUMPER_RADIUS)
    return Contact(dx / distance, 0.0, dz / distance, MARBLE_RADIUS + BUMPER_RADIUS - distance)


def touch_floor(y: float) -> Contact | None:
    """The contact with the flat floor."""
    return Contact(0.0, 1.0, 0.0, MARBLE_RADIUS - y) if y < MARBLE_RADIUS else None


def touch_pit(x: float, y: float, z: float, pit: Pit) -> tuple[Contact, ...]:
    """The contacts of a marble whose centre is over ``pit``: its rim or its inner wall, and its bottom.

    The rim is an infinitely thin circle. The marble is pushed away from its nearest point, so it rolls over the edge
    and falls, and a fast marble may hit the far rim and jump out.
    """
    dx, dz = x - pit.x, z - pit.z
    distance = math.hypot(dx, dz)
    ux, uz = (dx / distance, dz / distance) if distance > 1e-9 else (1.0, 0.0)
    gap = PIT_RADIUS - distance
    contacts: list[Contact] = []
    if y <= 0.0:
        if gap < MARBLE_RADIUS:
            contacts.append(Contact(-ux, 0.0, -uz, MARBLE_RADIUS - gap))
    else:
        away = math.hypot(gap, y)
        if away < MARBLE_RADIUS:
            contacts.append(Contact(-ux * gap / away, y / away, -uz * gap / away, MARBLE_RADIUS - away))
    bottom = MARBLE_RADIUS - pit.depth
    if y < bottom:
        contacts.append(Contact(0.0, 1.0, 0.0, bottom - y))
    return tuple(contacts)


class NearBy:
    """Broad phase: the blocks, bumpers and pit that a marble with its centre in a cell may touch."""

    def __init__(self, course: Course) -> None:
        self._course = course
        cells = [(column, row) for column in range(course.columns) for row in range(course.rows)]
        blocks = course.walls + course.frame
        self._blocks = {cell: tuple(_near_blocks(course.centre(cell), blocks)) for cell in cells}
        self._bumpers = {cell: tuple(_near_spots(course.centre(cell), course.bumpers)) for cell in cells}
        self._pits = {course.cell(pit.x, pit.z): pit for pit in course.pits}

    def cell(self, x: float, z: float) -> Cell:
        """The cell of a point, clamped to the map."""
        return self._course.cell(x, z)

    def blocks(self, cell: Cell) -> tuple[Block, ...]:
        """Walls and frame parts in reach of ``cell``."""
        return self._blocks[cell]

    def bumpers(self, cell: Cell) -> tuple[Spot, ...]:
        """Bumpers in reach of ``cell``."""
        return self._bumpers[cell]

    def pit(self, cell: Cell, x: float, z: float) -> Pit | None:
        """The pit whose opening is under the point, or None."""
        pit = self._pits.get(cell)
        if pit is None or math.hypot(x - pit.x, z - pit.z) >= PIT_RADIUS:
            return None
        return pit


def _near_blocks(centre: Spot, blocks: Iterable[Block]) -> Iterable[Block]:
    reach = 0.5 + _REACH
    for block in blocks:
        if block.x0 - reach <= centre.x <= block.x1 + reach and block.z0 - reach <= centre.z <= block.z1 + reach:
            yield block


def _near_spots(centre: Spot, spots: Iterable[Spot]) -> Iterable[Spot]:
    reach = 0.5 + _REACH + BUMPER_RADIUS
    for spot in spots:
        if abs(spot.x - centre.x) <= reach and abs(spot.z - centre.z) <= reach:
            yield spot
