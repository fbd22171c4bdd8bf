"""Events of a pyglet window, for the panel as long as it takes them."""

from __future__ import annotations

from typing import Any

from renderwright.engine.panel.panel import Panel

_NAMES = {
    "TAB": "KEY_TAB",
    "LEFT": "KEY_LEFT_ARROW",
    "RIGHT": "KEY_RIGHT_ARROW",
    "UP": "KEY_UP_ARROW",
    "DOWN": "KEY_DOWN_ARROW",
    "PAGEUP": "KEY_PAGE_UP",
    "PAGEDOWN": "KEY_PAGE_DOWN",
    "HOME": "KEY_HOME",
    "END": "KEY_END",
    "DELETE": "KEY_DELETE",
    "BACKSPACE": "KEY_BACKSPACE",
    "RETURN": "KEY_ENTER",
    "ENTER": "KEY_KEYPAD_ENTER",
    "ESCAPE": "KEY_ESCAPE",
    "A": "KEY_A",
    "C": "KEY_C",
    "V": "KEY_V",
    "X": "KEY_X",
    "Z": "KEY_Z",
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
        self._modifiers = {
            "MOD_CTRL": (key.MOD_CTRL, (key.LCTRL, key.RCTRL)),
            "MOD_SHIFT": (key.MOD_SHIFT, (key.LSHIFT, key.RSHIFT)),
            "MOD_ALT": (key.MOD_ALT, (key.LALT, key.RALT)),
        }
        self._paste, self._escape = key.V, key.ESCAPE
        self._copied = ""
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

    def update(self) -> None:
        """Give the window system what was copied in the panel. Call it behind each frame."""
        if self._panel.is_open and self._panel.gui.clipboard != self._copied:
            self._copied = self._panel.gui.clipboard
            self._window.set_clipboard_text(self._copied)

    def _takes_mouse(self, x: float, y: float) -> bool:
        """Whether the panel has the mouse, which is there. A popup of the panel has it from its next frame on."""
        return self._panel.is_open and (self._panel.gui.takes_mouse or self._panel.covers(*self._place(x, y)))

    def _takes_keys(self) -> bool:
        return self._panel.is_open and self._panel.gui.takes_keys

    def _key_press(self, symbol: int, modifiers: int) -> bool:
        if self._takes_keys() and symbol == self._paste:
            self._copied = self._panel.gui.clipboard = self._window.get_clipboard_text()
        self._key(symbol, modifiers, down=True)
        if self._panel.is_open and symbol == self._escape and self._panel.gui.takes_escape:
            self._panel.gui.close_popups()
            return True
        return self._takes_keys()

    def _key_release(self, symbol: int, modifiers: int) -> bool:
        self._key(symbol, modifiers, down=False)
        return False

    def _key(self, symbol: int, modifiers: int, *, down: bool) -> None:
        if not self._panel.is_open:
            return
        for name, (bit, symbols) in self._modifiers.items():
            # A window may count a modifier's own key as held in the event that says that it went up.
            self._panel.gui.press_key(name, down=down if symbol in symbols else bool(modifiers & bit))
        if symbol in self._keys:
            self._panel.gui.press_key(self._keys[symbol], down=down)

    def _text(self, text: str) -> bool:
        if self._panel.is_open:
            self._panel.gui.type(text)
        return self._takes_keys()

    # Events are passed on wherever the mouse is: what it is over may be known from the next frame on only.

    def _mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self._mouse(x, y)
        if self._panel.is_open:
            for name, (bit, _) in self._modifiers.items():
                self._panel.gui.press_key(name, down=bool(modifiers & bit))
            if button in self._buttons:
                self._panel.gui.press_mouse(self._buttons[button], down=True)
        return self._takes_mouse(x, y)

    def _mouse_release(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self._mouse(x, y)
        if self._panel.is_open and button in self._buttons:
            self._panel.gui.press_mouse(self._buttons[button], down=False)
        return False

    def _mouse_motion(self, x: float, y: float, dx: float, dy: float) -> bool:
        self._mouse(x, y)
        return self._takes_mouse(x, y)

    def _mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> bool:
        return self._mouse_motion(x, y, dx, dy)

    def _mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> bool:
        if self._panel.is_open:
            self._panel.gui.scroll(scroll_x, scroll_y)
        return self._takes_mouse(x, y)

    def _deactivate(self) -> bool:
        if self._panel.is_open:
            self._panel.gui.lose_focus()
        return False

    def _mouse(self, x: float, y: float) -> None:
        if self._panel.is_open:
            self._panel.gui.move_mouse(*self._place(x, y))

    def _place(self, x: float, y: float) -> tuple[float, float]:
        """A place in pixels from the top left corner; the window counts upwards, and in points of its own size."""
        ratio = self._window.get_pixel_ratio()
        return x * ratio, (self._window.height - y) * ratio
