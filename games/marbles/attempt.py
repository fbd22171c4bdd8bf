"""One attempt at a level: the hands are written down, and the ghost of the best run plays beside the player."""

from __future__ import annotations

from renderwright.games.marbles.level import Level
from renderwright.games.marbles.physics import Marble
from renderwright.games.marbles.rounds import Hand, Phase
from renderwright.games.marbles.rules import Rules
from renderwright.games.marbles.runs import Run, RunReader, RunWriter

_HIDDEN = 12
"""Steps in which a ghost has hardly left its start. The first frame of a game so has no blended surfaces to prepare."""


class Ghost:
    """A run that is played again, on a board of its own.

    It is computed from the hands: a run takes a few kilobytes, is a replay that anybody can play, and its end proves
    that it is right. ``astray`` says that it ended elsewhere than the run did.
    """

    def __init__(self, level: Level, run: Run) -> None:
        self._rules = Rules([level])
        self._reader = RunReader(run)
        self.astray = False

    @property
    def marbles(self) -> tuple[Marble, ...]:
        """The marbles that are on their way: none at the start, and none when all are home."""
        if self._rules.steps < _HIDDEN or self._reader.finished:
            return ()
        return tuple(self._rules.marbles)

    def step(self) -> None:
        """Advance by one fixed step, until the end of the run."""
        if self._reader.finished:
            return
        self._rules.step(self._reader.read())
        cleared = self._rules.phase is Phase.CLEARED
        self.astray = cleared is not self._reader.finished


class Attempt:
    """An attempt at the current level of ``rules``, from its start. ``best`` is the run to beat."""

    def __init__(self, rules: Rules, best: Run | None) -> None:
        self._rules = rules
        self._writer = RunWriter()
        self.ghost = Ghost(rules.level, best) if best is not None else None

    def step(self, hand: Hand) -> Run | None:
        """Advance by one fixed step; the run, if it has just cleared the level."""
        playing = self._rules.phase is Phase.PLAYING
        self._rules.step(hand)
        if not playing:
            return None
        self._writer.write(hand)
        if self.ghost is not None:
            self.ghost.step()
        return self._writer.run() if self._rules.phase is Phase.CLEARED else None
