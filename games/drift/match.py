"""The rules of a match: waves of rocks, shots, crashes, scores. No rendering, no input devices, no own clock."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from random import Random

import numpy as np

from renderwright.games.drift.bodies import Bodies, orbit
from renderwright.games.drift.rule_files import RockKind, Rules, Wave
from renderwright.games.drift.ship import Helm, Ship

STEP = 1.0 / 60.0
MOST_ROCKS = 160
MOST_SHOTS = 64
_CLEAR = 8.0
"""Metres around a ship in which no wave begins."""
_PLACES = 24
"""Places where a ship may appear; it takes the one that is farthest from all rocks."""


class What(Enum):
    """What may happen in a step."""

    SHOT = auto()
    BREAK = auto()
    BLAST = auto()
    CRASH = auto()
    BURN = auto()
    RIM = auto()
    APPEAR = auto()


@dataclass(frozen=True)
class Event:
    """Something that has happened, for those who show it. ``who`` is a kind of rock, of SHOT to APPEAR a player."""

    what: What
    at: complex
    velocity: complex = 0j
    size: float = 1.0
    who: int = 0


class Match:
    """A match of some players together, from the first wave until no ship is left."""

    def __init__(self, rules: Rules, waves: Sequence[Wave], players: int, random: Random) -> None:
        self.rules, self.waves = rules, tuple(waves)
        self.kinds: tuple[RockKind, ...] = tuple(rules.rocks.values())
        self._numbers = {name: number for number, name in enumerate(rules.rocks)}
        self._random = random
        self.ships = [Ship(rules.ship.lives) for _ in range(players)]
        self.rocks, self.shots = Bodies(MOST_ROCKS), Bodies(MOST_SHOTS)
        self.events: list[Event] = []
        self.wave_number = -1
        self.pause = rules.pause
        for ship in self.ships:
            self._appear(ship)

    @property
    def wave(self) -> Wave:
        """The wave that is on, or that comes first."""
        return self.waves[max(self.wave_number, 0) % len(self.waves)]

    @property
    def over(self) -> bool:
        """Whether no ship is left."""
        return all(ship.lives == 0 for ship in self.ships)

    @property
    def score(self) -> int:
        """Of all players together."""
        return sum(ship.score for ship in self.ships)

    def step(self, helms: Sequence[Helm]) -> None:
        """Play a step of ``STEP`` seconds."""
        self.events.clear()
        for player, (ship, helm) in enumerate(zip(self.ships, helms, strict=True)):
            self._fly(player, ship, helm)
        for bodies in (self.rocks, self.shots):
            bodies.drift(STEP, self.rules.sun)
        self._meet_the_sun_and_the_rim()
        self._hit_rocks()
        self._crash_ships()
        self._follow_waves()

    # ships ----------------------------------------------------------------------------------------------------------

    def _fly(self, player: int, ship: Ship, helm: Helm) -> None:
        if ship.away > 0.0:
            ship.away -= STEP
            if ship.flying:
                self._appear(ship)
        if not ship.flying:
            return
        if ship.fly(helm, self.rules, STEP):
            self._tell(What.RIM, ship.at, size=1.0, who=player)
        if helm.fire and ship.reload == 0.0:
            shot, nose = self.rules.shot, ship.at + ship.forward * self.rules.ship.radius * 1.6
            self.shots.add(nose, ship.velocity + ship.forward * shot.speed, shot.radius, player)
            ship.reload = shot.every
            self._tell(What.SHOT, nose, ship.velocity, who=player)

    def _appear(self, ship: Ship) -> None:
        turn = self._random.uniform(0.0, math.tau)
        ring = [cmath.rect(0.62 * self.rules.arena.radius, turn + math.tau * n / _PLACES) for n in range(_PLACES)]
        rocks = self.rocks.at[self.rocks.rows]
        clear = [float(np.abs(rocks - place).min(initial=1e9)) for place in ring]
        place = ring[int(np.argmax(clear))]
        ship.appear(place, orbit(place, self.rules.sun), self.rules.ship)
        self._tell(What.APPEAR, place, who=self.ships.index(ship))

    def _crash_ships(self) -> None:
        rows = self.rocks.rows
        for player, ship in enumerate(self.ships):
            if not ship.flying:
                continue
            in_sun = abs(ship.at) < self.rules.sun.radius + self.rules.ship.radius
            reach = self.rocks.radius[rows] + self.rules.ship.radius
            touched = rows[np.abs(self.rocks.at[rows] - ship.at) < reach] if not ship.shield else rows[:0]
            if in_sun or len(touched):
                ship.lives -= 1
                ship.away = self.rules.ship.away
                self._tell(What.CRASH, ship.at, ship.velocity, who=player)
                for row in touched:
                    self._break(int(row), None, ship.velocity)

    # rocks ----------------------------------------------------------------------------------------------------------

    def _meet_the_sun_and_the_rim(self) -> None:
        edge, sun = self.rules.arena.radius, self.rules.sun.radius
        for row in self.rocks.bounce(edge, self.rules.arena.bounce):
            self._tell(What.RIM, self.rocks.at[row], size=self.rocks.radius[row], who=-1)
        for bodies in (self.rocks, self.shots):
            burnt = np.flatnonzero(bodies.alive & (np.abs(bodies.at) < sun))
            for row in burnt:
                self._tell(What.BURN, bodies.at[row], bodies.velocity[row], bodies.radius[row])
            if len(burnt):
                bodies.remove(burnt)
        gone = self.shots.alive & ((self.shots.age > self.rules.shot.life) | (np.abs(self.shots.at) > edge))
        if gone.any():
            self.shots.remove(np.flatnonzero(gone))

    def _hit_rocks(self) -> None:
        shots, rocks = self.shots.rows, self.rocks.rows
        if not len(shots) or not len(rocks):
            return
        distances = np.abs(self.shots.at[shots, np.newaxis] - self.rocks.at[rocks])
        hits = distances < self.shots.radius[shots, np.newaxis] + self.rocks.radius[rocks]
        for shot, rock in zip(*np.nonzero(hits), strict=True):
            if self.shots.alive[shots[shot]] and self.rocks.alive[rocks[rock]]:
                self.shots.remove(shots[shot])
                self._break(int(rocks[rock]), int(self.shots.owner[shots[shot]]), self.shots.velocity[shots[shot]])

    def _break(self, row: int, player: int | None, blow: complex) -> None:
        """Break a rock and those that its blast reaches, for the score of a player."""
        rocks, broken = self.rocks, [row]
        while broken:
            row = broken.pop()
            if not rocks.alive[row]:
                continue
            rocks.remove(row)
            kind, at, velocity = self.kinds[rocks.owner[row]], rocks.at[row], rocks.velocity[row]
            if kind.blast:
                near = rocks.rows
                broken += near[np.abs(rocks.at[near] - at) < kind.blast + rocks.radius[near]].tolist()
                self._tell(What.BLAST, at, velocity, kind.blast, int(rocks.owner[row]))
            self._tell(What.BREAK, at, velocity, kind.radius, int(rocks.owner[row]))
            if player is not None:
                self._reward(self.ships[player], kind.score)
            self._split(kind, at, velocity, blow)

    def _split(self, kind: RockKind, at: complex, velocity: complex, blow: complex) -> None:
        names = [name for name, count in kind.splits.items() for _ in range(count)]
        side = cmath.phase(blow) + 0.5 * math.pi
        for number, name in enumerate(names):
            way = cmath.rect(1.0, side + math.tau * number / len(names) + self._random.uniform(-0.3, 0.3))
            piece = self.rules.rocks[name]
            start = at + way * 0.5 * (kind.radius - piece.radius)
            self._add_rock(name, start, velocity + way * self.rules.kick * self._random.uniform(0.7, 1.3))

    def _add_rock(self, name: str, at: complex, velocity: complex) -> None:
        radius, spin = self.rules.rocks[name].radius, self._random.uniform(-1.5, 1.5)
        self.rocks.add(at, velocity, radius, self._numbers[name], spin)

    def _reward(self, ship: Ship, points: int) -> None:
        extra = self.rules.ship.extra_life
        if ship.lives:
            ship.lives += (ship.score + points) // extra - ship.score // extra
        ship.score += points

    # waves ----------------------------------------------------------------------------------------------------------

    def _follow_waves(self) -> None:
        if len(self.rocks):
            return
        self.pause -= STEP
        if self.pause <= 0.0 and not self.over:
            self.pause = self.rules.pause
            self.wave_number += 1
            self._begin_wave()

    def _begin_wave(self) -> None:
        pace = self.wave.pace * self.rules.faster ** (self.wave_number // len(self.waves))
        for name, count in self.wave.rocks.items():
            for _ in range(count):
                at = self._free_place()
                jitter = cmath.rect(self._random.uniform(0.0, 0.9), self._random.uniform(0.0, math.tau))
                speed = pace * self._random.uniform(0.8, 1.1)
                self._add_rock(name, at, speed * orbit(at, self.rules.sun) + pace * jitter)

    def _free_place(self) -> complex:
        edge = self.rules.arena.radius
        for _ in range(_PLACES):
            at = cmath.rect(edge * self._random.uniform(0.5, 0.92), self._random.uniform(0.0, math.tau))
            if all(abs(at - ship.at) > _CLEAR for ship in self.ships if ship.flying):
                break
        return at

    def _tell(self, what: What, at: complex, velocity: complex = 0j, size: float = 1.0, who: int = 0) -> None:
        self.events.append(Event(what, complex(at), complex(velocity), float(size), who))
