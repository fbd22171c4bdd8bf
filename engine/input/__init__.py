"""Input of keyboard, mouse and gamepads: held, pressed and released buttons, and axes, by names that the game defines.

``renderwright.engine.input.pyglet_source`` reads windows. ``renderwright.engine.input.replay`` and
``renderwright.engine.input.recorder`` play and record scripts.
"""

from renderwright.engine.input.keys import BUTTONS, MOST_GAMEPADS, PAD_AXES, Key, of_gamepad
from renderwright.engine.input.mapping import AxisBinding, InputMap
from renderwright.engine.input.source import InputSource, InputWatcher
from renderwright.engine.input.state import InputState, Mouse

__all__ = [
    "BUTTONS",
    "MOST_GAMEPADS",
    "PAD_AXES",
    "AxisBinding",
    "InputMap",
    "InputSource",
    "InputState",
    "InputWatcher",
    "Key",
    "Mouse",
    "of_gamepad",
]
