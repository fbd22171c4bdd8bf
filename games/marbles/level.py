"""A level: its settings and its map of one character per cell.

The map is read from the viewer's side: the first row is the far edge of the board, columns go right. A wooden frame
closes the board, so a map needs no border of walls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from pydantic import Field

from renderwright.engine.content import ContentModel

Cell = tuple[int, int]
"""(column, row), both from 0."""


class Tile(Enum):
    """Contents of a map cell. The value is the map's character."""

    FLOOR = "."
    WALL = "#"
    HOLE = "O"
    GOAL = "G"
    START = "S"
    COIN = "*"
    BUMPER = "B"


_SOLID_OR_DEADLY = frozenset({Tile.WALL, Tile.HOLE, Tile.BUMPER})
MIN_CELLS = 4
MAX_CELLS = 20


class MapError(ValueError):
    """An invalid map. ``cell`` is the offending cell, or None for the map as a whole."""

    def __init__(self, message: str, hint: str, cell: Cell | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.cell = cell


class MoverSettings(ContentModel):
    """A block of one cell that slides back and forth between two cells of a row or column."""

    start: Cell
    end: Cell
    period: float = Field(default=4.0, ge=1.0, le=60.0, description="seconds of one cycle")
    phase: float = Field(default=0.0, ge=0.0, lt=1.0, description="phase at the start, as a share of the period")

    def cells(self) -> tuple[Cell, ...]:
        """Every cell that the block passes over."""
        (c0, r0), (c1, r1) = self.start, self.end
        columns = range(min(c0, c1), max(c0, c1) + 1)
        rows = range(min(r0, r1), max(r0, r1) + 1)
        return tuple((column, row) for row in rows for column in columns)


class Finish(Enum):
    """What the marbles of a level are made of."""

    GLASS = "glass"
    STEEL = "steel"


class LevelSettings(ContentModel):
    """The content of a level file."""

    name: str = Field(min_length=1, max_length=40)
    hint: str = Field(default="", max_length=90)
    lives: int = Field(default=3, ge=1, le=9, description="marbles that may fall before the level is lost")
    par_time: float = Field(gt=0.0, le=600.0, description="seconds; each second under it adds to the score")
    time_limit: float = Field(gt=0.0, le=900.0, description="seconds until the level is lost")
    marbles: Finish = Field(default=Finish.GLASS, description="steel mirrors the board, by a probe")
    movers: tuple[MoverSettings, ...] = ()
    map: str = Field(min_length=1)


@dataclass(frozen=True)
class Level:
    """A checked level: ``rows[row][column]`` are its tiles."""

    settings: LevelSettings
    rows: tuple[tuple[Tile, ...], ...]

    @property
    def columns(self) -> int:
        """Cells from left to right."""
        return len(self.rows[0])

    def tile(self, cell: Cell) -> Tile:
        """The tile at ``cell``."""
        return self.rows[cell[1]][cell[0]]

    def cells(self, tile: Tile) -> tuple[Cell, ...]:
        """The cells that hold ``tile``, in reading order."""
        return tuple(cell for cell, found in _walk(self.rows) if found is tile)


def build_level(settings: LevelSettings) -> Level:
    """Read the map of ``settings`` and check it.

    Raises ``MapError`` if a character is unknown, rows differ in length, starts or goals are missing, a start cannot
    reach a goal of its own, or the path of a mover is not plain floor.
    """
    rows = _read_rows(settings.map)
    level = Level(settings, rows)
    _check_reach(level)
    for mover in settings.movers:
        _check_mover(level, mover)
    return level


def reachable(level: Level, start: Cell) -> frozenset[Cell]:
    """Cells reachable from ``start`` without crossing a wall, a hole or a bumper (flood fill)."""
    seen = {start}
    edge = [start]
    while edge:
        column, row = edge.pop()
        for cell in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
            inside = 0 <= cell[0] < level.columns and 0 <= cell[1] < len(level.rows)
            if inside and cell not in seen and level.tile(cell) not in _SOLID_OR_DEADLY:
                seen.add(cell)
                edge.append(cell)
    return frozenset(seen)


def _walk(rows: tuple[tuple[Tile, ...], ...]) -> Iterator[tuple[Cell, Tile]]:
    for row, tiles in enumerate(rows):
        for column, tile in enumerate(tiles):
            yield (column, row), tile


def _read_rows(text: str) -> tuple[tuple[Tile, ...], ...]:
    known = {tile.value: tile for tile in Tile}
    legend = ", ".join(f"{tile.value} {tile.name.lower()}" for tile in Tile)
    rows: list[tuple[Tile, ...]] = []
    for row, line in enumerate(text.rstrip("\n").split("\n")):
        for column, character in enumerate(line):
            if character not in known:
                raise MapError(f"the map has no tile {character!r}", f"tiles: {legend}", (column, row))
        if rows and len(line) != len(rows[0]):
            message = f"row {row + 1} of the map has {len(line)} cells, the rows above have {len(rows[0])}"
            raise MapError(message, "make all rows equally long; floor is '.'", (min(len(line), len(rows[0])), row))
        rows.append(tuple(known[character] for character in line))
    if not (MIN_CELLS <= len(rows) <= MAX_CELLS and MIN_CELLS <= len(rows[0]) <= MAX_CELLS):
        message = f"the map has {len(rows[0])} x {len(rows)} cells"
        raise MapError(message, f"use {MIN_CELLS} to {MAX_CELLS} cells each way")
    return tuple(rows)


def _check_reach(level: Level) -> None:
    starts = level.cells(Tile.START)
    if not starts:
        raise MapError("the map has no marble", "put an S where a marble starts")
    for start in starts:
        region = reachable(level, start)
        goals = sum(cell in region for cell in level.cells(Tile.GOAL))
        marbles = sum(cell in region for cell in starts)
        if goals < marbles:
            message = f"{marbles} marbles in this region, but only {goals} reachable goals"
            raise MapError(
                message, "give each marble a goal G that it can reach around walls, holes and bumpers", start
            )


def _check_mover(level: Level, mover: MoverSettings) -> None:
    name = f"the mover from {list(mover.start)} to {list(mover.end)}"
    if (mover.start[0] != mover.end[0]) == (mover.start[1] != mover.end[1]):
        raise MapError(f"{name} does not run along a row or a column", "change only one of [column, row]")
    for column, row in mover.cells():
        if not (0 <= column < level.columns and 0 <= row < len(level.rows)):
            raise MapError(f"{name} leaves the map", f"the map has {level.columns} x {len(level.rows)} cells")
        tile = level.tile((column, row))
        if tile is not Tile.FLOOR:
            raise MapError(f"{name} runs over a {tile.name.lower()}", "movers need plain floor '.'", (column, row))
