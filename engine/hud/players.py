"""HUDs of the players with a view."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.hud.fallback import FallbackFonts
from renderwright.engine.hud.font import Atlas
from renderwright.engine.hud.layout import Hud
from renderwright.engine.hud.notice import Notice
from renderwright.engine.hud.page import ImagePage
from renderwright.engine.views import View
from renderwright.render.types.resources import Extent


class PlayerHuds:
    """The HUDs in the order of players. Initially one, for a picture of ``extent`` pixels.

    They share ``fonts`` and the page of images. The ``notice`` covers the HUD of the first player.
    """

    def __init__(self, extent: Extent, fonts: FallbackFonts | None = None) -> None:
        self.page = ImagePage()
        self._fonts = fonts or FallbackFonts()
        self._huds = [Hud(*extent, None, self._fonts, self.page)]
        self._extents = [extent]
        self.notice = Notice(Hud(*extent, self.atlas, self._fonts, self.page))
        self._shown = 1

    @property
    def atlas(self) -> Atlas:
        """The glyph atlas that all HUDs share."""
        return self._huds[0].atlas

    @property
    def shown(self) -> tuple[Hud, ...]:
        """HUDs of the players with a view."""
        return tuple(self._huds[: self._shown])

    def fit(self, views: Iterable[View]) -> bool:
        """Fit the number and sizes of the HUDs to the players' views. Returns whether any changed.

        A changed HUD is empty.
        """
        extents = {view.player: view.hud_panel or view.rectangle.extent for view in views}
        shown = max(extents) + 1
        changed = shown != self._shown
        self._shown = shown
        for player, extent in extents.items():
            while len(self._huds) <= player:
                self._huds.append(Hud(*extent, self.atlas, self._fonts, self.page))
                self._extents.append((0, 0))
            if self._extents[player] != extent:
                self._extents[player] = extent
                self._huds[player].resize(*extent)
                if player == 0:
                    self.notice.resize(*extent)
                changed = True
        return changed

    def clear(self) -> None:
        """Clear all HUDs to begin a new picture."""
        self.page.begin()
        for hud in self._huds:
            hud.clear()

    def vertices(self) -> tuple[NDArray[np.float32], ...]:
        """The triangles of each visible HUD."""
        first, *others = (hud.vertices() for hud in self.shown)
        return self.notice.over(first), *others
