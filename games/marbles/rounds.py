"""Rules shared by the single-player game and the race: level sequence, phases, coins, goals and pits."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from renderwright.games.marbles.course import COIN_RADIUS, MARBLE_RADIUS, Course, PitKind, Spot, build_course
from renderwright.games.marbles.level import Level
from renderwright.games.marbles.physics import STEP, Marble, World
from renderwright.games.marbles.tilt import Tilt

COIN_SCORE = 50
RESPAWN_DELAY = 0.7
"""Seconds from a marble's fall until it respawns or is lost."""
SETTLE_DELAY = 0.5
"""Seconds from a marble's capture by a goal until it is pinned there."""
CLEARED_DELAY = 3.0
"""Seconds until the next level starts automatically."""


class Phase(Enum):
    """Phase of the game."""

    PLAYING = "the level runs"
    CLEARED = "the level is decided"
    LOST = "no lives or no time is left"
    WON = "the last level is decided"


@dataclass(frozen=True)
class Hand:
    """Input of a player: the requested tilt, from -1 to 1 on each axis."""

    right: float = 0.0
    near: float = 0.0


class Rounds(ABC):
    """All levels one after another, advanced in fixed steps of ``physics.STEP`` seconds.

    Subclasses define where marbles start and what coins, goals and pits score.
    """

    def __init__(self, levels: Sequence[Level]) -> None:
        if not levels:
            raise ValueError("a game needs a level")
        self.levels = tuple(levels)
        self.tilt = Tilt()

    @property
    def level(self) -> Level:
        """The current level."""
        return self.levels[self.level_index]

    @property
    def time(self) -> float:
        """How long the level has been played, in seconds."""
        return self.steps * STEP

    @property
    def starting(self) -> bool:
        """Whether the next step is the first of a level."""
        return self.steps == 0 and self.phase is Phase.PLAYING

    def restart(self) -> None:
        """Restart the level with its initial score. After the last level, restart the game."""
        if self.phase is Phase.WON:
            self._forget_score()
            self._start(0)
            return
        self._restore_score()
        self._start(self.level_index)

    def next_level(self) -> None:
        """Go to the next level. An undecided level scores nothing. After the last level the game is won."""
        if self.phase is Phase.WON:
            return
        if self.phase is not Phase.CLEARED:
            self._restore_score()
        if self.level_index + 1 < len(self.levels):
            self._start(self.level_index + 1)
        elif self.phase is Phase.CLEARED:
            self._enter(Phase.WON)
        else:
            self._start(0)

    def choose_level(self, index: int) -> None:
        """Begin a new game at a level, with a score of zero."""
        self._forget_score()
        self._start(index)

    # hooks of the rules ---------------------------------------------------------------------------------------------

    @abstractmethod
    def _start_spots(self) -> Sequence[Spot]:
        """Start position of each marble on the course."""

    @abstractmethod
    def _forget_score(self) -> None:
        """Reset the score to zero."""

    @abstractmethod
    def _restore_score(self) -> None:
        """Reset the score to that at the level's start."""

    @abstractmethod
    def _take_coin(self, number: int) -> None:
        """A marble has reached a coin."""

    @abstractmethod
    def _come_home(self, number: int) -> None:
        """A marble has settled in a goal."""

    @abstractmethod
    def _fall(self, number: int) -> None:
        """A marble has been in a pit for long enough."""

    @abstractmethod
    def _judge(self) -> None:
        """End the level if it is won or lost."""

    # inside ---------------------------------------------------------------------------------------------------------

    def _start(self, index: int) -> None:
        self.level_index = index
        self.course: Course = build_course(self.level)
        self.starts = tuple(self._start_spots())
        self.marbles = [Marble((spot.x, MARBLE_RADIUS, spot.z)) for spot in self.starts]
        self.world = World(self.course, self.marbles)
        self.tilt = Tilt()
        self.steps = 0
        """Fixed steps for which the level has been played."""
        self.coins_left = set(range(len(self.course.coins)))
        self._captured_for = [0.0] * len(self.marbles)
        self._enter(Phase.PLAYING)

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self.phase_time = 0.0

    def _advance(self) -> None:
        """Evaluate coins, pits and the end of the level after a physics step."""
        self.phase_time += STEP
        if self.phase is Phase.PLAYING:
            self.steps += 1
            self._watch_coins()
            self._watch_pits()
            self._judge()
        elif self.phase is Phase.CLEARED and self.phase_time >= CLEARED_DELAY:
            self.next_level()

    def _watch_coins(self) -> None:
        reach = MARBLE_RADIUS + COIN_RADIUS
        for number in sorted(self.coins_left):
            coin = self.course.coins[number]
            distances = [
                (math.hypot(marble.position[0] - coin.x, marble.position[2] - coin.z), taker)
                for taker, marble in enumerate(self.marbles)
                if marble.captured is None
            ]
            if distances and min(distances)[0] < reach:
                self.coins_left.remove(number)
                self._take_coin(min(distances)[1])

    def _watch_pits(self) -> None:
        for number, marble in enumerate(self.marbles):
            if marble.captured is None:
                self._captured_for[number] = 0.0
                continue
            before = self._captured_for[number]
            self._captured_for[number] = before + STEP
            if marble.captured.kind is PitKind.GOAL:
                if before < SETTLE_DELAY <= self._captured_for[number]:
                    marble.pinned = True
                    marble.velocity = marble.spin = (0.0, 0.0, 0.0)
                    self._come_home(number)
            elif before < RESPAWN_DELAY <= self._captured_for[number]:
                self._captured_for[number] = 0.0
                self._fall(number)
