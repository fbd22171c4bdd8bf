"""Key bindings of one player and of two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from renderwright.engine.input import InputState
from renderwright.games.drift.ship import Helm

MOST_PLAYERS = 2
KEY_NAMES = ("A D  turn    W  thrust    S  brake    Space  fire", "← →  turn    ↑  thrust    ↓  brake    Enter  fire")
"""The keys of each of two players; the second has the gamepad, too."""

_WASD = ({"negative": ["a"], "positive": ["d"]}, {"negative": ["s"], "positive": ["w"]})
_ARROWS = ({"negative": ["left"], "positive": ["right"]}, {"negative": ["down"], "positive": ["up"]})
_PAD = (
    {"negative": ["pad_left"], "positive": ["pad_right"], "axes": ["pad_left_x"]},
    {"negative": ["pad_down", "pad_left_shoulder"], "positive": ["pad_up", "pad_b"], "axes": ["pad_right_trigger"]},
)
_PAD_FIRE = ["pad_a", "pad_x", "pad_right_shoulder"]


def _joined(*bindings: Mapping[str, list[str]]) -> dict[str, list[str]]:
    names = dict.fromkeys(name for binding in bindings for name in binding)
    return {name: [key for binding in bindings for key in binding.get(name, [])] for name in names}


CONTROLS: Mapping[str, Any] = {
    "actions": {
        "start": ["enter", "space", "pad_a", "pad_start"],
        "pause": ["p", "pad_start"],
        "quit": ["escape", "pad_back"],
        "fire": ["space", "left_ctrl", "right_ctrl", *_PAD_FIRE],
        "fire_1": ["space", "left_ctrl"],
        "fire_2": ["enter", "right_ctrl", *_PAD_FIRE],
    },
    "axes": {
        "turn": _joined(_WASD[0], _ARROWS[0], _PAD[0]),
        "thrust": _joined(_WASD[1], _ARROWS[1], _PAD[1]),
        "turn_1": _WASD[0],
        "thrust_1": _WASD[1],
        "turn_2": _joined(_ARROWS[0], _PAD[0]),
        "thrust_2": _joined(_ARROWS[1], _PAD[1]),
    },
}
"""A single player uses ``turn``, ``thrust`` and ``fire``, the first of two ``turn_1`` and so on."""


def helms(state: InputState, players: int) -> list[Helm]:
    """What each player does."""
    ends = [""] if players == 1 else [f"_{player + 1}" for player in range(players)]
    return [Helm(state.axis(f"turn{end}"), state.axis(f"thrust{end}"), state.held(f"fire{end}")) for end in ends]
