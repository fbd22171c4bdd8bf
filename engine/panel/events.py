"""Events of a pyglet window, for the panel as long as it takes them."""

from __future__ import annotations

from typing import Any

from renderwright.engine.panel.panel import Panel

_NAMES = {
    "TAB": "TAB",
    "LEFT": "LEFT_ARROW",
    "RIGHT": "RIGHT_ARROW",
    "UP": "UP_ARROW",
    "DOWN": "DOWN_ARROW",
    "PAGEUP": "PAGE_UP",
    "PAGEDOWN": "PAGE_DOWN",
    "HOME": "HOME",
    "END": "END",
    "DELETE": "DELETE",
    "BACKSPACE": "BACKSPACE",
    "RETURN": "ENTER",
    "ENTER": "KEYPAD_ENTER",
    "ESCAPE": "ESCAPE",
    "A": "A",
    "C": "C",
    "V": "V",
    "X": "X",
    "Z": "Z",
}
"""Keys that edit texts: pyglet's name, and Dear ImGui's."""


class PanelEvents:
    """Passes events to the panel. What it takes does not reach the game; releases always do, so that no key sticks."""

    def __init__(self, window: Any, panel: Panel) -> None:
        """``window`` is a ``pyglet.window.Window``."""
        from pyglet.window import key, mouse

        self._window = window
        self._panel = panel
        self._keys = {getattr(key, name): other for name, other in _NAMES.items()}
        self._modifiers = {key.MOD_CTRL: "MOD_CTRL", key.MOD_SHIFT: "MOD_SHIFT", key.MOD_ALT: "MOD_ALT"}
        self._buttons = {mouse.LEFT: 0, mouse.RIGHT: 1, mouse.MIDDLE: 2}
        self._handlers: dict[str, Any] = {
            "on_key_press": self._key_press,
            "on_key_release": self._key_release,
            "on_text": self._text,
            "on_mouse_press": self._mouse_press,
            "on_mouse_release": self._mouse_release,
            "on_mouse_motion": self._mouse_motion,
            "on_mouse_drag": self._mouse_drag,
            "on_mouse_scroll": self._mouse_scroll,
            "on_deactivate": self._deactivate,
        }
        window.push_handlers(**self._handlers)

    def close(self) -> None:
        """Stop listening."""
        self._window.remove_handlers(**self._handlers)

    def _takes_mouse(self) -> bool:
        return self._panel.is_open and self._panel.gui.takes_mouse

    def _takes_keys(self) -> bool:
        return self._panel.is_open and self._panel.gui.takes_keys

    def _key_press(self, symbol: int, modifiers: int) -> bool:
        self._key(symbol, modifiers, down=True)
        return self._takes_keys()

    def _key_release(self, symbol: int, modifiers: int) -> bool:
        self._key(symbol, modifiers, down=False)
        return False

    def _key(self, symbol: int, modifiers: int, *, down: bool) -> None:
        if not self._panel.is_open:
            return
        for modifier, name in self._modifiers.items():
            self._panel.gui.press_key(name, down=bool(modifiers & modifier))
        if symbol in self._keys:
            self._panel.gui.press_key(self._keys[symbol], down=down)

    def _text(self, text: str) -> bool:
        if self._takes_keys():
            self._panel.gui.type(text)
        return self._takes_keys()

    def _mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self._mouse(x, y)
        if self._takes_mouse() and button in self._buttons:
            self._panel.gui.press_mouse(self._buttons[button], down=True)
        return self._takes_mouse()

    def _mouse_release(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self._mouse(x, y)
        if self._panel.is_open and button in self._buttons:
            self._panel.gui.press_mouse(self._buttons[button], down=False)
        return False

    def _mouse_motion(self, x: float, y: float, dx: float, dy: float) -> bool:
        self._mouse(x, y)
        return self._takes_mouse()

    def _mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> bool:
        return self._mouse_motion(x, y, dx, dy)

    def _mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> bool:
        if self._takes_mouse():
            self._panel.gui.scroll(scroll_x, scroll_y)
        return self._takes_mouse()

    def _deactivate(self) -> bool:
        if self._panel.is_open:
            self._panel.gui.lose_focus()
        return False

    def _mouse(self, x: float, y: float) -> None:
        """Tell where the mouse is; the window counts upwards, and in points of its own size."""
        if self._panel.is_open:
            ratio = self._window.get_pixel_ratio()
            self._panel.gui.move_mouse(x * ratio, (self._window.height - y) * ratio)
