"""The rules for two to four players: a race on one board. No picture, no input devices.

Every player has a marble and tilts the board for it alone, so nobody is at another's mercy but by collision; what is
seen is the mean of the tilts. The first marble in a goal wins the round for its player. A fall costs only time.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

from games.marbles.course import COIN_RADIUS, MARBLE_RADIUS, Course, PitKind, Spot, build_course
from games.marbles.level import Cell, Level, Tile
from games.marbles.physics import STEP, Marble, World
from games.marbles.rules import CLEARED_DELAY, COIN_SCORE, RESPAWN_DELAY, SETTLE_DELAY, Hand, Phase
from games.marbles.tilt import Tilt

WIN_SCORE = 200
MOST_PLAYERS = 4


class Race:
    """A race over all levels, advanced in fixed steps of ``physics.STEP`` seconds."""

    def __init__(self, levels: Sequence[Level], players: int, first_level: int = 0) -> None:
        if not levels:
            raise ValueError("a game needs a level")
        if not 2 <= players <= MOST_PLAYERS:
            raise ValueError(f"a race is for 2 to {MOST_PLAYERS} players, not {players}")
        self.levels = tuple(levels)
        self.players = players
        self.scores = [0] * players
        self.wins = [0] * players
        self.time = 0.0
        self.tilt = Tilt()
        self.tilts = [self.tilt] * players
        """What each player asks of the board, as far as it has followed."""
        self._start(first_level)

    @property
    def level(self) -> Level:
        """The level that is played."""
        return self.levels[self.level_index]

    def step(self, hands: Sequence[Hand]) -> None:
        """Advance by one fixed step; ``hands`` are those of the players."""
        self.phase_time += STEP
        still = self.phase is not Phase.PLAYING
        self.tilts = [
            tilt.follow(0.0 if still else hand.right, 0.0 if still else hand.near, STEP)
            for tilt, hand in zip(self.tilts, hands, strict=True)
        ]
        self.tilt = _mean(self.tilts)
        self.world.step(self.tilt.gravity(), own=[tilt.gravity() for tilt in self.tilts])
        if self.phase is Phase.PLAYING:
            self.time += STEP
            self._take_coins()
            self._watch_marbles()
            if self.winners:
                self._finish()
            elif self.time >= self.level.settings.time_limit:
                self._enter(Phase.LOST)
        elif self.phase is Phase.CLEARED and self.phase_time >= CLEARED_DELAY:
            self.next_level()

    def restart(self) -> None:
        """Start the round again with the scores that it began with; after the last one, start the whole race again."""
        if self.phase is Phase.WON:
            self.scores, self.wins = [0] * self.players, [0] * self.players
            self._start(0)
            return
        self.scores, self.wins = list(self._at_start[0]), list(self._at_start[1])
        self._start(self.level_index)

    def next_level(self) -> None:
        """Go to the next level, decided or not; after the last one, once it is decided, the race is over."""
        if self.phase is Phase.WON:
            return
        if self.phase is not Phase.CLEARED:
            self.scores = list(self._at_start[0])
        if self.level_index + 1 < len(self.levels):
            self._start(self.level_index + 1)
        elif self.phase is Phase.CLEARED:
            self._enter(Phase.WON)
        else:
            self._start(0)

    def leaders(self) -> tuple[int, ...]:
        """The players with the most points."""
        best = max(self.scores)
        return tuple(player for player, score in enumerate(self.scores) if score == best)

    def _start(self, index: int) -> None:
        self.level_index = index
        self.course: Course = build_course(self.level)
        self.starts = start_spots(self.level, self.course, self.players, turn=index)
        self.marbles = [Marble((spot.x, MARBLE_RADIUS, spot.z)) for spot in self.starts]
        self.world = World(self.course, self.marbles)
        self.tilt = Tilt()
        self.tilts = [self.tilt] * self.players
        self.time = 0.0
        self.coins_left = set(range(len(self.course.coins)))
        self.winners: tuple[int, ...] = ()
        self._at_start = (tuple(self.scores), tuple(self.wins))
        self._captured_for = [0.0] * self.players
        self._enter(Phase.PLAYING)

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self.phase_time = 0.0

    def _take_coins(self) -> None:
        reach = MARBLE_RADIUS + COIN_RADIUS
        for number in sorted(self.coins_left):
            coin = self.course.coins[number]
            distances = [
                (math.hypot(marble.position[0] - coin.x, marble.position[2] - coin.z), player)
                for player, marble in enumerate(self.marbles)
                if marble.captured is None
            ]
            if distances and min(distances)[0] < reach:
                self.coins_left.remove(number)
                self.scores[min(distances)[1]] += COIN_SCORE

    def _watch_marbles(self) -> None:
        for player, marble in enumerate(self.marbles):
            if marble.captured is None:
                self._captured_for[player] = 0.0
                continue
            before = self._captured_for[player]
            self._captured_for[player] = before + STEP
            if marble.captured.kind is PitKind.GOAL:
                if before < SETTLE_DELAY <= self._captured_for[player]:
                    marble.pinned = True
                    marble.velocity = marble.spin = (0.0, 0.0, 0.0)
                    self.winners = (*self.winners, player)
            elif before < RESPAWN_DELAY <= self._captured_for[player]:
                self._captured_for[player] = 0.0
                marble.respawn(self.starts[player])

    def _finish(self) -> None:
        """Whoever came home in the same step shares the round: all of them win it."""
        for player in self.winners:
            self.scores[player] += WIN_SCORE
            self.wins[player] += 1
        self._enter(Phase.CLEARED)


def start_spots(level: Level, course: Course, players: int, turn: int) -> tuple[Spot, ...]:
    """A cell of floor for each player: the first start and those nearest to it on foot.

    Who gets which changes with ``turn``, so that nobody is nearest in every round.
    """
    first = level.cells(Tile.START)[0]
    swept = {cell for mover in level.settings.movers for cell in mover.cells()}
    found: list[Cell] = []
    seen, edge = {first}, deque([first])
    while edge and len(found) < players:
        column, row = edge.popleft()
        if (column, row) not in swept:
            found.append((column, row))
        for cell in ((column + 1, row), (column, row + 1), (column - 1, row), (column, row - 1)):
            inside = 0 <= cell[0] < level.columns and 0 <= cell[1] < len(level.rows)
            if inside and cell not in seen and level.tile(cell) in (Tile.FLOOR, Tile.START, Tile.COIN):
                seen.add(cell)
                edge.append(cell)
    # A region has room for its marbles and their goals, if perhaps for no more: then players share a cell and part.
    return tuple(course.centre(found[(player + turn) % players % len(found)]) for player in range(players))


def _mean(tilts: Sequence[Tilt]) -> Tilt:
    count = len(tilts)
    return Tilt(sum(tilt.roll for tilt in tilts) / count, sum(tilt.pitch for tilt in tilts) / count)
