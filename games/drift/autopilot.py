"""A pilot that plays by itself: behind the title, and in the recorded replay."""

from __future__ import annotations

import cmath

import numpy as np

from renderwright.games.drift.match import Match
from renderwright.games.drift.ship import Helm, Ship

_AHEAD = 1.3
"""Seconds that it looks ahead for rocks in its way."""
_MARGIN = 1.1
"""Metres that it likes to stay away from rocks."""
_CRUISE = 4.0
"""Metres a second up to which it flies towards a rock."""
_TIGHT = 0.06
"""Radians that count as straight ahead."""


def fly(match: Match, player: int, *, bold: bool = False) -> Helm:
    """What the pilot does in this step. Its turn and its thrust are those of keys: -1, 0 or 1; bold ones never flee."""
    ship = match.ships[player]
    if not ship.flying:
        return Helm()
    flight = None if bold else _escape(match, ship)
    if flight is not None:
        off = _off(ship, flight)
        return Helm(_turn(off), 1.0 if abs(off) < 1.2 else 0.0, abs(_aim(match, ship)[0]) < 0.2)
    off, width = _aim(match, ship)
    closer = abs(off) < 0.3 and abs(ship.velocity) < _CRUISE
    return Helm(_turn(off), 1.0 if closer else 0.0, abs(off) < width)


def _escape(match: Match, ship: Ship) -> complex | None:
    """The way out of danger: from the sun, or from the rock that comes nearest."""
    if abs(ship.at) < match.rules.sun.radius + 4.0:
        return ship.at + 1.5j * ship.at
    rocks = match.rocks
    rows = rocks.rows
    apart, against = rocks.at[rows] - ship.at, rocks.velocity[rows] - ship.velocity
    soonest = np.clip(-(apart * against.conj()).real / np.maximum(np.abs(against) ** 2, 1e-6), 0.0, _AHEAD)
    nearest = apart + against * soonest
    room = np.abs(nearest) - rocks.radius[rows] - match.rules.ship.radius
    if not len(rows) or room.min() > _MARGIN:
        return None
    worst = int(np.argmin(room))
    away = -nearest[worst] if abs(nearest[worst]) > 0.1 else 1j * apart[worst]
    inward = -ship.at * 0.6 if abs(ship.at) > 0.85 * match.rules.arena.radius else 0j
    return complex(away / abs(away) * 4.0 + inward)


def _aim(match: Match, ship: Ship) -> tuple[float, float]:
    """How far it must turn to hit the nearest rock, and how wide that rock is seen; radians."""
    rocks = match.rocks
    rows = rocks.rows
    if not len(rows):
        return _off(ship, 1j * ship.at), 0.0
    apart, against = rocks.at[rows] - ship.at, rocks.velocity[rows] - ship.velocity
    target = int(np.argmin(np.abs(apart)))
    time = abs(apart[target]) / match.rules.shot.speed
    ahead = complex(apart[target] + against[target] * time)
    in_reach = time < match.rules.shot.life
    return _off(ship, ahead), float(np.arctan2(rocks.radius[rows][target], abs(ahead))) if in_reach else 0.0


def _off(ship: Ship, way: complex) -> float:
    return cmath.phase(way / ship.forward) if way else 0.0


def _turn(off: float) -> float:
    return 0.0 if abs(off) < _TIGHT else -1.0 if off > 0.0 else 1.0
