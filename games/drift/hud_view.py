"""The HUD of a player: score, ships left, wave, and what to press."""

from __future__ import annotations

from renderwright.engine.game import Hud, HudColor
from renderwright.engine.hud.fitting import fitting
from renderwright.engine.scene import Image
from renderwright.games.drift.controls import KEY_NAMES
from renderwright.games.drift.match import Match
from renderwright.games.drift.pixels import cell

WHITE: HudColor = (0.93, 0.97, 1.0, 1.0)
SOFT: HudColor = (0.62, 0.74, 0.86, 0.9)
GOLD: HudColor = (1.0, 0.78, 0.42, 1.0)
COLORS: tuple[HudColor, ...] = ((0.45, 0.9, 1.0, 1.0), (1.0, 0.5, 0.8, 1.0))
"""Of each player."""
_PANEL: HudColor = (0.01, 0.01, 0.05, 0.5)
_EDGE = 26.0
_MOST_ICONS = 8


def draw_title(hud: Hud, best: int, players: int) -> None:
    """What is over the title."""
    middle, low = 0.5 * hud.width, hud.height
    if best:
        hud.text(middle, 0.3 * low, f"Best {best:,}", 22, GOLD, "center")
    hud.text(middle, low - 148.0, "Press Space or A", 30, WHITE, "center")
    keys = KEY_NAMES[:players] if players > 1 else ("← → or A D  turn      ↑ or W  thrust      Space  fire",)
    for number, line in enumerate((*keys, "Pad: left stick, right trigger, A   P  pause   Esc  quit")):
        hud.text(middle, low - 98.0 + 28.0 * number, line, fitting(17.0, line, hud.width - _EDGE), SOFT, "center")


def draw_match(hud: Hud, match: Match, player: int, sheet: Image, *, best: int, paused: bool) -> None:
    """The score of a player, and what is going on."""
    ship = match.ships[player]
    hud.text(_EDGE, 16.0, f"{ship.score:,}", 40, COLORS[player])
    for number in range(min(ship.lives, _MOST_ICONS)):
        hud.image(_EDGE + 34.0 * number, 66.0, sheet, w=30.0, color=COLORS[player], part=cell("ship"))
    right = hud.width - _EDGE
    hud.text(right, 16.0, f"Wave {max(match.wave_number, 0) + 1}", 26, WHITE, "right")
    if len(match.ships) > 1:
        hud.text(right, 50.0, f"Together {match.score:,}", 18, SOFT, "right")
    elif best:
        hud.text(right, 50.0, f"Best {best:,}", 18, SOFT, "right")
    if match.over:
        new = "a new best!" if match.score >= best else f"best {best:,}"
        line = f"{match.score:,} points until wave {max(match.wave_number, 0) + 1}, {new}"
        _banner(hud, "Game over", line, "Space or A: again")
    elif paused:
        _banner(hud, "Paused", "P  go on", "Esc  quit")
    elif not len(match.rocks):
        number = match.wave_number + 1
        _banner(hud, match.waves[number % len(match.waves)].name, f"Wave {number + 1}", "")


def _banner(hud: Hud, title: str, line: str, below: str) -> None:
    middle, top = 0.5 * hud.width, 0.26 * hud.height
    hud.rect(0.0, top - 12.0, hud.width, 164.0 if below else 130.0, _PANEL)
    room = hud.width - _EDGE
    hud.text(middle, top, title, fitting(58.0, title, room), WHITE, "center")
    hud.text(middle, top + 76.0, line, fitting(24.0, line, room), GOLD, "center")
    hud.text(middle, top + 114.0, below, 20, SOFT, "center")
