"""Parts of a view's picture: crops of large pictures, and distortion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from renderwright.engine.views.rectangle import Rectangle
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class Crop:
    """A part of a view's picture that is rendered in several parts.

    ``part`` is in texels from the top left corner of the view's picture. ``whole`` is the rectangle of the large output
    that the complete picture fills.
    """

    part: Rectangle
    whole: Rectangle


class Bend(Protocol):
    """A final distortion of a view's picture, such as a lens correction. Implementations are frozen."""

    def needs(self, part: Rectangle, whole: Extent) -> Rectangle:
        """The source rectangle, in texels, that a part of a picture of the size ``whole`` reads."""
