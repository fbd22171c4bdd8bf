"""What a view shows of a picture that is rendered in parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from renderwright.engine.views.rectangle import Rectangle
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class Crop:
    """``part`` is what is shown, in texels from the top left corner of the view's picture.

    ``whole`` is the rectangle of the large output that all of the view's picture fills there.
    """

    part: Rectangle
    whole: Rectangle


class Bend(Protocol):
    """Moves the texels of a view's picture at last, as one does who makes up for a lens. Implementations are frozen."""

    def needs(self, part: Rectangle, whole: Extent) -> Rectangle:
        """Where the texels come from that end up in a part of a picture of the size ``whole``.

        A rectangle of that picture, in texels.
        """
