"""Where the texels that an eye's display shows lie in its picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from renderwright.engine.views import Frustum, Rectangle
from renderwright.plugins.vr.headset import Lens
from renderwright.render import Extent

POINTS = 65
"""Of a part each way that are followed to where they come from; between them a lens is smooth."""
MARGIN = 2
"""Texels: what is filtered reads the next one, and what lies between the points may lie a little farther out."""


@dataclass(frozen=True)
class LensBend:
    """What ``vr/lens`` does to an eye's picture, ``frustum``: a ``Bend``."""

    lens: Lens
    frustum: Frustum

    def needs(self, part: Rectangle, whole: Extent) -> Rectangle:
        """Where the texels of a part of the display come from."""
        one = self.frustum
        size = np.array([one.left + one.right, one.down + one.up])
        corner = np.array([one.left, one.up])
        columns = np.linspace(part.x, part.x + part.width, POINTS) / whole[0]
        rows = np.linspace(part.y, part.y + part.height, POINTS) / whole[1]
        # Tangents to the right and down.
        tangents = np.stack(np.meshgrid(columns, rows), axis=-1) * size - corner
        square = (tangents**2).sum(axis=-1, keepdims=True)
        seen = tangents * self.lens.reach(one) * (1.0 + square * (self.lens.k1 + square * self.lens.k2))
        colors = np.stack([seen * share for share in (1.0 - self.lens.spread, 1.0, 1.0 + self.lens.spread)])
        places = (colors + corner) / size * np.array(whole)
        least = np.clip(np.floor(places.min(axis=(0, 1, 2))) - MARGIN, 0, np.array(whole) - 1)
        most = np.clip(np.ceil(places.max(axis=(0, 1, 2))) + MARGIN, least + 1, whole)
        (x, y), (right, bottom) = (tuple(int(side) for side in end) for end in (least, most))
        return Rectangle(x, y, right - x, bottom - y)
