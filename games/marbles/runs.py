"""A run: what the player's hands did from the start of a level until all marbles were home.

As text it is an input script, so ``renderwright play marbles --replay FILE`` plays it.
"""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.games.marbles.physics import STEP
from renderwright.games.marbles.rounds import Hand
from renderwright.render.errors import AssetError, SourceLocation


@dataclass(frozen=True)
class Run:
    """``hands`` are the changes: the step of each, counted from the level's start, and the hand from there on."""

    steps: int
    hands: tuple[tuple[int, Hand], ...]


class RunWriter:
    """Writes down the hand of each step."""

    def __init__(self) -> None:
        self._steps = 0
        self._hands: list[tuple[int, Hand]] = []

    def write(self, hand: Hand) -> None:
        """The hand of the next step."""
        if not self._hands or self._hands[-1][1] != hand:
            self._hands.append((self._steps, hand))
        self._steps += 1

    def run(self) -> Run:
        """The run so far."""
        return Run(self._steps, tuple(self._hands))


class RunReader:
    """Plays a run hand by hand."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._steps = 0
        self._next = 0
        self._hand = Hand()

    @property
    def finished(self) -> bool:
        """Whether all steps have been read."""
        return self._steps >= self._run.steps

    def read(self) -> Hand:
        """The hand of the next step."""
        hands = self._run.hands
        if self._next < len(hands) and hands[self._next][0] == self._steps:
            self._hand = hands[self._next][1]
            self._next += 1
        self._steps += 1
        return self._hand


def run_text(run: Run, level_index: int) -> str:
    """The input script that chooses the level and plays the run."""
    key = f"level_{level_index + 1}"
    lines = ["version: 1", f"step_seconds: {STEP!r}", f"length: {run.steps + 1}", "steps:"]
    lines.append(f"  - {{step: 0, press: [{key}], release: [{key}]}}")
    lines += [
        f"  - {{step: {step}, axis: {{tilt_right: {hand.right!r}, tilt_away: {0.0 - hand.near!r}}}}}"
        for step, hand in run.hands
    ]
    return "\n".join([*lines, f"  - {{step: {run.steps}, axis: {{tilt_right: 0.0, tilt_away: 0.0}}}}", ""])


def parse_run(text: str, file: str) -> Run:
    """The run of a text of ``run_text``. Raises ``AssetError`` with file, line and column."""
    # Most games have no kept run, and input scripts take a while to import.
    from renderwright.engine.input.mapping import InputMap
    from renderwright.engine.input.replay import parse_replay
    from renderwright.games.marbles.controls import CONTROLS

    hands: list[tuple[int, Hand]] = []
    right = away = 0.0
    for event in parse_replay(text, file, InputMap.from_dict(CONTROLS)).events:
        if event.axis:
            right, away = event.axis.get("tilt_right", right), event.axis.get("tilt_away", away)
            hands.append((event.step_index(STEP), Hand(right, 0.0 - away)))
    if not hands:
        raise AssetError(
            "the run tilts nothing", hint="a run has the axes tilt_right and tilt_away", where=SourceLocation(file)
        )
    return Run(hands[-1][0], tuple(hands[:-1]))
