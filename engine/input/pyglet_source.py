"""Input from a pyglet window (keyboard, mouse) and gamepads."""

from __future__ import annotations

import string
from typing import Any

from renderwright.engine.input.gamepads import Gamepads
from renderwright.engine.input.keys import Key
from renderwright.engine.input.pyglet_gamepads import find_gamepads
from renderwright.engine.input.state import InputState

#: pyglet's key names that differ from the engine's name in capitals.
_PYGLET_NAMES = {
    "page_up": "PAGEUP",
    "page_down": "PAGEDOWN",
    "caps_lock": "CAPSLOCK",
    "print_screen": "PRINT",
    "left_shift": "LSHIFT",
    "right_shift": "RSHIFT",
    "left_ctrl": "LCTRL",
    "right_ctrl": "RCTRL",
    "left_alt": "LALT",
    "right_alt": "RALT",
    "left_bracket": "BRACKETLEFT",
    "right_bracket": "BRACKETRIGHT",
    **{digit: f"_{digit}" for digit in string.digits},
}


class PygletSource:
    """Feeds events of a pyglet window and of gamepads to an input state.

    Keyboard and mouse events arrive when the host dispatches the window's events. Gamepads are polled before every
    fixed step. Escape is an ordinary key; pyglet's default of closing the window on it is disabled.
    """

    def __init__(self, window: Any, state: InputState, gamepads: Gamepads | None = None) -> None:
        """``window`` is a ``pyglet.window.Window``. Without ``gamepads`` it has none."""
        from pyglet.window import key, mouse

        from renderwright.engine.input.keys import KEYBOARD

        self._window = window
        self._state = state
        self._keys: dict[int, Key] = {
            getattr(key, _PYGLET_NAMES.get(name, name.upper())): name for name in sorted(KEYBOARD)
        }
        self._buttons: dict[int, Key] = {
            mouse.LEFT: "mouse_left",
            mouse.RIGHT: "mouse_right",
            mouse.MIDDLE: "mouse_middle",
        }
        self._gamepads = gamepads
        self._plugs = find_gamepads(gamepads) if gamepads is not None else None
        self._handlers: dict[str, Any] = {
            "on_key_press": self._key_press,
            "on_key_release": self._key_release,
            "on_mouse_press": self._mouse_press,
            "on_mouse_release": self._mouse_release,
            "on_mouse_motion": self._mouse_motion,
            "on_mouse_drag": self._mouse_drag,
            "on_mouse_scroll": self._mouse_scroll,
            "on_deactivate": self._deactivate,
        }
        window.push_handlers(**self._handlers)

    def close(self) -> None:
        """Stop listening to the window and the gamepads."""
        self._window.remove_handlers(**self._handlers)
        if self._plugs is not None:
            self._plugs.close()
            self._plugs = None

    def feed(self, state: InputState, step: int) -> None:
        """Read the gamepads."""
        if self._plugs is not None:
            self._plugs.poll()
        if self._gamepads is not None:
            self._gamepads.feed(state)

    # -- window events

    def _key_press(self, symbol: int, modifiers: int) -> bool | None:
        name = self._keys.get(symbol)
        if name is not None:
            self._state.press(name)
        return True if name == "escape" else None

    def _key_release(self, symbol: int, modifiers: int) -> None:
        name = self._keys.get(symbol)
        if name is not None:
            self._state.release(name)

    def _mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        self._mouse_motion(x, y, 0.0, 0.0)
        if button in self._buttons:
            self._state.press(self._buttons[button])

    def _mouse_release(self, x: float, y: float, button: int, modifiers: int) -> None:
        self._mouse_motion(x, y, 0.0, 0.0)
        if button in self._buttons:
            self._state.release(self._buttons[button])

    def _mouse_motion(self, x: float, y: float, dx: float, dy: float) -> None:
        width, height = max(1, self._window.width), max(1, self._window.height)
        position = (2.0 * x / width - 1.0, 2.0 * y / height - 1.0)
        self._state.move_mouse(position, (dx / height, dy / height))

    def _mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> None:
        self._mouse_motion(x, y, dx, dy)

    def _mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> None:
        self._state.scroll_mouse(scroll_y)

    def _deactivate(self) -> None:
        # Releases of keys while another window has the focus are never reported.
        self._state.release_all()
        if self._gamepads is not None:
            self._gamepads.let_go()
