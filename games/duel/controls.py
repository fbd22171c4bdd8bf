"""Key bindings: four seats at one keyboard, and a gamepad for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from renderwright.engine.input import InputState, of_gamepad
from renderwright.games.duel.tanks import Hand

_SEATS: tuple[tuple[str, ...], ...] = (
    ("s", "w", "a", "d", "q", "e", "space", "left_shift"),
    ("down", "up", "left", "right", "comma", "period", "enter", "right_shift"),
    ("k", "i", "j", "l", "u", "o", "h", "y"),
    ("num_5", "num_8", "num_4", "num_6", "num_7", "num_9", "num_0", "num_enter"),
)
"""Back, forwards, left, right, sideways left and right, fire, boost."""
_SINGLE_SEATS = 2
"""A single player has the keys of so many seats."""

KEY_NAMES = (
    "W A S D  drive    Q E  sideways    Space  fire    Shift  boost   or a gamepad",
    "← ↑ ↓ →  drive    , .  sideways    Enter  fire    Shift  boost   or a gamepad",
    "I J K L  drive    U O  sideways    H  fire    Y  boost   or a gamepad",
    "8 4 5 6  drive    7 9  sideways    0  fire    Enter  boost   of the keypad, or a gamepad",
)


def _joined(*bindings: Mapping[str, list[str]]) -> dict[str, list[str]]:
    names = dict.fromkeys(name for binding in bindings for name in binding)
    return {name: [key for binding in bindings for key in binding.get(name, [])] for name in names}


def _pad(seat: int) -> dict[str, Any]:
    """The bindings of a seat's gamepad."""

    def named(*names: str) -> list[str]:
        return [of_gamepad(f"pad_{name}", seat) for name in names]

    return {
        "drive": {"negative": named("down"), "positive": named("up"), "axes": named("left_y")},
        "turn": {"negative": named("left"), "positive": named("right"), "axes": named("right_x")},
        "strafe": {"axes": named("left_x")},
        "fire": {"keys": named("a", "right_shoulder")},
        "boost": {"keys": named("b", "left_shoulder")},
    }


def _keys(seat: int) -> dict[str, Any]:
    """The bindings of a seat at the keyboard."""
    back, ahead, left, right, aside_left, aside_right, fire, boost = _SEATS[seat]
    return {
        "drive": {"negative": [back], "positive": [ahead]},
        "turn": {"negative": [left], "positive": [right]},
        "strafe": {"negative": [aside_left], "positive": [aside_right]},
        "fire": {"keys": [fire]},
        "boost": {"keys": [boost]},
    }


def _controls() -> Mapping[str, Any]:
    actions: dict[str, list[str]] = {
        "start": ["enter", "space", "pad_a", "pad_start"],
        "pause": ["p", "pad_start"],
        "leave": ["escape", "pad_back"],
    }
    axes: dict[str, Any] = {}
    players: dict[str, tuple[dict[str, Any], ...]] = {
        f"_{seat + 1}": (_keys(seat), _pad(seat)) for seat in range(len(_SEATS))
    }
    players[""] = (*(_keys(seat) for seat in range(_SINGLE_SEATS)), _pad(0))
    for end, bindings in players.items():
        for name in bindings[0]:
            joined = _joined(*(binding[name] for binding in bindings))
            if "keys" in joined:
                actions[f"{name}{end}"] = joined["keys"]
            else:
                axes[f"{name}{end}"] = joined
    return {"actions": actions, "axes": axes}


CONTROLS = _controls()
"""A single player uses ``drive`` and so on, with the keys of the first two seats; of several the first ``drive_1``."""


def hand(state: InputState, player: int, players: int) -> Hand:
    """What a player does, counted from 0, of so many."""
    end = "" if players == 1 else f"_{player + 1}"
    return Hand(
        state.axis(f"drive{end}"),
        state.axis(f"turn{end}"),
        state.axis(f"strafe{end}"),
        state.held(f"fire{end}"),
        state.held(f"boost{end}"),
    )
