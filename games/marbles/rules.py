"""The rules for one player: lives, homes, coins, time. No rendering, no input devices."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from renderwright.games.marbles.course import PitKind, Spot
from renderwright.games.marbles.level import Level
from renderwright.games.marbles.physics import STEP
from renderwright.games.marbles.rounds import COIN_SCORE, Hand, Phase, Rounds

HOME_SCORE = 100
LIFE_SCORE = 75
SECOND_SCORE = 10
"""Score of each full second under the par time."""


class Loss(Enum):
    """Reason for losing a level."""

    LIVES = "No marbles left"
    TIME = "Out of time"


class Rules(Rounds):
    """A game of all levels: each is cleared when every marble is home."""

    def __init__(self, levels: Sequence[Level], first_level: int = 0) -> None:
        super().__init__(levels)
        self.score = 0
        self._start(first_level)

    @property
    def homes(self) -> int:
        """Marbles that are in their goals."""
        return sum(marble.captured is not None and marble.captured.kind is PitKind.GOAL for marble in self.marbles)

    def step(self, hand: Hand) -> None:
        """Advance by one fixed step."""
        hand = hand if self.phase is Phase.PLAYING else Hand()
        self.tilt = self.tilt.follow(hand.right, hand.near, STEP)
        self.world.step(self.tilt.gravity())
        self._advance()

    def _start(self, index: int) -> None:
        super()._start(index)
        self.lives = self.level.settings.lives
        self.loss: Loss | None = None
        self._score_at_start = self.score

    def _start_spots(self) -> Sequence[Spot]:
        return self.course.starts

    def _forget_score(self) -> None:
        self.score = 0

    def _restore_score(self) -> None:
        self.score = self._score_at_start

    def _take_coin(self, number: int) -> None:
        self.score += COIN_SCORE

    def _come_home(self, number: int) -> None:
        self.score += HOME_SCORE

    def _fall(self, number: int) -> None:
        self.lives -= 1
        if self.lives > 0:
            self.marbles[number].respawn(self.starts[number])

    def _judge(self) -> None:
        settings = self.level.settings
        if all(marble.pinned for marble in self.marbles):
            seconds_saved = int(max(0.0, settings.par_time - self.time))
            self.score += seconds_saved * SECOND_SCORE + self.lives * LIFE_SCORE
            self._enter(Phase.CLEARED)
        elif self.lives <= 0:
            self.loss = Loss.LIVES
            self._enter(Phase.LOST)
        elif self.time >= settings.time_limit:
            self.loss = Loss.TIME
            self._enter(Phase.LOST)
