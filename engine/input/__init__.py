"""Keyboard, mouse and gamepad as a game sees them: held, pressed, released, axes, by the names that the game chose.

Windows are read by ``engine.input.pyglet_source``; scripts are played and recorded by ``engine.input.replay`` and
``engine.input.recorder``.
"""

from engine.input.keys import BUTTONS, PAD_AXES, Key
from engine.input.mapping import AxisBinding, InputMap
from engine.input.source import InputSource, InputWatcher
from engine.input.state import InputState, Mouse

__all__ = [
    "BUTTONS",
    "PAD_AXES",
    "AxisBinding",
    "InputMap",
    "InputSource",
    "InputState",
    "InputWatcher",
    "Key",
    "Mouse",
]
