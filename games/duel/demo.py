"""Writes replays in which bots hold the controls: ``python -m renderwright.games.duel.demo PLAYERS SECONDS FILE``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from renderwright.engine.game import GameContext
from renderwright.games.duel.arena import load_arenas
from renderwright.games.duel.bots import Bot
from renderwright.games.duel.match import Match, Phase
from renderwright.games.duel.tanks import STEP, Hand

SEED = 4
_START = 30
"""The step in which the match begins."""
_NOTCHES = 4.0
"""Steps of an axis, so that it does not change all the time."""


def replay_of(players: int, seconds: float) -> str:
    """A replay of a match with so many players, as YAML."""
    lines = ["version: 1", f"seed: {SEED}", f"step_seconds: {STEP}", f"length: {round(seconds / STEP)}", "steps:"]
    return "\n".join([*lines, *(f"  - {event}" for event in _events(players, seconds))]) + "\n"


def _events(players: int, seconds: float) -> Iterator[str]:
    # The match is the one that the replay will be played in: same seed, and the same hands.
    match = Match(load_arenas(), players, GameContext(seed=SEED).random)
    drivers = [Bot(number, GameContext(seed=SEED + 1 + number).random) for number in range(players)]
    before = [Hand()] * players
    yield f"{{step: {_START}, press: [start], release: [start]}}"
    for step in range(round(seconds / STEP)):
        if step == _START:
            match.start()
        hands = before
        if match.phase is Phase.FIGHT:
            hands = [_rounded(bot.hand(match.tanks, match.open_pads, match.ground)) for bot in drivers]
        ends = ["" if players == 1 else f"_{number + 1}" for number in range(players)]
        changes = [
            change for end, hand, old in zip(ends, hands, before, strict=True) for change in _changes(end, hand, old)
        ]
        for words in ("axis", "press", "release"):
            some = [text for word, text in changes if word == words]
            if some:
                yield f"{{step: {step}, {words}: {'{%s}' if words == 'axis' else '[%s]'}}}" % ", ".join(some)
        match.step(hands)
        before = hands


def _rounded(hand: Hand) -> Hand:
    turn, strafe = (round(value * _NOTCHES) / _NOTCHES for value in (hand.turn, hand.strafe))
    return Hand(round(hand.drive * _NOTCHES) / _NOTCHES, turn, strafe, hand.fire, hand.boost)


def _changes(end: str, hand: Hand, before: Hand) -> Iterator[tuple[str, str]]:
    """What a replay has for a hand that was another one in the step before."""
    for name in (field.name for field in fields(Hand)):
        value = getattr(hand, name)
        if value == getattr(before, name):
            continue
        if isinstance(value, bool):
            yield ("press" if value else "release"), f"{name}{end}"
        else:
            yield "axis", f"{name}{end}: {value:g}"


if __name__ == "__main__":
    Path(sys.argv[3]).write_text(replay_of(int(sys.argv[1]), float(sys.argv[2])), encoding="utf-8")
