"""The choice of a level on the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from renderwright.engine.game import Hud, HudColor
from renderwright.games.marbles.hud_style import GOLD, GREEN, SOFT, WHITE, clock
from renderwright.games.marbles.level import Level
from renderwright.games.marbles.menu import LevelMenu

_SHADE: HudColor = (0.02, 0.02, 0.04, 0.82)
_CURSOR: HudColor = (1.0, 0.80, 0.36, 0.22)
_WIDTH, _LINE, _TOP, _BOTTOM = 560.0, 34.0, 84.0, 44.0


def draw_menu(hud: Hud, menu: LevelMenu, levels: Sequence[Level], times: Mapping[int, float]) -> None:
    """Draw the levels with the player's best ``times`` in seconds, by index; a star is for one under par.

    A picture too low for all of them shows those around the cursor.
    """
    rows = max(1, min(len(levels), int((hud.height - _TOP - _BOTTOM) / _LINE)))
    first = max(0, min(menu.cursor - rows // 2, len(levels) - rows))
    height = _TOP + _LINE * rows + _BOTTOM
    width = min(_WIDTH, hud.width)
    left, top = 0.5 * (hud.width - width), max(0.0, 0.5 * (hud.height - height))
    hud.rect(left, top, width, height, _SHADE)
    hud.text(0.5 * hud.width, top + 12.0, "Levels", 32, WHITE, "center")
    hud.text(0.5 * hud.width, top + 52.0, f"{len(times)} of {len(levels)} cleared", 16, SOFT, "center")
    for index, level in list(enumerate(levels))[first : first + rows]:
        y = top + _TOP + (index - first) * _LINE
        if index == menu.cursor:
            hud.rect(left, y, width, _LINE, _CURSOR)
        best = times.get(index)
        hud.text(left + 20.0, y + 6.0, f"{index + 1}", 19, SOFT)
        hud.text(left + 52.0, y + 6.0, level.settings.name, 19, WHITE if best is None else GREEN)
        if best is not None:
            star = "★  " if best <= level.settings.par_time else ""
            hud.text(left + width - 150.0, y + 6.0, star, 19, GOLD, "right")
        time = f"par {clock(level.settings.par_time)}" if best is None else clock(best)
        hud.text(left + width - 20.0, y + 6.0, time, 19, SOFT if best is None else WHITE, "right")
    hud.text(0.5 * hud.width, top + height - 32.0, "↑ ↓  choose     Enter  play     Tab  close", 16, SOFT, "center")
