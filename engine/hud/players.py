"""A HUD for each player whose view is shown."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.hud.font import Atlas
from renderwright.engine.hud.layout import Hud
from renderwright.engine.views import View
from renderwright.render.types.resources import Extent


class PlayerHuds:
    """The HUDs, in order of the players; at first that of one on a picture of ``extent`` pixels."""

    def __init__(self, extent: Extent) -> None:
        self._huds = [Hud(*extent)]
        self._extents = [extent]
        self._shown = 1

    @property
    def atlas(self) -> Atlas:
        """The glyphs of them all."""
        return self._huds[0].atlas

    @property
    def shown(self) -> tuple[Hud, ...]:
        """Those of the players who have a view."""
        return tuple(self._huds[: self._shown])

    def fit(self, views: Iterable[View]) -> bool:
        """Make them as many and as large as the players' views; whether that changed anything.

        One that changed has nothing on it.
        """
        extents = {view.player: view.hud_panel or view.rectangle.extent for view in views}
        shown = max(extents) + 1
        changed = shown != self._shown
        self._shown = shown
        for player, extent in extents.items():
            while len(self._huds) <= player:
                self._huds.append(Hud(*extent, self.atlas))
                self._extents.append((0, 0))
            if self._extents[player] != extent:
                self._extents[player] = extent
                self._huds[player].resize(*extent)
                changed = True
        return changed

    def clear(self) -> None:
        """Forget all that is on them, to begin a new picture."""
        for hud in self._huds:
            hud.clear()

    def vertices(self) -> tuple[NDArray[np.float32], ...]:
        """The triangles of each that is shown."""
        return tuple(hud.vertices() for hud in self.shown)
