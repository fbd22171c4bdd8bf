"""The HUD of one player: level, lives, homes, score, times, help, and the banners between levels."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from renderwright.engine.game import Hud, HudColor
from renderwright.games.marbles.hud_style import (
    BAR_HEIGHT,
    EDGE,
    GOLD,
    GREEN,
    PANEL,
    RED,
    SOFT,
    WHITE,
    Banner,
    clock,
    draw_banner,
    draw_panel,
)
from renderwright.games.marbles.rounds import Phase
from renderwright.games.marbles.rules import Rules

_HINT_SECONDS = 8.0
_DASH, _GAP = 14.0, 4.0
_MISSING: HudColor = (1.0, 1.0, 1.0, 0.22)
_HURRY_SECONDS = 10.0

_HELP = (
    "Tilt   ← ↑ ↓ →   or   W A S D   or   left stick",
    "R  restart level",
    "N  next level     Tab or a digit  choose a level",
    "G  ghost of the best run",
    "P  pause",
    "H  hide or show this help",
    "Esc  quit",
)


@dataclass(frozen=True)
class HudOptions:
    """Toggles of the player."""

    help: bool = False
    paused: bool = False


def draw_hud(hud: Hud, rules: Rules, times: Mapping[int, float], options: HudOptions) -> None:
    """Draw the HUD for the state of ``rules``. ``times`` are the best times in seconds, by level index."""
    _draw_status(hud, rules, times)
    banner = _banner(rules, times, options)
    if options.help:
        draw_panel(hud, _HELP, banner)
    elif rules.phase is Phase.PLAYING and rules.time < _HINT_SECONDS:
        hud.text(0.5 * hud.width, hud.height - 70.0, rules.level.settings.hint, 20, WHITE, "center")
    if not options.help:
        hud.text(0.5 * hud.width, hud.height - 34.0, "H  help", 15, SOFT, "center")
    if banner is not None:
        draw_banner(hud, banner)


def _draw_status(hud: Hud, rules: Rules, times: Mapping[int, float]) -> None:
    settings = rules.level.settings
    hud.rect(0.0, 0.0, hud.width, BAR_HEIGHT, PANEL)
    hud.text(EDGE, 8.0, f"Level {rules.level_index + 1} of {len(rules.levels)}", 16, SOFT)
    hud.text(EDGE, 27.0, settings.name, 22, WHITE)
    _draw_progress(hud, EDGE, 59.0, rules.level_index, len(rules.levels), times)
    middle = 0.5 * hud.width
    homes = rules.homes
    hud.text(middle - 10.0, 8.0, "♥" * rules.lives, 20, RED, "right")
    hud.text(middle + 10.0, 8.0, "●" * homes, 20, GREEN)
    missing = len(rules.marbles) - homes
    # A symbol is one em wide; symbols of missing marbles follow those of marbles that are home.
    hud.text(middle + 10.0 + 20.0 * homes, 8.0, "●" * missing, 20, (1.0, 1.0, 1.0, 0.3))
    hud.text(middle, 36.0, f"Score {rules.score}", 18, GOLD, "center")
    left = settings.time_limit - rules.time
    hurry = rules.phase is Phase.PLAYING and left < _HURRY_SECONDS
    time = f"{clock(max(left, 0.0))} left" if hurry else clock(rules.time)
    hud.text(hud.width - EDGE, 6.0, time, 24, RED if hurry else WHITE, "right")
    best = times.get(rules.level_index)
    goal = f"Best {clock(best)}" if best is not None else f"Par {clock(settings.par_time)}"
    hud.text(hud.width - EDGE, 38.0, goal, 16, SOFT, "right")


def _draw_progress(hud: Hud, x: float, y: float, current: int, levels: int, cleared: Collection[int]) -> None:
    """Draw a dash for each level: green if it is cleared, higher for the current one."""
    for index in range(levels):
        height = 6.0 if index == current else 3.0
        color = GREEN if index in cleared else _MISSING
        hud.rect(x + index * (_DASH + _GAP), y - 0.5 * height, _DASH, height, color)


def _banner(rules: Rules, times: Mapping[int, float], options: HudOptions) -> Banner | None:
    score = f"Score {rules.score}"
    if rules.phase is Phase.CLEARED:
        best = times.get(rules.level_index, rules.time)
        record = "   New best!" if best == rules.time else f"   Best {clock(best)}"
        return Banner("Level cleared", GREEN, (f"Time {clock(rules.time)}{record}", score, "Enter  go on"))
    if rules.phase is Phase.LOST and rules.loss is not None:
        return Banner(rules.loss.value, RED, (score, "R  try again      N  next level"))
    if rules.phase is Phase.WON:
        total = clock(sum(times.values()))
        cleared = f"{len(times)} of {len(rules.levels)} levels cleared, best times {total} in all"
        return Banner("All marbles are home!", GOLD, (score, cleared, "R  play again      Esc  quit"))
    if options.paused:
        return Banner("Paused", WHITE, ("P  go on",))
    return None
