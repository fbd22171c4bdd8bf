"""The rules: a title, rounds in one arena after the other, scores, the end, and again. No scene, no devices."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from renderwright.games.duel.arena import COVER, SEATS, Arena, Cell, Ground, Spot
from renderwright.games.duel.bots import Bot
from renderwright.games.duel.shots import EACH, Shots, Struck
from renderwright.games.duel.tanks import ARMOUR, RELOAD, STEP, Hand, Tank, collide

DAMAGE = 9.0
REPAIR, PAD_REACH, PAD_REST = 45.0, 1.9, 11.0
"""What a pad repairs, from how near, and the seconds until it does so again."""
RESPAWN = 2.6
READY, ROUND_END = 3.0, 4.0
"""Seconds before and after a round."""


class Phase(Enum):
    """Phase of the match."""

    TITLE = auto()
    READY = auto()
    FIGHT = auto()
    ROUND_END = auto()
    MATCH_END = auto()


class What(Enum):
    """What has happened in a step, for the scene to show."""

    FIRED = auto()
    SPARKS = auto()
    HIT = auto()
    BROKEN = auto()
    DESTROYED = auto()
    REPAIRED = auto()
    APPEARED = auto()


@dataclass(frozen=True)
class Event:
    """Something at x and z, with the normal of a surface. ``number`` is that of a tank or a pad."""

    what: What
    x: float
    z: float
    normal: Spot = (0.0, 0.0)
    number: int = -1
    cell: Cell | None = None
    left: int = 0
    """The hits that cover still takes."""


class Match:
    """A match of four tanks, of which the first ``humans`` are players. The title shows a fight of bots."""

    def __init__(self, arenas: Sequence[Arena], humans: int, chance: random.Random) -> None:
        self.arenas = tuple(arenas)
        self.humans = humans
        self.bots = [Bot(number, chance) for number in range(SEATS)]
        self.tanks = [Tank() for _ in range(SEATS)]
        self.wins = [0] * SEATS
        self.winners: tuple[int, ...] = ()
        self.events: list[Event] = []
        self._begin(0, Phase.TITLE)

    @property
    def arena(self) -> Arena:
        """The arena of this round."""
        return self.arenas[self.round]

    @property
    def time_left(self) -> float:
        """Seconds until the round ends."""
        return max(0.0, self.arena.file.seconds - self.fought)

    @property
    def score(self) -> tuple[tuple[int, int], ...]:
        """Rounds won and frags of this round, of each tank."""
        return tuple((wins, tank.frags) for wins, tank in zip(self.wins, self.tanks, strict=True))

    @property
    def open_pads(self) -> list[Spot]:
        """The pads that repair at the moment."""
        return [pad for pad, rest in zip(self.arena.pads, self.pad_rest, strict=True) if rest <= 0.0]

    def start(self) -> None:
        """Begin a match, from the title or its end."""
        self.wins = [0] * SEATS
        self._begin(0, Phase.READY)

    def show_title(self) -> None:
        """Leave the match."""
        self.wins = [0] * SEATS
        self._begin(0, Phase.TITLE)

    def step(self, hands: Sequence[Hand]) -> None:
        """Advance by a step. ``hands`` are those of the players."""
        self.events.clear()
        self.phase_time += STEP
        fights = self.phase in (Phase.TITLE, Phase.FIGHT)
        for number, tank in enumerate(self.tanks):
            if not tank.alive:
                self._wait(number)
                continue
            hand = self._hand(number, hands) if fights else Hand()
            tank.move(hand)
            if hand.fire and tank.reload <= 0.0:
                tank.reload = RELOAD
                self.shots.fire(tank, number)
                self._tell(What.FIRED, tank.x, tank.z, tank.forward, number)
        collide(self.tanks, self.ground)
        self._strike()
        self._repair()
        self._judge()

    def _hand(self, number: int, hands: Sequence[Hand]) -> Hand:
        if number < self.humans and self.phase is Phase.FIGHT:
            return hands[number]
        return self.bots[number].hand(self.tanks, self.open_pads, self.ground)

    def _begin(self, number: int, phase: Phase) -> None:
        """Begin a round, in the arena of that number."""
        self.round = number
        self.ground = Ground(self.arena)
        self.shots = Shots()
        self.pad_rest = [0.0] * len(self.arena.pads)
        self.fought = 0.0
        self.winners = ()
        for tank, spawn in zip(self.tanks, self.arena.spawns, strict=True):
            tank.place(spawn)
            tank.frags = 0
        self._enter(phase)

    def _enter(self, phase: Phase) -> None:
        self.phase, self.phase_time = phase, 0.0

    def _wait(self, number: int) -> None:
        tank = self.tanks[number]
        tank.wait -= STEP
        if tank.wait <= 0.0:
            tank.place(self._safest_spawn())
            self._tell(What.APPEARED, tank.x, tank.z, number=number)

    def _safest_spawn(self) -> Spot:
        living = [tank for tank in self.tanks if tank.alive]
        return max(
            self.arena.spawns,
            key=lambda spot: min((math.hypot(tank.x - spot[0], tank.z - spot[1]) for tank in living), default=0.0),
        )

    def _strike(self) -> None:
        for strike in self.shots.step(self.ground, self.tanks):
            if strike.what is Struck.COVER and self.ground.solid[strike.cell] == COVER:
                left = self.ground.hit(strike.cell)
                self.events.append(Event(What.BROKEN, strike.x, strike.z, strike.normal, cell=strike.cell, left=left))
            elif strike.what is Struck.TANK:
                self._damage(strike.tank, strike.shot // EACH, (strike.x, strike.z), strike.normal)
            else:
                self._tell(What.SPARKS, strike.x, strike.z, strike.normal, strike.shot // EACH)

    def _damage(self, number: int, by: int, place: Spot, normal: Spot) -> None:
        tank = self.tanks[number]
        if not tank.alive:
            return
        tank.armour -= DAMAGE
        tank.shock = min(1.0, tank.shock + 0.55)
        tank.vx -= normal[0] * 2.5
        tank.vz -= normal[1] * 2.5
        self._tell(What.HIT, *place, normal, number)
        if not tank.alive:
            tank.armour, tank.wait = 0.0, RESPAWN
            self.tanks[by].frags += 1
            self._tell(What.DESTROYED, tank.x, tank.z, number=number)

    def _repair(self) -> None:
        for number, pad in enumerate(self.arena.pads):
            self.pad_rest[number] = max(0.0, self.pad_rest[number] - STEP)
            for tank in self.tanks:
                near = math.hypot(tank.x - pad[0], tank.z - pad[1]) < PAD_REACH
                if near and tank.alive and tank.armour < ARMOUR and not self.pad_rest[number]:
                    tank.armour = min(ARMOUR, tank.armour + REPAIR)
                    self.pad_rest[number] = PAD_REST
                    self._tell(What.REPAIRED, *pad, number=number)

    def _judge(self) -> None:
        match self.phase:
            case Phase.READY if self.phase_time >= READY:
                self._enter(Phase.FIGHT)
            case Phase.FIGHT:
                self.fought += STEP
                most = max(tank.frags for tank in self.tanks)
                if most >= self.arena.file.frags or not self.time_left:
                    self.winners = tuple(n for n, tank in enumerate(self.tanks) if tank.frags == most)
                    for number in self.winners:
                        self.wins[number] += 1
                    self._enter(Phase.ROUND_END)
            case Phase.ROUND_END if self.phase_time >= ROUND_END:
                if self.round + 1 < len(self.arenas):
                    self._begin(self.round + 1, Phase.READY)
                else:
                    self.winners = tuple(n for n, wins in enumerate(self.wins) if wins == max(self.wins))
                    self._enter(Phase.MATCH_END)
            case Phase.TITLE if self.phase_time >= self.arena.file.seconds:
                self._begin((self.round + 1) % len(self.arenas), Phase.TITLE)

    def _tell(self, what: What, x: float, z: float, normal: Spot = (0.0, 0.0), number: int = -1) -> None:
        self.events.append(Event(what, x, z, normal, number))
