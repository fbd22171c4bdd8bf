"""A part of the output."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class Rectangle:
    """In texels of the output, from its top left corner."""

    x: int
    y: int
    width: int
    height: int

    @classmethod
    def of(cls, extent: Extent) -> Rectangle:
        """All of an output."""
        return cls(0, 0, *extent)

    @property
    def extent(self) -> Extent:
        """Width and height."""
        return self.width, self.height

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.width / self.height

    def within(self, extent: Extent) -> bool:
        """Whether it has texels, and all of them lie on an output of that size."""
        width, height = extent
        inside = self.x >= 0 and self.y >= 0 and self.x + self.width <= width and self.y + self.height <= height
        return inside and self.width > 0 and self.height > 0
