"""The HUD of a player in a race: name, score, time, standings, winners."""

from __future__ import annotations

from renderwright.engine.game import Hud, HudColor
from renderwright.engine.hud.fitting import fitting
from renderwright.games.marbles.controls import KEY_NAMES
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
from renderwright.games.marbles.hud_view import HudOptions
from renderwright.games.marbles.race import Race
from renderwright.games.marbles.rounds import Phase

PLAYER_COLORS: tuple[HudColor, ...] = (
    (1.0, 0.45, 0.40, 1.0),
    (0.50, 0.68, 1.0, 1.0),
    (0.45, 0.90, 0.55, 1.0),
    (0.85, 0.85, 0.88, 1.0),
)
"""Colours of the players' marbles."""
_HINT_SECONDS = 6.0
_GOAL = "First to a glowing cup wins"
_SCORE, _LEAST, _GAP = 76.0, 12.0, 6.0
"""Room for a player's score, the least of it, and what of it stays empty."""
_LEFT, _RIGHT = 112.0, 90.0
"""Widths of the texts at the ends of the bar."""


def draw_race_hud(hud: Hud, race: Race, player: int, options: HudOptions) -> None:
    """Draw the HUD of a player, counted from 0."""
    _draw_status(hud, race, player)
    banner = _banner(race, player, options)
    if options.help:
        lines = [f"{_name(number)}   {KEY_NAMES[number]}" for number in range(race.players)]
        lines += ["R  restart round     N  next level     Tab  levels", "P  pause     H  this help     Esc  quit"]
        draw_panel(hud, lines, banner)
    elif race.phase is Phase.PLAYING and race.time < _HINT_SECONDS:
        middle, room, keys = 0.5 * hud.width, hud.width - 2.0 * EDGE, KEY_NAMES[player]
        hud.text(middle, hud.height - 76.0, _GOAL, fitting(20.0, _GOAL, room), WHITE, "center")
        hud.text(middle, hud.height - 46.0, keys, fitting(18.0, keys, room), PLAYER_COLORS[player], "center")
    if banner is not None:
        draw_banner(hud, banner)


def _draw_status(hud: Hud, race: Race, player: int) -> None:
    hud.rect(0.0, 0.0, hud.width, BAR_HEIGHT, PANEL)
    hud.text(EDGE, 6.0, _name(player), 24, PLAYER_COLORS[player])
    hud.text(EDGE, 38.0, f"Level {race.level_index + 1} of {len(race.levels)}", 16, SOFT)
    # In the middle, or where a narrow view has room between the texts at both ends.
    room = max(_LEAST, min(_SCORE, (hud.width - _LEFT - _RIGHT) / race.players))
    half = 0.5 * room * race.players
    middle = min(max(0.5 * hud.width, _LEFT + half), hud.width - _RIGHT - half)
    for number, score in enumerate(race.scores):
        x = middle + (number - 0.5 * (race.players - 1)) * room
        hud.text(x, 8.0, _stars(race.wins[number], room), 16, PLAYER_COLORS[number], "center")
        color = GOLD if number in race.leaders() and score else WHITE
        hud.text(x, 34.0, str(score), fitting(20.0, str(score), room - _GAP), color, "center")
    hud.text(hud.width - EDGE, 6.0, clock(race.time), 24, WHITE, "right")
    limit = race.level.settings.time_limit
    hud.text(hud.width - EDGE, 38.0, f"of {clock(limit)}", 16, SOFT, "right")


def _stars(wins: int, room: float) -> str:
    """A star for each win, or their number where these have no room. A star is one em wide."""
    if not wins:
        return "·"
    return "★" * wins if 16.0 * wins <= room - _GAP else f"{wins} ★"


def _name(player: int) -> str:
    return f"Player {player + 1}"


def _names(players: tuple[int, ...]) -> str:
    return " and ".join(_name(player) for player in players)


def _banner(race: Race, player: int, options: HudOptions) -> Banner | None:
    if race.phase is Phase.CLEARED:
        won = player in race.winners
        title = "You win!" if won else f"{_names(race.winners)} win{'s' if len(race.winners) == 1 else ''}"
        return Banner(title, GREEN if won else WHITE, (f"in {clock(race.time)}", "Enter  go on"))
    if race.phase is Phase.LOST:
        return Banner("Out of time", RED, ("R  try again      N  next level",))
    if race.phase is Phase.WON:
        leaders = race.leaders()
        title = "You have won the race!" if leaders == (player,) else f"{_names(leaders)} won the race"
        return Banner(title, GOLD, (f"with {max(race.scores)} points", "R  race again      Esc  quit"))
    return Banner("Paused", WHITE, ("P  go on",)) if options.paused else None
