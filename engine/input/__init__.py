"""Keyboard, mouse and gamepad as a game sees them: held, pressed, released, axes, by the names that the game chose.

Windows are read by ``renderwright.engine.input.pyglet_source``; scripts are played and recorded by
``renderwright.engine.input.replay`` and ``renderwright.engine.input.recorder``.
"""

from renderwright.engine.input.keys import BUTTONS, PAD_AXES, Key
from renderwright.engine.input.mapping import AxisBinding, InputMap
from renderwright.engine.input.source import InputSource, InputWatcher
from renderwright.engine.input.state import InputState, Mouse

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
