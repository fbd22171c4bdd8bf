"""Finds a solution of a level by beam search over held tilts.

Each candidate holds one of nine tilts for a fixed time. The candidates with the shortest remaining distances survive.
The result is a sequence of hands that clears the level. It proves that a level is solvable, and serves as a demo
replay::

    python -m renderwright.games.marbles.solver 2 > games/marbles/replays/02_the_gap.yaml
"""

from __future__ import annotations

import copy
import math
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from renderwright.games.marbles.course import Course, PitKind
from renderwright.games.marbles.level import Cell, Level, Tile
from renderwright.games.marbles.level_file import load_levels
from renderwright.games.marbles.physics import Marble
from renderwright.games.marbles.rounds import Hand, Phase
from renderwright.games.marbles.rules import Rules
from renderwright.games.marbles.runs import Run, RunWriter, run_text

_NO_WAY = 60
_STILL_OUT = 6.0
_SPEED_COST = 0.35
HANDS = tuple(Hand(right, near) for right in (0.0, -1.0, 1.0) for near in (0.0, -1.0, 1.0))


@dataclass(frozen=True)
class Search:
    """Parameters of the search."""

    hold: int = 48
    """Number of fixed steps that a hand is held."""
    width: int = 60
    moves: int = 200


@dataclass
class _Candidate:
    rules: Rules
    hands: tuple[Hand, ...]
    cost: float


def solve(level: Level, search: Search = Search()) -> tuple[Hand, ...] | None:
    """Hands, each held for ``search.hold`` steps, that clear ``level`` without a fall; None if none were found."""
    fields = _goal_fields(level)
    beam = [_Candidate(Rules([level]), (), math.inf)]
    for _ in range(search.moves):
        offspring: dict[tuple[int, ...], _Candidate] = {}
        for candidate in beam:
            for hand in HANDS:
                rules = _fork(candidate.rules)
                for _ in range(search.hold):
                    rules.step(hand)
                if rules.phase is Phase.CLEARED:
                    return (*candidate.hands, hand)
                if _someone_fell(rules):
                    continue
                child = _Candidate(rules, (*candidate.hands, hand), _cost(rules, fields))
                key = _coarse(rules)
                if key not in offspring or child.cost < offspring[key].cost:
                    offspring[key] = child
        beam = sorted(offspring.values(), key=lambda candidate: candidate.cost)[: search.width]
        if not beam:
            return None
    return None


def _fork(rules: Rules) -> Rules:
    """A copy that shares everything immutable during a level."""
    fork = copy.copy(rules)
    fork.marbles = [copy.copy(marble) for marble in rules.marbles]
    fork.world = copy.copy(rules.world)
    fork.world.marbles = fork.marbles
    fork.world.mover_times = list(rules.world.mover_times)
    fork.world.bumps = list(rules.world.bumps)
    fork.coins_left = set(rules.coins_left)
    fork._captured_for = list(rules._captured_for)
    return fork


def _someone_fell(rules: Rules) -> bool:
    return any(marble.captured is not None and marble.captured.kind is PitKind.HOLE for marble in rules.marbles)


def _goal_fields(level: Level) -> dict[Cell, dict[Cell, int]]:
    """For each goal, the cells that reach it and their number of steps (breadth-first search)."""
    fields: dict[Cell, dict[Cell, int]] = {}
    for goal in level.cells(Tile.GOAL):
        steps = {goal: 0}
        queue = deque([goal])
        while queue:
            column, row = queue.popleft()
            for cell in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
                if not (0 <= cell[0] < level.columns and 0 <= cell[1] < len(level.rows)) or cell in steps:
                    continue
                if level.tile(cell) in (Tile.FLOOR, Tile.START, Tile.COIN):
                    steps[cell] = steps[column, row] + 1
                    queue.append(cell)
        fields[goal] = steps
    return fields


def _cost(rules: Rules, fields: dict[Cell, dict[Cell, int]]) -> float:
    """Total remaining distance in the cheapest assignment of marbles to goals, plus a small cost for speed."""
    taken = {
        rules.course.cell(marble.captured.x, marble.captured.z)
        for marble in rules.marbles
        if marble.captured is not None
    }
    rolling = [marble for marble in rules.marbles if marble.captured is None]
    goals = [goal for goal in fields if goal not in taken]
    ways = [[_way(rules.course, marble, goal, fields[goal]) for goal in goals] for marble in rolling]
    assignments = permutations(range(len(goals)), len(rolling))
    way = min(sum(ways[number][goal] for number, goal in enumerate(chosen)) for chosen in assignments)
    return way + sum(_STILL_OUT + _SPEED_COST * math.hypot(*marble.velocity) for marble in rolling)


def _way(course: Course, marble: Marble, goal: Cell, steps: dict[Cell, int]) -> float:
    x, _, z = marble.position
    spot = course.centre(goal)
    return steps.get(course.cell(x, z), _NO_WAY) + 0.5 * math.hypot(x - spot.x, z - spot.z)


def _coarse(rules: Rules) -> tuple[int, ...]:
    """Quantised state. Of candidates with equal quantised states, one is kept."""
    key = [round(rules.tilt.roll * 7.0), round(rules.tilt.pitch * 7.0)]
    for marble in rules.marbles:
        if marble.pinned:
            key += [-1]
        else:
            key += [round(2.5 * marble.position[0]), round(2.5 * marble.position[2])]
            key += [round(0.7 * marble.velocity[0]), round(0.7 * marble.velocity[2])]
    return tuple(key)


def run_of(level: Level, hands: Sequence[Hand], hold: int) -> Run:
    """The run of ``hands``, each held for ``hold`` steps, until the level is cleared."""
    rules, writer = Rules([level]), RunWriter()
    for hand in hands:
        for _ in range(hold):
            if rules.phase is Phase.PLAYING:
                writer.write(hand)
                rules.step(hand)
    return writer.run()


def main(arguments: Sequence[str]) -> int:
    """Print the replay that clears the level of the given number (from 1)."""
    levels = load_levels()
    if len(arguments) != 1 or arguments[0] not in {str(number + 1) for number in range(len(levels))}:
        print(f"usage: python -m renderwright.games.marbles.solver LEVEL   (1 to {len(levels)})", file=sys.stderr)
        return 2
    search, index = Search(), int(arguments[0]) - 1
    hands = solve(levels[index], search)
    if hands is None:
        print("no solution found; try a wider search", file=sys.stderr)
        return 1
    print(run_text(run_of(levels[index], hands, search.hold), index), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
