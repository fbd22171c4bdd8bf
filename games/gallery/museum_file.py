"""The museum as data: a YAML file with rooms and what is in them, checked, with errors that name file and line."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from renderwright.engine.content import ContentModel, load_content
from renderwright.engine.scene.shape_content import Shape, Vec3
from renderwright.render.suggest import did_you_mean

FOLDER = Path(__file__).parent
COMPUTED = frozenset({"figure", "serpent", "breath", "vase", "palm", "bush", "ring", "plinth"})
"""Kinds of exhibits of which ``exhibits.py`` makes a part; others are what ``props.yaml`` says."""

Color = tuple[float, float, float]
Spot = tuple[float, float]
"""x and z."""
Value = bool | int | float | str
Positive = Annotated[float, Field(gt=0.0)]
Walls = Literal["stone", "teal", "chalk", "wine", "night", "clay"]
Floors = Literal["marble", "slate", "parquet"]


class Sun(ContentModel):
    """The light from outside."""

    direction: tuple[float, float, float]
    color: Color
    intensity: Positive


class Stand(ContentModel):
    """A place to stand, and where to look."""

    at: Spot
    turn: float = 0.0


class Room(ContentModel):
    """A room between the corners ``low`` and ``high``, with spot lights of so much power in the ceiling.

    A ``skylight`` (west, north, east, south) is an opening in the ceiling.
    """

    name: str
    low: Spot
    high: Spot
    height: Positive
    wall: Walls
    floor: Floors
    skylight: tuple[float, float, float, float] | None = None
    lamps: tuple[Spot, ...] = ()
    light: Color = (1.0, 1.0, 1.0)
    power: float = Field(10.0, ge=0.0)

    @model_validator(mode="after")
    def _has_space(self) -> Room:
        if not (self.low[0] < self.high[0] and self.low[1] < self.high[1]):
            raise ValueError("low has to be north-west of high")
        return self


class Door(ContentModel):
    """A gap between two rooms, in walls at a fixed x or z."""

    at: Spot
    wall: Literal["x", "z"]
    width: Positive = 2.4
    height: Positive = 2.9


class Exhibit(ContentModel):
    """Something to see at a place, ``high`` metres above the floor, turned. Nobody walks into its ``radius``."""

    kind: str
    at: Spot
    high: float = 0.0
    turn: float = 0.0
    radius: float = Field(0.55, ge=0.0)
    size: Positive = 1.0
    color: Color = (0.8, 0.8, 0.8)
    clip: str = ""
    spot: bool = False


class Piece(ContentModel):
    """A part of an exhibit, of one material of ``looks.yaml``; it turns by ``spin`` radians a second."""

    material: str
    at: Vec3 = (0.0, 0.0, 0.0)
    spin: float = 0.0
    shapes: Annotated[tuple[Shape, ...], Field(min_length=1)]


class Painting(ContentModel):
    """A picture on a wall, that its numbers make, and its size in metres."""

    at: Spot
    turn: float
    size: tuple[Positive, Positive]
    seed: int = 0
    high: float = 1.75


class Station(ContentModel):
    """A board beside which a visitor changes an effect: a plugin, and up to three settings with the values to choose.

    ``on`` says whether the effect is on at first; settings begin with their first value.
    """

    plugin: str
    title: str
    about: str
    at: Spot
    turn: float
    on: bool = False
    settings: dict[str, Annotated[tuple[Value, ...], Field(min_length=2)]] = Field(default_factory=dict, max_length=3)


class Mirror(ContentModel):
    """A mirror on a wall, drawn anew every so many frames."""

    at: Spot
    turn: float
    size: tuple[Positive, Positive]
    high: float = 1.6
    every: int = Field(2, ge=1, le=60)


class Museum(ContentModel):
    """All of it."""

    sun: Sun
    start: Stand
    rooms: tuple[Room, ...] = Field(min_length=1, max_length=8)
    doors: tuple[Door, ...]
    exhibits: tuple[Exhibit, ...] = ()
    paintings: tuple[Painting, ...] = ()
    stations: tuple[Station, ...] = ()
    mirrors: tuple[Mirror, ...] = ()

    def room_at(self, x: float, z: float) -> Room | None:
        """The room around a place."""
        inside = (room for room in self.rooms if room.low[0] <= x <= room.high[0] and room.low[1] <= z <= room.high[1])
        return next(inside, None)


def load_museum(props: Collection[str], file: Path = FOLDER / "museum.yaml") -> Museum:
    """Load a museum of computed exhibits and ``props``. Raises ``AssetError`` with file, line and column."""
    content, kinds = load_content(file, Museum, "museum"), {*COMPUTED, *props}
    for number, exhibit in enumerate(content.value.exhibits):
        if exhibit.kind not in kinds:
            place = ("exhibits", number, "kind")
            raise content.error(f'unknown kind of exhibit "{exhibit.kind}"', did_you_mean(exhibit.kind, kinds), place)
    return content.value


def load_props(materials: Collection[str], file: Path = FOLDER / "props.yaml") -> dict[str, tuple[Piece, ...]]:
    """Load the pieces of exhibits, which are of these materials. Raises ``AssetError`` with file, line and column."""
    content = load_content(file, dict[str, tuple[Piece, ...]], "file of props")
    for name, pieces in content.value.items():
        for number, piece in enumerate(pieces):
            if piece.material not in materials:
                hint = did_you_mean(piece.material, materials)
                raise content.error(f'unknown material "{piece.material}"', hint, (name, number, "material"))
    return content.value
