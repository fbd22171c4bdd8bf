"""Parts of pictures that are too large to be rendered at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from renderwright.engine.views.crop import Crop
from renderwright.engine.views.rectangle import Rectangle
from renderwright.engine.views.view import View


@dataclass(frozen=True)
class Tile:
    """Shows one rectangle of each view's picture, ``shown``: a split over ``tile``.

    ``places`` say where: rectangles that views have on the large output, each with the top left corner of the part on
    the small one that is rendered to. Rectangles of one picture are rendered in frames of their own, so that one after
    another has the same memory.
    """

    shown: Rectangle
    places: tuple[tuple[Rectangle, tuple[int, int]], ...]
    count: ClassVar[int] = 1

    def part(self, view: View, number: int) -> View:
        """The view's part of the tile."""
        whole, one = view.rectangle, self.shown
        (width, height), (x, y) = whole.extent, dict(self.places)[whole]
        frustum = view.frustum.part(
            one.x / width, one.y / height, (one.x + one.width) / width, (one.y + one.height) / height
        )
        place = Rectangle(x, y, *one.extent)
        return replace(view, frustum=frustum, rectangle=place, crop=Crop(one, whole), size=None)
