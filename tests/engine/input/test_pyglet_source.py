from __future__ import annotations

from typing import Any

import pyglet
import pytest

from renderwright.engine.input import InputState
from renderwright.engine.input.keys import KEYBOARD
from renderwright.engine.input.pyglet_source import PygletSource

# No display is needed for the names of keys and for windows made up here.
pyglet.options["shadow_window"] = False

from pyglet.window import key, mouse  # noqa: E402


class _Window:
    """Delivers events as a pyglet window does."""

    width, height = 200, 100

    def __init__(self) -> None:
        self.handlers: dict[str, Any] = {}

    def push_handlers(self, **handlers: Any) -> None:
        self.handlers |= handlers

    def remove_handlers(self, **handlers: Any) -> None:
        for name in handlers:
            del self.handlers[name]

    def dispatch(self, name: str, *arguments: Any) -> Any:
        return self.handlers[name](*arguments)


@pytest.fixture
def window() -> _Window:
    return _Window()


@pytest.fixture
def state() -> InputState:
    return InputState()


def test_every_keyboard_name_is_a_pyglet_key(window: _Window, state: InputState) -> None:
    source = PygletSource(window, state)
    assert set(source._keys.values()) == KEYBOARD


@pytest.mark.parametrize(
    ("symbol", "name"),
    [(key.A, "a"), (key._1, "1"), (key.LEFT, "left"), (key.RETURN, "enter"), (key.PAGEUP, "page_up"), (key.F5, "f5")],
)
def test_keys_by_name(window: _Window, state: InputState, symbol: int, name: str) -> None:
    PygletSource(window, state)
    window.dispatch("on_key_press", symbol, 0)
    state.begin_step()
    assert state.held_keys == {name}
    window.dispatch("on_key_release", symbol, 0)
    state.begin_step()
    assert state.released_keys == {name}


def test_escape_does_not_close_the_window(window: _Window, state: InputState) -> None:
    PygletSource(window, state)
    assert window.dispatch("on_key_press", key.ESCAPE, 0) is True
    assert window.dispatch("on_key_press", key.A, 0) is None
    assert window.dispatch("on_key_press", key.F20, 0) is None
    state.begin_step()
    assert state.held_keys == {"escape", "a"}


def test_keys_and_buttons_without_a_name_do_nothing(window: _Window, state: InputState) -> None:
    PygletSource(window, state)
    for event in ("on_key_press", "on_key_release"):
        window.dispatch(event, key.F20, 0)
        window.dispatch(event, 0x7FFFFFFF, 0)
    for event in ("on_mouse_press", "on_mouse_release"):
        window.dispatch(event, 0, 0, mouse.MOUSE5, 0)
    state.begin_step()
    assert state.held_keys == state.pressed_keys == frozenset()


def test_mouse_in_device_coordinates(window: _Window, state: InputState) -> None:
    PygletSource(window, state)
    window.dispatch("on_mouse_motion", 150, 25, 10, -5)
    window.dispatch("on_mouse_press", 150, 25, mouse.RIGHT, 0)
    window.dispatch("on_mouse_drag", 200, 100, 50, 75, mouse.RIGHT, 0)
    window.dispatch("on_mouse_scroll", 200, 100, 0.0, -1.0)
    state.begin_step()
    assert state.mouse.position == (1.0, 1.0)
    assert state.mouse.delta == pytest.approx((0.6, 0.7))
    assert state.mouse.scroll == -1.0
    assert state.held("mouse_right")
    window.dispatch("on_mouse_release", 200, 100, mouse.RIGHT, 0)
    state.begin_step()
    assert not state.held("mouse_right")


def test_losing_the_focus_lets_go(window: _Window, state: InputState) -> None:
    source = PygletSource(window, state)
    window.dispatch("on_key_press", key.W, 0)
    state.begin_step()
    window.dispatch("on_deactivate")
    state.begin_step()
    assert state.held_keys == frozenset()
    source.close()
    assert window.handlers == {}
