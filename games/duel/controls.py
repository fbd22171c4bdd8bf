"""Key bindings: four seats at one keyboard, the gamepad for the second of several players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from renderwright.engine.input import InputState
from renderwright.games.duel.tanks import Hand

_SEATS: tuple[tuple[str, ...], ...] = (
    ("s", "w", "a", "d", "q", "e", "space", "left_shift"),
    ("down", "up", "left", "right", "comma", "period", "enter", "right_shift"),
    ("k", "i", "j", "l", "u", "o", "h", "y"),
    ("num_5", "num_8", "num_4", "num_6", "num_7", "num_9", "num_0", "num_enter"),
)
"""Back, forwards, left, right, sideways left and right, fire, boost."""
_PAD = {
    "drive": {"negative": ["pad_down"], "positive": ["pad_up"], "axes": ["pad_left_y"]},
    "turn": {"negative": ["pad_left"], "positive": ["pad_right"], "axes": ["pad_right_x"]},
    "strafe": {"axes": ["pad_left_x"]},
    "fire": ["pad_a", "pad_right_shoulder"],
    "boost": ["pad_b", "pad_left_shoulder"],
}
_PAD_SEAT = 1

KEY_NAMES = (
    "W A S D  drive    Q E  sideways    Space  fire    Shift  boost",
    "← ↑ ↓ →  drive    , .  sideways    Enter  fire    Shift  boost   or the gamepad",
    "I J K L  drive    U O  sideways    H  fire    Y  boost",
    "8 4 5 6  drive    7 9  sideways    0  fire    Enter  boost   of the keypad",
)


def _joined(*bindings: Mapping[str, list[str]]) -> dict[str, list[str]]:
    names = dict.fromkeys(name for binding in bindings for name in binding)
    return {name: [key for binding in bindings for key in binding.get(name, [])] for name in names}


def _controls() -> Mapping[str, Any]:
    actions: dict[str, list[str]] = {
        "start": ["enter", "space", "pad_a", "pad_start"],
        "pause": ["p", "pad_start"],
        "leave": ["escape", "pad_back"],
    }
    axes: dict[str, Any] = {}
    alone: dict[str, list[Any]] = {name: [] for name in _PAD}
    for seat, (back, ahead, left, right, aside_left, aside_right, fire, boost) in enumerate(_SEATS):
        bound: dict[str, Any] = {
            "drive": {"negative": [back], "positive": [ahead]},
            "turn": {"negative": [left], "positive": [right]},
            "strafe": {"negative": [aside_left], "positive": [aside_right]},
            "fire": [fire],
            "boost": [boost],
        }
        for name, binding in bound.items():
            pad = _PAD[name]
            if seat == _PAD_SEAT:
                binding = [*binding, *pad] if isinstance(binding, list) else _joined(binding, pad)  # type: ignore[arg-type]
            if seat <= _PAD_SEAT:
                alone[name].append(binding)
            (actions if isinstance(binding, list) else axes)[f"{name}_{seat + 1}"] = binding
    for name, bindings in alone.items():
        if isinstance(bindings[0], list):
            actions[name] = [key for binding in bindings for key in binding]
        else:
            axes[name] = _joined(*bindings)
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
