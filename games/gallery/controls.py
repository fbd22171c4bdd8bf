"""Key bindings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

CONTROLS: Mapping[str, Any] = {
    "axes": {
        "ahead": {"negative": ["s", "down"], "positive": ["w", "up"], "axes": ["pad_left_y"]},
        "aside": {"negative": ["a"], "positive": ["d"], "axes": ["pad_left_x"]},
        "turn": {"negative": ["left"], "positive": ["right"], "axes": ["pad_right_x"]},
        "tilt": {"negative": ["page_down"], "positive": ["page_up"], "axes": ["pad_right_y"]},
        "rise": {"negative": ["q", "pad_left"], "positive": ["e", "pad_right"]},
        "zoom": {"negative": ["equal", "pad_up"], "positive": ["minus", "pad_down"]},
    },
    "actions": {
        "look": ["mouse_left", "mouse_right"],
        "hurry": ["left_shift", "pad_left_stick"],
        "start": ["enter", "space", "pad_a", "pad_start"],
        "switch": ["f", "enter", "pad_a"],
        "choose_1": ["1", "pad_x"],
        "choose_2": ["2", "pad_y"],
        "choose_3": ["3", "pad_b"],
        "photo": ["c", "pad_left_shoulder"],
        "take": ["enter", "pad_a"],
        "size": ["tab", "pad_y"],
        "pause": ["p", "pad_start"],
        "leave": ["escape", "pad_back"],
    },
}
"""Mouse and keyboard, or a gamepad."""
