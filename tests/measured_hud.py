"""A HUD that knows where its texts are."""

from __future__ import annotations

from itertools import combinations

from renderwright.engine.game import HudColor
from renderwright.engine.hud import Hud

Box = tuple[float, float, float, float]


class Measured(Hud):
    """A HUD that knows where each of its texts is: left, top, right and bottom in units."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.texts: list[tuple[str, Box]] = []

    def text(
        self,
        x: float,
        y: float,
        string: str,
        size: float = 18,
        color: HudColor = (1.0, 1.0, 1.0, 1.0),
        align: str = "left",
        *,
        shadow: bool = True,
    ) -> None:
        alone = Hud(self._pixel_width, self._pixel_height)
        alone.text(x, y, string, size, color, align, shadow=False)  # type: ignore[arg-type]
        corners = alone.vertices()[:, :2]
        if len(corners):
            (left, top), (right, bottom) = corners.min(axis=0) / self.scale, corners.max(axis=0) / self.scale
            self.texts.append((string, (float(left), float(top), float(right), float(bottom))))


def assert_apart(hud: Measured) -> None:
    for string, (left, top, right, bottom) in hud.texts:
        assert left >= 0.0, string
        assert right <= hud.width, string
        assert top >= 0.0, string
        assert bottom <= hud.height, string
    for (one, a), (other, b) in combinations(hud.texts, 2):
        beside = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert beside, f"{one!r} and {other!r}"
