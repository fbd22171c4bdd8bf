"""Names of all keys, buttons and axes."""

from __future__ import annotations

import string

#: Letters, digits and named keys of the keyboard.
KEYBOARD: frozenset[str] = frozenset(
    [
        *string.ascii_lowercase,
        *string.digits,
        *(f"f{number}" for number in range(1, 13)),
        *(f"num_{number}" for number in range(10)),
        *("left", "right", "up", "down", "space", "enter", "escape", "tab", "backspace", "delete", "insert"),
        *("home", "end", "page_up", "page_down", "caps_lock", "print_screen", "pause"),
        *("left_shift", "right_shift", "left_ctrl", "right_ctrl", "left_alt", "right_alt"),
        *("minus", "equal", "comma", "period", "slash", "backslash", "semicolon", "apostrophe", "grave"),
        *("left_bracket", "right_bracket", "num_add", "num_subtract", "num_multiply", "num_divide", "num_enter"),
    ]
)

MOUSE_BUTTONS: frozenset[str] = frozenset(("mouse_left", "mouse_right", "mouse_middle"))

MOST_GAMEPADS = 4
"""How many gamepads there can be, each of which has names of its own."""


def of_gamepad(name: str, place: int) -> str:
    """The name of a button or an axis of the gamepad in ``place``, counted from 0: ``pad2_a`` for ``pad_a`` in 1."""
    return name.replace("pad", f"pad{place + 1}", 1) if place else name


def _of_all(*names: str) -> frozenset[str]:
    return frozenset(of_gamepad(name, place) for place in range(MOST_GAMEPADS) for name in names)


PAD_BUTTONS: frozenset[str] = _of_all(
    *("pad_a", "pad_b", "pad_x", "pad_y", "pad_left_shoulder", "pad_right_shoulder", "pad_back", "pad_start"),
    *("pad_guide", "pad_left_stick", "pad_right_stick", "pad_up", "pad_down", "pad_left", "pad_right"),
)

#: Sticks go from -1 to 1, right and up positive; triggers from 0 to 1.
PAD_AXES: frozenset[str] = _of_all(
    *("pad_left_x", "pad_left_y", "pad_right_x", "pad_right_y", "pad_left_trigger", "pad_right_trigger")
)

#: All keys and buttons.
BUTTONS: frozenset[str] = KEYBOARD | MOUSE_BUTTONS | PAD_BUTTONS

#: A name from ``BUTTONS``.
Key = str
