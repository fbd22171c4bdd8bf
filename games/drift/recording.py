"""Writes a match of the autopilot as a replay: ``python -m renderwright.games.drift.recording SEED > demo.yaml``."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

from renderwright.engine.game import GameContext, GameRunner
from renderwright.engine.input import InputState
from renderwright.engine.input.recorder import Recorder
from renderwright.games.drift.autopilot import fly
from renderwright.games.drift.game import Drift
from renderwright.games.drift.match import STEP
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
    game, recorder = Drift(), Recorder(STEP, seed)
    runner = GameRunner(game, GameContext(seed=seed), source=Pilot(game, _BOLD), watcher=recorder)
    runner.start()
    steps = 0
    while steps < _MOST and (game.on_title or not game.match.over):
        runner.frame(STEP)
        steps += 1
    for _ in range(_AFTER):
        runner.frame(STEP)
    score = game.match.score
    runner.close()
    return recorder.text(), steps, score


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
