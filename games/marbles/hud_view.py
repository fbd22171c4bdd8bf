"""The HUD of one player: level, lives, homes, score, times, help, and the banners between levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.engine.game import Hud, HudColor
from renderwright.games.marbles.rounds import Phase
from renderwright.games.marbles.rules import Rules

WHITE: HudColor = (1.0, 1.0, 1.0, 1.0)
SOFT: HudColor = (0.86, 0.86, 0.82, 1.0)
GOLD: HudColor = (1.0, 0.80, 0.36, 1.0)
GREEN: HudColor = (0.45, 1.0, 0.62, 1.0)
RED: HudColor = (1.0, 0.42, 0.36, 1.0)
PANEL: HudColor = (0.03, 0.03, 0.05, 0.55)
EDGE = 16.0
BAR_HEIGHT = 66.0
"""Height of the bar at the top, in HUD units."""
_HINT_SECONDS = 8.0
_HURRY_SECONDS = 10.0

_HELP = (
    "Tilt   ← ↑ ↓ →   or   W A S D   or   left stick",
    "R  restart level",
    "N  next level",
    "P  pause",
    "H  hide or show this help",
    "Esc  quit",
)


@dataclass(frozen=True)
class HudOptions:
    """Toggles of the player."""

    help: bool = False
    paused: bool = False


def draw_hud(hud: Hud, rules: Rules, options: HudOptions) -> None:
    """Draw the HUD for the state of ``rules``."""
    _draw_status(hud, rules)
    if options.help:
        draw_panel(hud, _HELP)
    elif rules.phase is Phase.PLAYING and rules.time < _HINT_SECONDS:
        hud.text(0.5 * hud.width, hud.height - 70.0, rules.level.settings.hint, 20, WHITE, "center")
    if not options.help:
        hud.text(0.5 * hud.width, hud.height - 34.0, "H  help", 15, SOFT, "center")
    banner = _banner(rules, options)
    if banner is not None:
        draw_banner(hud, banner)


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


def _draw_status(hud: Hud, rules: Rules) -> None:
    settings = rules.level.settings
    hud.rect(0.0, 0.0, hud.width, BAR_HEIGHT, PANEL)
    hud.text(EDGE, 8.0, f"Level {rules.level_index + 1} of {len(rules.levels)}", 16, SOFT)
    hud.text(EDGE, 30.0, settings.name, 22, WHITE)
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
    best = rules.best_times.get(rules.level_index)
    goal = f"Best {clock(best)}" if best is not None else f"Par {clock(settings.par_time)}"
    hud.text(hud.width - EDGE, 38.0, goal, 16, SOFT, "right")


def draw_panel(hud: Hud, lines: Sequence[str]) -> None:
    """Draw lines in the bottom left corner."""
    line, width = 26.0, 420.0
    height = line * len(lines) + 20.0
    top = hud.height - height - EDGE
    hud.rect(EDGE, top, width, height, PANEL)
    for number, text in enumerate(lines):
        hud.text(EDGE + 14.0, top + 10.0 + number * line, text, 17, WHITE)


def _banner(rules: Rules, options: HudOptions) -> Banner | None:
    score = f"Score {rules.score}"
    if rules.phase is Phase.CLEARED:
        best = rules.best_times[rules.level_index]
        record = "   New best!" if best == rules.time else f"   Best {clock(best)}"
        return Banner("Level cleared", GREEN, (f"Time {clock(rules.time)}{record}", score, "Enter  go on"))
    if rules.phase is Phase.LOST and rules.loss is not None:
        return Banner(rules.loss.value, RED, (score, "R  try again      N  next level"))
    if rules.phase is Phase.WON:
        total = sum(rules.best_times.values())
        times = f"{len(rules.best_times)} of {len(rules.levels)} levels cleared, best times {clock(total)} in all"
        return Banner("All marbles are home!", GOLD, (score, times, "R  play again      Esc  quit"))
    if options.paused:
        return Banner("Paused", WHITE, ("P  go on",))
    return None


def draw_banner(hud: Hud, banner: Banner) -> None:
    """Draw a banner."""
    line = 32.0
    height = 96.0 + line * len(banner.lines)
    top = 0.5 * (hud.height - height)
    hud.rect(0.0, top, hud.width, height, (0.02, 0.02, 0.04, 0.68))
    middle = 0.5 * hud.width
    hud.text(middle, top + 16.0, banner.title, 50, banner.color, "center")
    for number, text in enumerate(banner.lines):
        hud.text(middle, top + 88.0 + number * line, text, 21, WHITE, "center")
