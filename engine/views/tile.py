"""A part of a picture that is too large to be rendered at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from engine.views.rectangle import Rectangle
from engine.views.view import View
from render.errors import UsageError
from render.graph.resources import Extent


@dataclass(frozen=True)
class Tile:
    """Shows one rectangle of a picture, on an output that is as large as the rectangle: a split over ``tile``.

    Rectangles of one picture are rendered in frames of their own, so that one after another has the same memory.
    """

    picture: Extent
    rectangle: Rectangle
    count: ClassVar[int] = 1

    def part(self, view: View, number: int) -> View:
        """The view's part of the tile; ``UsageError`` unless the view is the whole picture."""
        if view.rectangle != Rectangle.of(self.picture):
            raise UsageError(
                "a picture can only be rendered by tiles if one view fills it",
                hint="leave --tiles out, or show one player only and no stereo",
            )
        (width, height), one = self.picture, self.rectangle
        frustum = view.frustum.part(
            one.x / width, one.y / height, (one.x + one.width) / width, (one.y + one.height) / height
        )
        return replace(view, frustum=frustum, rectangle=Rectangle.of(one.extent), crop=one)
