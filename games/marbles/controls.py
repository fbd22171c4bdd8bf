"""Key bindings of one player and of a race."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from renderwright.engine.input import InputState, of_gamepad
from renderwright.games.marbles.rounds import Hand

_KEYS = (
    ("a", "d", "s", "w"),
    ("left", "right", "down", "up"),
    ("j", "l", "k", "i"),
    ("num_4", "num_6", "num_5", "num_8"),
)
"""Keys for left, right, near, away of each player of a race."""
KEY_NAMES = tuple(f"{keys}   or   left stick" for keys in ("W A S D", "← ↑ ↓ →", "I J K L", "8 4 5 6 of the keypad"))
"""Human-readable controls of each player of a race."""

MOST_KEYS = 9
"""Levels that have a digit as a key."""
_FINENESS = 64
"""Tilts that a stick can ask for, from none to all."""


def _axis(negative: list[str], positive: list[str], pad: str, player: int = 0) -> dict[str, list[str]]:
    names = {"pad_left_x": ("pad_left", "pad_right"), "pad_left_y": ("pad_down", "pad_up")}[pad]
    left, right = (of_gamepad(name, player) for name in names)
    return {"negative": [*negative, left], "positive": [*positive, right], "axes": [of_gamepad(pad, player)]}


def _race_axes() -> dict[str, dict[str, list[str]]]:
    axes = {}
    for player, (left, right, near, away) in enumerate(_KEYS):
        axes[f"player_{player + 1}_right"] = _axis([left], [right], "pad_left_x", player)
        axes[f"player_{player + 1}_away"] = _axis([near], [away], "pad_left_y", player)
    return axes


CONTROLS: Mapping[str, Any] = {
    "actions": {
        "restart": ["r", "pad_y"],
        "next": ["n", "pad_x"],
        "go_on": ["enter", "space", "pad_a"],
        "pause": ["p", "pad_start"],
        "levels": ["tab", "pad_left_shoulder"],
        "menu_up": ["up", "w", "pad_up"],
        "menu_down": ["down", "s", "pad_down"],
        "ghost": ["g", "pad_right_shoulder"],
        **{f"level_{number}": [str(number)] for number in range(1, MOST_KEYS + 1)},
        "help": ["h"],
        "quit": ["escape", "pad_back"],
    },
    "axes": {
        "tilt_right": _axis(["left", "a"], ["right", "d"], "pad_left_x"),
        "tilt_away": _axis(["down", "s"], ["up", "w"], "pad_left_y"),
        **_race_axes(),
    },
}
"""A single player uses ``tilt_right`` and ``tilt_away``, players of a race ``player_1_right`` and so on."""


def hand(state: InputState) -> Hand:
    """Input of a single player. Hands of a stick are rounded, so that a kept run has few changes."""
    return Hand(_rounded(state.axis("tilt_right")), -_rounded(state.axis("tilt_away")))


def _rounded(value: float) -> float:
    return round(value * _FINENESS) / _FINENESS


def race_hand(state: InputState, player: int) -> Hand:
    """Input of a player of a race, counted from 0."""
    return Hand(state.axis(f"player_{player + 1}_right"), -state.axis(f"player_{player + 1}_away"))
