"""Bounds of the texels that the lens distortion reads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from renderwright.engine.views import Frustum, Rectangle
from renderwright.plugins.vr.headset import Lens
from renderwright.render import Extent

POINTS = 65
"""Sample points along each side of a part. The distortion is smooth between them."""
MARGIN = 2
"""Texels added on each side: for bilinear filtering, and for the distortion between sample points."""


@dataclass(frozen=True)
class LensBend:
    """The ``Bend`` of the node ``vr/lens`` for an eye's picture with the given frustum."""

    lens: Lens
    frustum: Frustum

    def needs(self, part: Rectangle, whole: Extent) -> Rectangle:
        """The rectangle of the picture that a part of the display reads."""
        one = self.frustum
        size = np.array([one.left + one.right, one.down + one.up])
        corner = np.array([one.left, one.up])
        columns = np.linspace(part.x, part.x + part.width, POINTS) / whole[0]
        rows = np.linspace(part.y, part.y + part.height, POINTS) / whole[1]
        # View angles as tangents, right and down positive.
        tangents = np.stack(np.meshgrid(columns, rows), axis=-1) * size - corner
        square = (tangents**2).sum(axis=-1, keepdims=True)
        seen = tangents * self.lens.reach(one) * (1.0 + square * (self.lens.k1 + square * self.lens.k2))
        colors = np.stack([seen * share for share in (1.0 - self.lens.spread, 1.0, 1.0 + self.lens.spread)])
        places = (colors + corner) / size * np.array(whole)
        least = np.clip(np.floor(places.min(axis=(0, 1, 2))) - MARGIN, 0, np.array(whole) - 1)
        most = np.clip(np.ceil(places.max(axis=(0, 1, 2))) + MARGIN, least + 1, whole)
        (x, y), (right, bottom) = (tuple(int(side) for side in end) for end in (least, most))
        return Rectangle(x, y, right - x, bottom - y)
