"""Input from a pyglet window (keyboard, mouse) and the first gamepad."""

from __future__ import annotations

import logging
import string
from typing import Any

from renderwright.engine.input.keys import Key
from renderwright.engine.input.state import InputState

_log = logging.getLogger("renderwright.input")

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

#: Attributes of a pyglet controller.
_PAD_BUTTONS = {
    "a": "pad_a",
    "b": "pad_b",
    "x": "pad_x",
    "y": "pad_y",
    "leftshoulder": "pad_left_shoulder",
    "rightshoulder": "pad_right_shoulder",
    "back": "pad_back",
    "start": "pad_start",
    "guide": "pad_guide",
    "leftstick": "pad_left_stick",
    "rightstick": "pad_right_stick",
}
#: Attributes of a pyglet controller, with the sign that makes right and up positive.
_PAD_AXES = {
    "leftx": ("pad_left_x", 1.0),
    "lefty": ("pad_left_y", -1.0),
    "rightx": ("pad_right_x", 1.0),
    "righty": ("pad_right_y", -1.0),
    "lefttrigger": ("pad_left_trigger", 1.0),
    "righttrigger": ("pad_right_trigger", 1.0),
}


class PygletSource:
    """Feeds events of a pyglet window and a gamepad to an input state.

    Keyboard and mouse events arrive when the host dispatches the window's events. The gamepad is polled before every
    fixed step. Escape is an ordinary key; pyglet's default of closing the window on it is disabled.
    """

    def __init__(self, window: Any, state: InputState, *, gamepad: bool = True) -> None:
        """``window`` is a ``pyglet.window.Window``. No gamepad is read if there is none or ``gamepad`` is false."""
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
        self._pad = _first_gamepad() if gamepad else None
        self._pad_down: set[Key] = set()
        self._pad_axes: dict[str, float] = {}
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
        """Stop listening to the window and the gamepad."""
        self._window.remove_handlers(**self._handlers)
        if self._pad is not None:
            self._pad.close()
            self._pad = None

    def feed(self, state: InputState, step: int) -> None:
        """Read the gamepad."""
        if self._pad is None:
            return
        import pyglet

        # pyglet polls gamepads in its own event loop, which does not run here.
        pyglet.app.platform_event_loop.step(0.0)
        pad = self._pad
        down = {name for attribute, name in _PAD_BUTTONS.items() if getattr(pad, attribute)}
        for name, is_down in (
            ("pad_left", pad.dpadx < -0.5),
            ("pad_right", pad.dpadx > 0.5),
            ("pad_down", pad.dpady < -0.5),
            ("pad_up", pad.dpady > 0.5),
        ):
            if is_down:
                down.add(name)
        for name in sorted(down - self._pad_down):
            state.press(name)
        for name in sorted(self._pad_down - down):
            state.release(name)
        self._pad_down = down
        for attribute, (name, sign) in _PAD_AXES.items():
            value = sign * float(getattr(pad, attribute))
            if self._pad_axes.get(name, 0.0) != value:
                state.set_axis(name, value)
                self._pad_axes[name] = value

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
        self._pad_down.clear()
        self._pad_axes.clear()


def _first_gamepad() -> Any | None:
    import pyglet.input

    try:
        pads = pyglet.input.get_controllers()
        if not pads:
            return None
        pads[0].open()
    except FileNotFoundError:
        # Linux without /dev/input, as in a container, has no gamepads.
        return None
    except Exception as error:  # drivers fail in many ways; the keyboard still works
        _log.warning("the gamepad cannot be used: %s", error)
        return None
    _log.info("gamepad: %s", pads[0].name)
    return pads[0]
