"""Key bindings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from renderwright.engine.free_camera import CONTROLS as FREE_CAMERA

CONTROLS: Mapping[str, Any] = {
    "axes": FREE_CAMERA["axes"],
    "actions": {
        **FREE_CAMERA["actions"],
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
