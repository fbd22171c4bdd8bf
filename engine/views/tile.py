"""Tiles of pictures that are too large to be rendered at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from renderwright.engine.views.crop import Crop
from renderwright.engine.views.rectangle import Rectangle
from renderwright.engine.views.view import View


@dataclass(frozen=True)
class Tile:
    """The split over ``tile``: shows the rectangle ``shown`` of each view's picture.

    ``places`` pairs each view's rectangle on the large output with the top left corner of its tile on the small render
    target. Each tile of a picture is rendered in a frame of its own, so that all tiles use the same memory.
    """

    shown: Rectangle
    places: tuple[tuple[Rectangle, tuple[int, int]], ...]
    count: ClassVar[int] = 1

    def part(self, view: View, number: int) -> View:
        """The part of the view in this tile."""
        whole, one = view.rectangle, self.shown
        (width, height), (x, y) = whole.extent, dict(self.places)[whole]
        frustum = view.frustum.part(
            one.x / width, one.y / height, (one.x + one.width) / width, (one.y + one.height) / height
        )
        place = Rectangle(x, y, *one.extent)
        return replace(view, frustum=frustum, rectangle=place, crop=Crop(one, whole), size=None)
