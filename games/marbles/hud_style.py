"""What the HUDs share: colours, the bar at the top, times in words, panels and banners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.engine.game import Hud, HudColor
from renderwright.engine.hud.fitting import fitting

WHITE: HudColor = (1.0, 1.0, 1.0, 1.0)
SOFT: HudColor = (0.86, 0.86, 0.82, 1.0)
GOLD: HudColor = (1.0, 0.80, 0.36, 1.0)
GREEN: HudColor = (0.45, 1.0, 0.62, 1.0)
RED: HudColor = (1.0, 0.42, 0.36, 1.0)
PANEL: HudColor = (0.03, 0.03, 0.05, 0.55)
EDGE = 16.0
BAR_HEIGHT = 66.0
"""Height of the bar at the top, in HUD units."""
_LINE = 32.0
"""Of a banner."""


def clock(seconds: float) -> str:
    """``1:05.2`` for 65.25 seconds."""
    tenths = int(seconds * 10.0)
    return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"


@dataclass(frozen=True)
class Banner:
    """A title and lines across the middle of the picture."""

    title: str
    color: HudColor
    lines: Sequence[str]


def draw_panel(hud: Hud, lines: Sequence[str], banner: Banner | None) -> None:
    """Draw lines in the bottom left corner, unless a banner needs the place."""
    line, width = 26.0, 420.0
    height = line * len(lines) + 20.0
    top = hud.height - height - EDGE
    if banner is not None and top < 0.5 * (hud.height + _height(banner)):
        return
    hud.rect(EDGE, top, width, height, PANEL)
    for number, text in enumerate(lines):
        hud.text(EDGE + 14.0, top + 10.0 + number * line, text, 17, WHITE)


def draw_banner(hud: Hud, banner: Banner) -> None:
    """Draw a banner."""
    height, room = _height(banner), hud.width - 2.0 * EDGE
    top = 0.5 * (hud.height - height)
    hud.rect(0.0, top, hud.width, height, (0.02, 0.02, 0.04, 0.68))
    middle = 0.5 * hud.width
    hud.text(middle, top + 16.0, banner.title, fitting(50.0, banner.title, room), banner.color, "center")
    for number, text in enumerate(banner.lines):
        hud.text(middle, top + 88.0 + number * _LINE, text, fitting(21.0, text, room), WHITE, "center")


def _height(banner: Banner) -> float:
    return 96.0 + _LINE * len(banner.lines)
