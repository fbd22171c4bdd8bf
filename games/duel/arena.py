"""Arenas as data: YAML files with a map, checked, with errors that name the file and the line."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from renderwright.engine.content import Content, ContentModel, load_content
from renderwright.render.errors import AssetError

FOLDER = Path(__file__).parent / "arenas"
CELL = 3.0
"""Metres along a side of a cell of the map."""
SEATS = 4
FREE, WALL, COVER = 0, 1, 2
_SIGNS = ".#o+1234"
_LEAST_SIDE, _MOST_SIDE = 5, 40

Color = tuple[float, float, float]
Spot = tuple[float, float]
"""x and z in metres, from the middle of the arena."""
Cell = tuple[int, int]
"""Row and column of a map, with its frame."""


class Look(ContentModel):
    """Colours of an arena, linear. ``trim`` glows on walls and floor."""

    trim: Color
    zenith: Color
    horizon: Color
    moon: Color


class ArenaFile(ContentModel):
    """An arena's file: a round ends after ``seconds``, or when a tank has ``frags``. Cover takes ``cover`` hits."""

    name: str = Field(min_length=1, max_length=30)
    seconds: Annotated[float, Field(gt=0.0)]
    frags: Annotated[int, Field(ge=1)]
    cover: Annotated[int, Field(ge=1, le=8)] = 3
    look: Look
    map: str


@dataclass(frozen=True)
class Arena:
    """A checked arena. ``solid`` (rows, columns) has what is in each cell, within a frame of walls."""

    file: ArenaFile
    solid: NDArray[np.int8]
    pads: tuple[Spot, ...]
    spawns: tuple[Spot, ...]

    def centre(self, cell: Cell) -> Spot:
        """The middle of a cell."""
        rows, columns = self.solid.shape
        return (cell[1] + 0.5 - 0.5 * columns) * CELL, (cell[0] + 0.5 - 0.5 * rows) * CELL

    def cells(self, kind: int) -> list[Cell]:
        """All cells of a kind, row by row."""
        return [(int(row), int(column)) for row, column in np.argwhere(self.solid == kind)]


@dataclass
class Ground:
    """What is left of an arena in a round."""

    arena: Arena
    solid: NDArray[np.int8] = field(init=False)
    hits: dict[Cell, int] = field(init=False)
    """The hits that each cover still takes."""

    def __post_init__(self) -> None:
        self.solid = self.arena.solid.copy()
        self.hits = dict.fromkeys(self.arena.cells(COVER), self.arena.file.cover)

    def cells(self, places: NDArray[np.float64]) -> NDArray[np.intp]:
        """The rows and columns of the map (n, 2) at places (n, 2: x, z)."""
        return np.asarray(places[:, ::-1] / CELL + 0.5 * np.array(self.solid.shape), np.intp)

    def cell(self, x: float, z: float) -> Cell:
        """The cell of a place."""
        rows, columns = self.solid.shape
        return int(z / CELL + 0.5 * rows), int(x / CELL + 0.5 * columns)

    def hit(self, cell: Cell) -> int:
        """A shot hits cover. Returns the hits that it still takes; at 0 the cell is free."""
        self.hits[cell] -= 1
        if not self.hits[cell]:
            self.solid[cell] = FREE
        return self.hits[cell]

    def sees(self, a: Spot, b: Spot) -> bool:
        """Whether no wall and no cover is between two places."""
        rows, columns = self.cells(np.linspace(a, b, 24)).T
        return not self.solid[rows, columns].any()


def load_arenas(folder: Path = FOLDER) -> tuple[Arena, ...]:
    """The arenas of all ``*.yaml`` of ``folder``, in the order of their names. ``AssetError`` as ``load_arena``."""
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise AssetError(f'no arena in "{folder}"', hint="arenas are files named like 01_name.yaml")
    return tuple(load_arena(file) for file in files)


def load_arena(file: Path) -> Arena:
    """The arena of a file. Raises ``AssetError`` with file, line and column if it is not valid."""
    return _checked(load_content(file, ArenaFile, "arena"))


def _checked(content: Content[ArenaFile]) -> Arena:
    file = content.value
    lines = file.map.split()
    signs = "".join(lines)

    def refused(message: str, hint: str) -> AssetError:
        return content.error(f"map: {message}", hint, ("map",))

    if not lines or len({len(line) for line in lines}) != 1:
        raise refused("the rows differ in length", "give all rows as many signs")
    if unknown := sorted(set(signs) - set(_SIGNS)):
        raise refused(f'unknown sign "{unknown[0]}"', ". floor, # wall, o cover, + repair pad, 1 to 4 starts")
    if not all(_LEAST_SIDE <= side <= _MOST_SIDE for side in (len(lines), len(lines[0]))):
        raise refused(f"{len(lines[0])} x {len(lines)} cells", f"give {_LEAST_SIDE} to {_MOST_SIDE} a side")
    for number in range(1, SEATS + 1):
        if signs.count(str(number)) != 1:
            raise refused(f"start {number} is not there once", "each of 1 to 4 is where a tank starts")
    grid = np.array([list(line) for line in lines])
    solid = np.where(grid == "#", WALL, np.where(grid == "o", COVER, FREE)).astype(np.int8)
    arena = Arena(file, np.pad(solid, 1, constant_values=WALL), (), ())

    def spots(sign: str) -> tuple[Spot, ...]:
        return tuple(arena.centre((int(row) + 1, int(column) + 1)) for row, column in np.argwhere(grid == sign))

    return Arena(file, arena.solid, spots("+"), tuple(spots(str(number + 1))[0] for number in range(SEATS)))
