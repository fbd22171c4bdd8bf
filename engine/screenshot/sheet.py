"""Sheets: the same tile of several views on one render target."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.screenshot.grid import GridTile
from renderwright.engine.views import Bend, Rectangle, Tile, ViewSet
from renderwright.render.errors import UsageError
from renderwright.render.types.resources import Extent


class SheetTexels(NamedTuple):
    """The kept texels of a tile for each view, uint8 (height, width, 3), and the colour between the views."""

    views: tuple[NDArray[np.uint8], ...]
    background: NDArray[np.uint8]


@dataclass(frozen=True)
class Sheet:
    """Layout of the tiles of several views on the render target.

    ``wholes`` are the views' rectangles on the large picture, all of one size; ``bends`` are their final distortions.
    An additional row of texels below the tiles shows the colour between the views. A view that fills the whole picture
    needs no such row.
    """

    picture: Extent
    wholes: tuple[Rectangle, ...]
    bends: tuple[Bend, ...] = ()

    @classmethod
    def of(cls, views: ViewSet) -> Sheet:
        """The sheet for the views of a large picture. Raises ``UsageError`` if their sizes differ."""
        parts = [view for _, view in views.instances()]
        wholes = tuple(dict.fromkeys(view.rectangle for view in parts))
        if len({one.extent for one in wholes}) > 1:
            sizes = ", ".join(dict.fromkeys(f"{one.width} x {one.height}" for one in wholes))
            raise UsageError(
                f"views of several sizes cannot be rendered in tiles: {sizes}",
                hint="omit --tiles, or have the plugin that arranges the views give them one size",
            )
        bends = tuple(dict.fromkeys(view.bend for view in parts if view.bend is not None))
        return cls(views.output, wholes, bends)

    @property
    def extent(self) -> Extent:
        """Size of a view's whole picture."""
        return self.wholes[0].extent

    def needs(self, part: Rectangle) -> Rectangle:
        """The rectangle of each view's picture to render, so that ``part`` can be shown of all of them."""
        parts = [part, *(bend.needs(part, self.extent) for bend in self.bends)]
        left, top = min(one.x for one in parts), min(one.y for one in parts)
        right, bottom = max(one.x + one.width for one in parts), max(one.y + one.height for one in parts)
        return Rectangle(left, top, right - left, bottom - top)

    def tile(self, rendered: Rectangle) -> Tile:
        """The split that shows a part of each view."""
        columns = self._columns(rendered.extent)
        corners = (
            (number % columns * rendered.width, number // columns * rendered.height)
            for number in range(len(self.wholes))
        )
        return Tile(rendered, tuple(zip(self.wholes, corners, strict=True)))

    def target(self, rendered: Rectangle) -> Extent:
        """Size of the render target for a part of each view."""
        columns = self._columns(rendered.extent)
        rows = -(-len(self.wholes) // columns)
        return columns * rendered.width, rows * rendered.height + self._bare

    def texels(self, tile: GridTile, shown: NDArray[np.uint8]) -> SheetTexels:
        """The texels of a tile. ``shown`` is the content of the target, uint8 (height, width, 3)."""
        kept, rendered = tile
        views = []
        for _, (x, y) in self.tile(rendered).places:
            left, top = x + kept.x - rendered.x, y + kept.y - rendered.y
            views.append(shown[top : top + kept.height, left : left + kept.width])
        return SheetTexels(tuple(views), shown[-1, 0])

    @cached_property
    def _bare(self) -> bool:
        return self.wholes != (Rectangle.of(self.picture),)

    def _columns(self, extent: Extent) -> int:
        """The number of columns that minimises the longer side of the target."""
        width, height = extent
        count = len(self.wholes)
        return min(range(1, count + 1), key=lambda columns: max(columns * width, -(-count // columns) * height))
