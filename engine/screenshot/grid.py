"""Division of a picture into tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from renderwright.engine.views import Rectangle
from renderwright.render.errors import UsageError
from renderwright.render.types.resources import Extent

ALIGNMENT = 64
"""Alignment of the rendered part of a tile, in texels. It makes texels of smaller textures (half the picture's size, a
quarter, ...) coincide with those of the whole picture."""


class GridTile(NamedTuple):
    """A tile: the rectangle that is kept, and the rendered rectangle with its border. Both are within the picture."""

    kept: Rectangle
    rendered: Rectangle


@dataclass(frozen=True)
class TileGrid:
    """``columns`` x ``rows`` tiles of a picture, each rendered with a border of ``border`` texels.

    Raises ``UsageError`` for less than one column or row, more tiles than texels, or a negative border.
    """

    picture: Extent
    columns: int
    rows: int
    border: int = 0

    def __post_init__(self) -> None:
        width, height = self.picture
        if not (1 <= self.columns <= width and 1 <= self.rows <= height):
            raise UsageError(
                f"a picture of {width} x {height} cannot be divided into {self.columns} x {self.rows} tiles",
                hint="give at least one tile and at most one per texel in each direction",
            )
        if self.border < 0:
            raise UsageError(f"a tile's border cannot be {self.border} texels", hint="give 0 or more")

    def lines(self, needs: Callable[[Rectangle], Rectangle] = lambda kept: kept) -> Iterator[tuple[GridTile, ...]]:
        """The tiles of each line from the top, from left to right.

        ``needs`` returns the rectangle to render, without the border, for a kept rectangle of the picture.
        """
        width, height = self.picture
        for row in range(self.rows):
            top, bottom = _span(height, self.rows, row)
            tiles = []
            for column in range(self.columns):
                left, right = _span(width, self.columns, column)
                kept = Rectangle(left, top, right - left, bottom - top)
                needed = needs(kept)
                x, outer_right = self._grown(needed.x, needed.x + needed.width, width)
                y, outer_bottom = self._grown(needed.y, needed.y + needed.height, height)
                tiles.append(GridTile(kept, Rectangle(x, y, outer_right - x, outer_bottom - y)))
            yield tuple(tiles)

    def preview(self, most: Extent) -> Extent:
        """A size with the picture's aspect ratio, within the picture's size and ``most``."""
        share = min(1.0, *(limit / side for limit, side in zip(most, self.picture, strict=True)))
        width, height = (max(1, round(side * share)) for side in self.picture)
        return width, height

    def _grown(self, begin: int, end: int, length: int) -> tuple[int, int]:
        """The range extended by the border and to multiples of the alignment, clamped to the picture."""
        outer = max(0, begin - self.border) // ALIGNMENT * ALIGNMENT
        return outer, min(length, -(-(end + self.border) // ALIGNMENT) * ALIGNMENT)


def _span(length: int, parts: int, number: int) -> tuple[int, int]:
    """Begin and end of part ``number`` of a length divided as evenly as possible."""
    return length * number // parts, length * (number + 1) // parts
