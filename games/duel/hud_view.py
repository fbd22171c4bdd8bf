"""The HUD of a player: title, scores, time, armour, what happens."""

from __future__ import annotations

import math
from collections.abc import Sequence

from renderwright.engine.game import Hud, HudColor
from renderwright.engine.hud.fitting import fitting
from renderwright.games.duel.controls import KEY_NAMES
from renderwright.games.duel.looks import PAINTS
from renderwright.games.duel.match import READY, Match, Phase
from renderwright.games.duel.tanks import ARMOUR

WHITE: HudColor = (1.0, 1.0, 1.0, 1.0)
SOFT: HudColor = (0.80, 0.82, 0.88, 1.0)
RED: HudColor = (1.0, 0.30, 0.22, 1.0)
PANEL: HudColor = (0.02, 0.02, 0.035, 0.62)
_MIX = 0.18
COLORS: tuple[HudColor, ...] = tuple(
    [(*(_MIX + (1.0 - _MIX) * channel ** (1.0 / 2.2) for channel in paint), 1.0) for paint in PAINTS]
)
_HURRY = 10.0
_HINT_SECONDS = 6.0
_HEAD, _EDGE = 70.0, 24.0
"""Height of what is at the top, and what stays empty beside a line."""


def draw_hud(hud: Hud, match: Match, player: int, *, paused: bool) -> None:
    """Draw the HUD of a player, counted from 0."""
    if match.phase is Phase.TITLE:
        _draw_title(hud, match)
        return
    _draw_scores(hud, match, player)
    _draw_bars(hud, match, player)
    if match.phase is Phase.FIGHT and match.fought < _HINT_SECONDS and match.round == 0:
        _centred(hud, hud.height - 108.0, KEY_NAMES[player], 16, SOFT)
    _draw_banner(hud, match, player, paused=paused)


def _draw_title(hud: Hud, match: Match) -> None:
    middle = 0.5 * hud.width
    size = min(0.24 * hud.height, 0.24 * hud.width)
    top = 0.14 * hud.height
    hud.text(middle + 4.0, top + 4.0, "DUEL", size, (0.0, 0.0, 0.0, 0.7), "center")
    hud.text(middle, top, "DUEL", size, COLORS[0], "center")
    _centred(hud, top + 1.2 * size, "four hover tanks, three arenas", 24, WHITE)
    if match.phase_time % 1.2 < 0.8:
        hud.text(middle, 0.74 * hud.height, "Enter   start", 26, WHITE, "center")
    players = f"{match.humans} player{'s' if match.humans > 1 else ''}, {4 - match.humans or 'no'} bots"
    _centred(hud, 0.74 * hud.height + 40.0, f"{players}     Esc  quit", 17, SOFT)


def _draw_scores(hud: Hud, match: Match, player: int) -> None:
    box = min(92.0, 0.17 * hud.width)
    left = 0.5 * hud.width - 2.0 * box
    for number, (wins, frags) in enumerate(match.score):
        x = left + number * box + (0.62 * box if number > 1 else -0.62 * box)
        hud.rect(x + 3.0, 12.0, box - 6.0, 44.0, PANEL)
        hud.rect(x + 3.0, 12.0, box - 6.0, 4.0, COLORS[number])
        hud.text(x + 0.5 * box, 20.0, f"{frags}", 26, WHITE, "center")
        if number == player:
            hud.rect(x + 0.3 * box, 51.0, 0.4 * box, 3.0, WHITE)
        hud.text(x + 0.5 * box, 58.0, "★" * wins, 15, COLORS[number], "center")
    left_over = math.ceil(match.time_left)
    color = RED if left_over <= _HURRY and match.phase is Phase.FIGHT else WHITE
    hud.text(0.5 * hud.width, 12.0, f"{left_over // 60}:{left_over % 60:02d}", 32, color, "center")
    hud.text(0.5 * hud.width, 50.0, f"to {match.arena.file.frags}", 14, SOFT, "center")


def _draw_bars(hud: Hud, match: Match, player: int) -> None:
    tank = match.tanks[player]
    width = min(300.0, 0.34 * hud.width)
    low = tank.armour < 0.35 * ARMOUR
    _bar(hud, 20.0, width, 16.0, tank.armour / ARMOUR, RED if low else COLORS[player])
    _bar(hud, 20.0, width, 7.0, tank.energy, (0.92, 0.92, 1.0, 0.9), above=24.0)


def _bar(hud: Hud, x: float, width: float, height: float, share: float, color: HudColor, above: float = 0.0) -> None:
    y = hud.height - 24.0 - height - above
    hud.rect(x - 2.0, y - 2.0, width + 4.0, height + 4.0, PANEL)
    hud.rect(x, y, width * share, height, color)


def _draw_banner(hud: Hud, match: Match, player: int, *, paused: bool) -> None:
    tank = match.tanks[player]
    if paused:
        _banner(hud, "Paused", WHITE, ("P  go on     Esc  title",))
    elif match.phase is Phase.READY:
        count = math.ceil(READY - match.phase_time)
        lines = (f"Round {match.round + 1} of {len(match.arenas)}: first to {match.arena.file.frags}",)
        _banner(hud, match.arena.file.name, COLORS[player], (*lines, str(max(count, 1))))
    elif match.phase is Phase.FIGHT and match.fought < 1.0:
        hud.text(0.5 * hud.width, 0.34 * hud.height, "FIGHT", 64, COLORS[player], "center")
    elif match.phase is Phase.FIGHT and not tank.alive:
        hud.text(0.5 * hud.width, 0.40 * hud.height, "Destroyed", 40, RED, "center")
        hud.text(0.5 * hud.width, 0.40 * hud.height + 50.0, f"back in {math.ceil(tank.wait)}", 22, WHITE, "center")
    elif match.phase is Phase.ROUND_END:
        _banner(hud, _won(match, player, "the round"), _color(match), ())
    elif match.phase is Phase.MATCH_END:
        wins = "   ".join(f"{_name(match, number)}  {'★' * won or '-'}" for number, won in enumerate(match.wins))
        _banner(hud, _won(match, player, "the match"), _color(match), (wins, "Enter  again     Esc  title"))


def _banner(hud: Hud, title: str, color: HudColor, lines: Sequence[str]) -> None:
    height = 82.0 + 34.0 * len(lines)
    top = max(_HEAD, 0.42 * hud.height - 0.5 * height)
    hud.rect(0.0, top, hud.width, height, (0.015, 0.015, 0.03, 0.66))
    hud.rect(0.0, top, hud.width, 3.0, color)
    _centred(hud, top + 14.0, title, 46, color)
    for number, line in enumerate(lines):
        _centred(hud, top + 72.0 + 34.0 * number, line, 22, WHITE)


def _centred(hud: Hud, y: float, text: str, size: float, color: HudColor) -> None:
    """A text in the middle, smaller where the picture is too narrow for it."""
    hud.text(0.5 * hud.width, y, text, fitting(size, text, hud.width - _EDGE), color, "center")


def _name(match: Match, number: int) -> str:
    return f"Player {number + 1}" if number < match.humans else f"Bot {number + 1}"


def _won(match: Match, player: int, what: str) -> str:
    if match.winners == (player,):
        return f"You win {what}"
    names = " and ".join(_name(match, number) for number in match.winners)
    return f"{names} {'win' if len(match.winners) > 1 else 'wins'} {what}"


def _color(match: Match) -> HudColor:
    return COLORS[match.winners[0]] if len(match.winners) == 1 else WHITE
