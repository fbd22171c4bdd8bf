"""Rectangles of the output."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class Rectangle:
    """A rectangle in texels of the output, from its top left corner."""

    x: int
    y: int
    width: int
    height: int

    @classmethod
    def of(cls, extent: Extent) -> Rectangle:
        """The rectangle of a whole output."""
        return cls(0, 0, *extent)

    @property
    def extent(self) -> Extent:
        """Width and height."""
        return self.width, self.height

    @property
    def aspect(self) -> float:
        """Aspect ratio, width / height."""
        return self.width / self.height

    def within(self, extent: Extent) -> bool:
        """Whether it is not empty and within an output of that size."""
        width, height = extent
        inside = self.x >= 0 and self.y >= 0 and self.x + self.width <= width and self.y + self.height <= height
        return inside and self.width > 0 and self.height > 0
