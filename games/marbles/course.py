"""The course: the geometry of a level's map in board space, for physics and rendering.

Board space is the tilted frame: x to the right, y out of the board, z towards the viewer, the floor at y = 0 and the
middle of the map at the origin. A cell is one unit wide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from renderwright.games.marbles.level import Cell, Level, MoverSettings, Tile

MARBLE_RADIUS = 0.3
PIT_RADIUS = 0.42
HOLE_DEPTH = 1.1
CUP_DEPTH = 0.34
BUMPER_RADIUS = 0.3
COIN_RADIUS = 0.22
FRAME_WIDTH = 0.6


@dataclass(frozen=True)
class Block:
    """A wall: an upright box over the rectangle from (x0, z0) to (x1, z1)."""

    x0: float
    z0: float
    x1: float
    z1: float


@dataclass(frozen=True)
class Spot:
    """A point of the floor."""

    x: float
    z: float


class PitKind(Enum):
    """Kinds of pits, by what happens to a marble in them."""

    HOLE = "it is lost"
    GOAL = "it is home"


@dataclass(frozen=True)
class Pit:
    """A round pit in the floor, with a bottom ``depth`` below it."""

    kind: PitKind
    x: float
    z: float
    depth: float


@dataclass(frozen=True)
class Mover:
    """A box of ``size`` by ``size`` that swings between two centres on a cosine."""

    start: Spot
    end: Spot
    period: float
    phase: float
    size: float = 0.9

    def position(self, time: float) -> Spot:
        """The centre at ``time`` seconds."""
        part = 0.5 - 0.5 * math.cos(2.0 * math.pi * (time / self.period + self.phase))
        return Spot(
            self.start.x + (self.end.x - self.start.x) * part, self.start.z + (self.end.z - self.start.z) * part
        )

    def velocity(self, time: float) -> Spot:
        """Velocity at ``time``, in units per second."""
        turn = 2.0 * math.pi / self.period
        rate = 0.5 * turn * math.sin(turn * time + 2.0 * math.pi * self.phase)
        return Spot((self.end.x - self.start.x) * rate, (self.end.z - self.start.z) * rate)


@dataclass(frozen=True)
class Course:
    """Everything that a marble can touch. ``walls`` come from the map; ``frame`` holds the four walls around it."""

    columns: int
    rows: int
    walls: tuple[Block, ...]
    frame: tuple[Block, ...]
    pits: tuple[Pit, ...]
    bumpers: tuple[Spot, ...]
    movers: tuple[Mover, ...]
    starts: tuple[Spot, ...]
    coins: tuple[Spot, ...]

    def cell(self, x: float, z: float) -> Cell:
        """The cell at a point of the floor; the nearest one for a point outside the map."""
        column = math.floor(x + 0.5 * self.columns)
        row = math.floor(z + 0.5 * self.rows)
        return min(max(column, 0), self.columns - 1), min(max(row, 0), self.rows - 1)

    def centre(self, cell: Cell) -> Spot:
        """The middle of ``cell``."""
        return Spot(cell[0] + 0.5 - 0.5 * self.columns, cell[1] + 0.5 - 0.5 * self.rows)


def build_course(level: Level) -> Course:
    """The course of a checked level; walls of neighbouring cells are joined by a greedy sweep."""
    columns, rows = level.columns, len(level.rows)

    def spot(cell: Cell) -> Spot:
        return Spot(cell[0] + 0.5 - 0.5 * columns, cell[1] + 0.5 - 0.5 * rows)

    def spots(tile: Tile) -> tuple[Spot, ...]:
        return tuple(spot(cell) for cell in level.cells(tile))

    def mover(settings: MoverSettings) -> Mover:
        return Mover(spot(settings.start), spot(settings.end), settings.period, settings.phase)

    holes = tuple(Pit(PitKind.HOLE, hole.x, hole.z, HOLE_DEPTH) for hole in spots(Tile.HOLE))
    goals = tuple(Pit(PitKind.GOAL, goal.x, goal.z, CUP_DEPTH) for goal in spots(Tile.GOAL))
    return Course(
        columns,
        rows,
        _join_walls(level),
        _frame(columns, rows),
        holes + goals,
        spots(Tile.BUMPER),
        tuple(mover(settings) for settings in level.settings.movers),
        spots(Tile.START),
        spots(Tile.COIN),
    )


def _join_walls(level: Level) -> tuple[Block, ...]:
    """Cover the wall cells with rectangles: each grows right from the first free cell, then down."""
    columns, rows = level.columns, len(level.rows)
    free = set(level.cells(Tile.WALL))
    blocks: list[Block] = []
    for column, row in level.cells(Tile.WALL):
        if (column, row) not in free:
            continue
        right = column + 1
        while (right, row) in free:
            right += 1
        bottom = row + 1
        while all((c, bottom) in free for c in range(column, right)):
            bottom += 1
        free -= {(c, r) for c in range(column, right) for r in range(row, bottom)}
        blocks.append(
            Block(column - 0.5 * columns, row - 0.5 * rows, right - 0.5 * columns, bottom - 0.5 * rows),
        )
    return tuple(blocks)


def _frame(columns: int, rows: int) -> tuple[Block, ...]:
    x, z, width = 0.5 * columns, 0.5 * rows, FRAME_WIDTH
    return (
        Block(-x - width, -z - width, x + width, -z),
        Block(-x - width, z, x + width, z + width),
        Block(-x - width, -z, -x, z),
        Block(x, -z, x + width, z),
    )
