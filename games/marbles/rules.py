"""The rules: lives, homes, coins, time and the order of the levels. No picture, no input devices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from games.marbles.course import COIN_RADIUS, MARBLE_RADIUS, Course, PitKind, build_course
from games.marbles.level import Level
from games.marbles.physics import STEP, Marble, World
from games.marbles.tilt import Tilt

COIN_SCORE = 50
HOME_SCORE = 100
LIFE_SCORE = 75
SECOND_SCORE = 10
"""For each full second under the par time."""
RESPAWN_DELAY = 0.7
SETTLE_DELAY = 0.5
"""Seconds from a marble's capture by a goal until it is pinned there."""
CLEARED_DELAY = 3.0
"""Seconds that the summary stays before the next level starts by itself."""


class Phase(Enum):
    """What the player is in."""

    PLAYING = "the level runs"
    CLEARED = "all marbles are home"
    LOST = "no lives or no time is left"
    WON = "the last level is cleared"


class Loss(Enum):
    """Why a level was lost."""

    LIVES = "No marbles left"
    TIME = "Out of time"


@dataclass(frozen=True)
class Hand:
    """What the player's hand asks of the board: -1 to 1 each."""

    right: float = 0.0
    near: float = 0.0


class Rules:
    """A game of all levels, advanced in fixed steps of ``physics.STEP`` seconds."""

    def __init__(self, levels: Sequence[Level], first_level: int = 0) -> None:
        if not levels:
            raise ValueError("a game needs a level")
        self.levels = tuple(levels)
        self.best_times: dict[int, float] = {}
        """The best time of each cleared level, by its index, while the program runs."""
        self.score = 0
        self.time = 0.0
        self.tilt = Tilt()
        self._start(first_level)

    @property
    def level(self) -> Level:
        """The level that is played."""
        return self.levels[self.level_index]

    @property
    def homes(self) -> int:
        """Marbles that are in their goals."""
        return sum(marble.captured is not None and marble.captured.kind is PitKind.GOAL for marble in self.marbles)

    def step(self, hand: Hand) -> None:
        """Advance by one fixed step."""
        self.phase_time += STEP
        level_hand = hand if self.phase is Phase.PLAYING else Hand()
        self.tilt = self.tilt.follow(level_hand.right, level_hand.near, STEP)
        self.world.step(self.tilt.gravity())
        if self.phase is Phase.PLAYING:
            self.time += STEP
            self._take_coins()
            self._watch_marbles()
            self._judge()
        elif self.phase is Phase.CLEARED and self.phase_time >= CLEARED_DELAY:
            self.next_level()

    def restart(self) -> None:
        """Start the level again with the score that it began with; after the last level, start the whole game again."""
        if self.phase is Phase.WON:
            self.score = 0
            self._start(0)
            return
        self.score = self._score_at_start
        self._start(self.level_index)

    def next_level(self) -> None:
        """Go to the next level, cleared or not; an uncleared one scores nothing. After the last one the game is won."""
        if self.phase is Phase.WON:
            return
        if self.phase is not Phase.CLEARED:
            self.score = self._score_at_start
        if self.level_index + 1 < len(self.levels):
            self._start(self.level_index + 1)
        elif self.phase is Phase.CLEARED:
            self._enter(Phase.WON)
        else:
            self._start(0)

    def _start(self, index: int) -> None:
        self.level_index = index
        self.course: Course = build_course(self.level)
        self.marbles = [Marble((spot.x, MARBLE_RADIUS, spot.z)) for spot in self.course.starts]
        self.world = World(self.course, self.marbles)
        self.tilt = Tilt()
        self.time = 0.0
        self.lives = self.level.settings.lives
        self.coins_left = set(range(len(self.course.coins)))
        self.loss: Loss | None = None
        self._score_at_start = self.score
        self._captured_for = [0.0] * len(self.marbles)
        self._enter(Phase.PLAYING)

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self.phase_time = 0.0

    def _take_coins(self) -> None:
        reach = MARBLE_RADIUS + COIN_RADIUS
        for number in sorted(self.coins_left):
            coin = self.course.coins[number]
            if any(
                marble.captured is None and math.hypot(marble.position[0] - coin.x, marble.position[2] - coin.z) < reach
                for marble in self.marbles
            ):
                self.coins_left.remove(number)
                self.score += COIN_SCORE

    def _watch_marbles(self) -> None:
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
                    self.score += HOME_SCORE
            elif before < RESPAWN_DELAY <= self._captured_for[number]:
                self._lose_marble(number)

    def _lose_marble(self, number: int) -> None:
        self.lives -= 1
        self._captured_for[number] = 0.0
        if self.lives > 0:
            self.marbles[number].respawn(self.course.starts[number])

    def _judge(self) -> None:
        settings = self.level.settings
        if all(marble.pinned for marble in self.marbles):
            seconds_saved = int(max(0.0, settings.par_time - self.time))
            self.score += seconds_saved * SECOND_SCORE + self.lives * LIFE_SCORE
            self.best_times[self.level_index] = min(self.time, self.best_times.get(self.level_index, math.inf))
            self._enter(Phase.CLEARED)
        elif self.lives <= 0:
            self.loss = Loss.LIVES
            self._enter(Phase.LOST)
        elif self.time >= settings.time_limit:
            self.loss = Loss.TIME
            self._enter(Phase.LOST)
