"""Events of a window on their way to the panel: keys that edit texts, the clipboard, and clicks between two frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import pyglet
import pytest
from slimgui import imgui

from renderwright.engine.panel.events import PanelEvents
from renderwright.engine.panel.gui import Gui
from renderwright.engine.panel.panel import Panel

pyglet.options["shadow_window"] = False

from pyglet.window import key, mouse  # noqa: E402

EXTENT = (300, 200)
FIELD, SLIDER, CHOICE = (100, 165), (100, 142), (100, 119)
"""Places on the field, on the right half of the slider and on the list of choices, counted upwards."""


class Window:
    """What the panel needs of a window, with a clipboard of the window system."""

    height = EXTENT[1]

    def __init__(self) -> None:
        self.handlers: dict[str, Callable[..., bool]] = {}
        self.clipboard = ""

    def push_handlers(self, **handlers: Callable[..., bool]) -> None:
        self.handlers = handlers

    def get_pixel_ratio(self) -> float:
        return 1.0

    def get_clipboard_text(self) -> str:
        return self.clipboard

    def set_clipboard_text(self, text: str) -> None:
        self.clipboard = text


class Field:
    """A panel with one field for a text and one slider, from (0, 0) to (200, 100)."""

    is_open = True

    def __init__(self) -> None:
        self.gui = Gui()
        self.text = "first words"
        self.number = 0.5
        self.choice = 0
        self.window = Window()
        self.events = PanelEvents(self.window, cast(Panel, self))
        self.frame()

    def covers(self, x: float, y: float) -> bool:
        return x < 200 and y < 100

    def frame(self) -> None:
        self.gui.begin(EXTENT, 1 / 60)
        imgui.set_next_window_pos((0.0, 0.0))
        imgui.set_next_window_size((200.0, 100.0))
        imgui.begin("field")
        self.text = imgui.input_text("##text", self.text)[1]
        self.number = imgui.slider_float("##number", self.number, 0.0, 1.0)[1]
        self.choice = imgui.combo("##choice", self.choice, ["one", "two"])[1]
        imgui.end()
        self.gui.finish()
        self.events.update()

    def send(self, event: str, *arguments: Any) -> bool:
        """An event of the window, and a frame; returns whether the panel took it."""
        taken = self.window.handlers[event](*arguments)
        self.frame()
        return taken

    def click(self, x: int, y: int, modifiers: int = 0) -> None:
        self.send("on_mouse_motion", x, y, 0, 0)
        self.send("on_mouse_press", x, y, mouse.LEFT, modifiers)
        self.send("on_mouse_release", x, y, mouse.LEFT, modifiers)

    def press(self, symbol: int, modifiers: int = 0) -> None:
        self.send("on_key_press", symbol, modifiers)
        self.send("on_key_release", symbol, modifiers)

    def press_with_ctrl(self, symbol: int) -> None:
        """As X tells it: Ctrl is not held yet in the event of its press, and still held in that of its release."""
        self.send("on_key_press", key.LCTRL, 0)
        self.press(symbol, key.MOD_CTRL)
        self.send("on_key_release", key.LCTRL, key.MOD_CTRL)

    def write(self, text: str) -> None:
        for letter in text:
            self.send("on_text", letter)


@pytest.fixture
def field() -> Iterator[Field]:
    field = Field()
    yield field
    field.gui.close()


def test_a_text_is_selected_and_written_over(field: Field) -> None:
    field.click(*FIELD)
    field.press_with_ctrl(key.A)
    field.write("new")
    assert field.text == "new"


def test_shift_selects(field: Field) -> None:
    field.click(*FIELD)
    field.press(key.END)
    field.press(key.LEFT, key.MOD_SHIFT)
    field.press(key.LEFT, key.MOD_SHIFT)
    field.press(key.BACKSPACE)
    assert field.text == "first wor"


def test_what_is_copied_and_pasted_is_in_the_clipboard_of_the_window_system(field: Field) -> None:
    field.click(*FIELD)
    field.press_with_ctrl(key.A)
    field.press_with_ctrl(key.C)
    assert field.window.clipboard == "first words"
    field.window.clipboard = "from elsewhere"
    field.press_with_ctrl(key.A)
    field.press_with_ctrl(key.V)
    assert field.text == "from elsewhere"


def test_ctrl_does_not_stick_behind_its_release(field: Field) -> None:
    field.press_with_ctrl(key.P)
    field.click(*SLIDER)
    assert field.number > 0.5, "the slider asks for a number, as for a click with Ctrl"
    field.click(*SLIDER, key.MOD_CTRL)
    field.send("on_key_release", key.LCTRL, key.MOD_CTRL)
    field.write("0.25")
    field.press(key.RETURN)
    assert field.number == pytest.approx(0.25)


def test_escape_closes_a_list_of_choices_and_not_the_window(field: Field) -> None:
    assert not field.send("on_key_press", key.ESCAPE, 0)
    field.click(*CHOICE)
    assert field.send("on_key_press", key.ESCAPE, 0)
    for _ in range(4):
        field.frame()
    assert not field.send("on_key_press", key.ESCAPE, 0)
    assert field.choice == 0


def test_a_click_between_two_frames_is_the_panels(field: Field) -> None:
    """A frame may take long: the mouse arrives, clicks and writes before the next one."""
    handlers = field.window.handlers
    assert handlers["on_mouse_motion"](*FIELD, 0, 0)
    assert handlers["on_mouse_press"](*FIELD, mouse.LEFT, 0)
    handlers["on_mouse_release"](*FIELD, mouse.LEFT, 0)
    handlers["on_key_press"](key.END, 0)
    handlers["on_text"]("!")
    for _ in range(6):
        field.frame()
    assert field.text == "first words!"


def test_beside_the_panel_the_mouse_is_the_games(field: Field) -> None:
    assert field.send("on_mouse_motion", 100, 150, 0, 0)
    field.send("on_mouse_motion", 250, 20, 0, 0)
    assert not field.send("on_mouse_motion", 250, 21, 0, 0)
    assert not field.send("on_mouse_press", 250, 21, mouse.LEFT, 0)
    assert not field.send("on_mouse_scroll", 250, 21, 0.0, 1.0)
    field.send("on_mouse_release", 250, 21, mouse.LEFT, 0)
    field.write("x")
    assert field.text == "first words"
