"""Writes a match of the autopilot as a replay: ``python -m renderwright.games.drift.recording SEED > demo.yaml``."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence

from renderwright.engine.input import InputState
from renderwright.engine.recording import recorded
from renderwright.games.drift.autopilot import fly
from renderwright.games.drift.game import Drift
from renderwright.games.drift.ship import Helm

_STARTS = 60
"""The step in which the title ends."""
_BOLD = 600
"""The step from which on the pilot never flees, so that the match ends."""
_AFTER = 90
"""Steps after the end."""
_MOST = 7200


class Pilot:
    """Presses the keys of the autopilot: a source of input. It is bold from a step on, or never (None)."""

    def __init__(self, game: Drift, bold_from: int | None = None) -> None:
        self._game = game
        self._bold_from = math.inf if bold_from is None else bold_from
        self._keys: frozenset[str] = frozenset()

    def feed(self, state: InputState, step: int) -> None:
        """Press and release keys before a step."""
        keys: frozenset[str] = frozenset()
        if step == _STARTS:
            keys = frozenset({"enter"})
        elif step > _STARTS and not self._game.match.over:
            keys = _keys(fly(self._game.match, 0, bold=step > self._bold_from))
        for key in sorted(self._keys - keys):
            state.release(key)
        for key in sorted(keys - self._keys):
            state.press(key)
        self._keys = keys


def record(seed: int) -> tuple[str, int, int]:
    """A replay of a whole match, the steps that it takes, and its score."""
    game, steps = Drift(), 0
    pilot = Pilot(game, _BOLD)

    def play(state: InputState) -> Iterator[None]:
        nonlocal steps
        while steps < _MOST and (game.on_title or not game.match.over):
            pilot.feed(state, steps)
            yield
            steps += 1
        for step in range(steps, steps + _AFTER):
            pilot.feed(state, step)
            yield

    return recorded(game, play, seed), steps, game.match.score


def _keys(helm: Helm) -> frozenset[str]:
    turn = {-1.0: ["left"], 0.0: [], 1.0: ["right"]}[helm.turn]
    return frozenset([*turn, *(["up"] if helm.thrust > 0.0 else []), *(["space"] if helm.fire else [])])


def main(arguments: Sequence[str]) -> int:
    """Print the replay of a seed."""
    if len(arguments) != 1 or not arguments[0].isdecimal():
        print("usage: python -m renderwright.games.drift.recording SEED", file=sys.stderr)
        return 2
    text, steps, score = record(int(arguments[0]))
    print(text, end="")
    print(f"{steps} steps, {score} points", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
