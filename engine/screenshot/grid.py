"""How a picture is cut into tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from renderwright.engine.views import Rectangle
from renderwright.render.errors import UsageError
from renderwright.render.types.resources import Extent

ALIGNMENT = 64
"""Texels. What is rendered of a tile begins and ends at multiples of it, so that the texels of smaller textures (half
the picture's size, a quarter, ...) lie in the same places as if the whole picture were rendered."""


class GridTile(NamedTuple):
    """A tile: what is kept of it, and what is rendered, its border included. Both are parts of the picture."""

    kept: Rectangle
    rendered: Rectangle


@dataclass(frozen=True)
class TileGrid:
    """``columns`` x ``rows`` tiles of a picture, with a border of so many texels to be rendered around each.

    ``UsageError`` for less than one tile either way, more tiles than texels, or a negative border.
    """

    picture: Extent
    columns: int
    rows: int
    border: int = 0

    def __post_init__(self) -> None:
        width, height = self.picture
        if not (1 <= self.columns <= width and 1 <= self.rows <= height):
            raise UsageError(
                f"a picture of {width} x {height} cannot be cut into {self.columns} x {self.rows} tiles",
                hint="give at least one tile and at most one a texel each way",
            )
        if self.border < 0:
            raise UsageError(f"a tile's border cannot be {self.border} texels", hint="give 0 or more")

    def lines(self, needs: Callable[[Rectangle], Rectangle] = lambda kept: kept) -> Iterator[tuple[GridTile, ...]]:
        """The tiles of each line from the top, from left to right.

        ``needs`` says what has to be rendered, without the border, so that a rectangle of the picture can be kept.
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
        """A size of the picture's shape, no larger than the picture nor than ``most``."""
        share = min(1.0, *(limit / side for limit, side in zip(most, self.picture, strict=True)))
        width, height = (max(1, round(side * share)) for side in self.picture)
        return width, height

    def _grown(self, begin: int, end: int, length: int) -> tuple[int, int]:
        """With the border, and on to multiples of the alignment, as far as the picture goes."""
        outer = max(0, begin - self.border) // ALIGNMENT * ALIGNMENT
        return outer, min(length, -(-(end + self.border) // ALIGNMENT) * ALIGNMENT)


def _span(length: int, parts: int, number: int) -> tuple[int, int]:
    """Begin and end of a part of a length that is divided as evenly as it goes."""
    return length * number // parts, length * (number + 1) // parts
