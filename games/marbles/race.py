"""The rules for two to four players: a race on one board. No rendering, no input devices.

Each player's tilt affects only that player's marble, so players interact through collisions only. The picture shows the
mean of the tilts. The first marble in a goal wins the round for its player. A fall only costs time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from renderwright.games.marbles.course import Course, Spot
from renderwright.games.marbles.level import Cell, Level, Tile
from renderwright.games.marbles.physics import STEP
from renderwright.games.marbles.rounds import COIN_SCORE, Hand, Phase, Rounds
from renderwright.games.marbles.tilt import Tilt

WIN_SCORE = 200
MOST_PLAYERS = 4


class Race(Rounds):
    """A race over all levels. The player whose marble is home first wins the level."""

    def __init__(self, levels: Sequence[Level], players: int, first_level: int = 0) -> None:
        super().__init__(levels)
        if not 2 <= players <= MOST_PLAYERS:
            raise ValueError(f"a race is for 2 to {MOST_PLAYERS} players, not {players}")
        self.players = players
        self.tilts = [self.tilt] * players
        """Tilt of each player, which follows the player's input."""
        self._forget_score()
        self._start(first_level)

    def step(self, hands: Sequence[Hand]) -> None:
        """Advance by one fixed step. ``hands`` holds the input of each player."""
        still = self.phase is not Phase.PLAYING
        self.tilts = [
            tilt.follow(0.0 if still else hand.right, 0.0 if still else hand.near, STEP)
            for tilt, hand in zip(self.tilts, hands, strict=True)
        ]
        self.tilt = _mean(self.tilts)
        self.world.step(self.tilt.gravity(), own=[tilt.gravity() for tilt in self.tilts])
        self._advance()

    def leaders(self) -> tuple[int, ...]:
        """The players with the most points."""
        best = max(self.scores)
        return tuple(player for player, score in enumerate(self.scores) if score == best)

    def _start(self, index: int) -> None:
        super()._start(index)
        self.tilts = [self.tilt] * self.players
        self.winners: tuple[int, ...] = ()
        self._at_start = (tuple(self.scores), tuple(self.wins))

    def _start_spots(self) -> Sequence[Spot]:
        return start_spots(self.level, self.course, self.players, turn=self.level_index)

    def _forget_score(self) -> None:
        self.scores = [0] * self.players
        self.wins = [0] * self.players

    def _restore_score(self) -> None:
        self.scores, self.wins = (list(each) for each in self._at_start)

    def _take_coin(self, number: int) -> None:
        self.scores[number] += COIN_SCORE

    def _come_home(self, number: int) -> None:
        self.winners = (*self.winners, number)

    def _fall(self, number: int) -> None:
        self.marbles[number].respawn(self.starts[number])

    def _judge(self) -> None:
        """All players whose marbles come home in the same step win the round."""
        for player in self.winners:
            self.scores[player] += WIN_SCORE
            self.wins[player] += 1
        if self.winners:
            self._enter(Phase.CLEARED)
        elif self.time >= self.level.settings.time_limit:
            self._enter(Phase.LOST)


def start_spots(level: Level, course: Course, players: int, turn: int) -> tuple[Spot, ...]:
    """A floor cell for each player: the first start and the cells nearest to it by walking distance.

    The assignment rotates with ``turn``, so that no player is nearest in every round.
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
    # If the region has too few cells, players share one, and collisions separate the marbles.
    return tuple(course.centre(found[(player + turn) % players % len(found)]) for player in range(players))


def _mean(tilts: Sequence[Tilt]) -> Tilt:
    count = len(tilts)
    return Tilt(sum(tilt.roll for tilt in tilts) / count, sum(tilt.pitch for tilt in tilts) / count)
