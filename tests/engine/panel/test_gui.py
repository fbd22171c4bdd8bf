"""The user interface's core: what it draws, and whom events belong to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from slimgui import imgui

from renderwright.engine.panel.draw_lists import FONT, VERTEX_BYTES, DrawCommand, DrawLists
from renderwright.engine.panel.gui import Gui

EXTENT = (300, 200)


@pytest.fixture
def gui() -> Iterator[Gui]:
    gui = Gui()
    yield gui
    gui.close()


def frame(gui: Gui) -> DrawLists:
    """Two windows that lie beside each other."""
    gui.begin(EXTENT, 1 / 60)
    for number in range(2):
        imgui.set_next_window_pos((10.0 + 150.0 * number, 20.0))
        imgui.set_next_window_size((140.0, 100.0))
        imgui.begin(f"window {number}")
        imgui.text("text")
        imgui.end()
    return gui.finish()


def test_lists_of_all_windows_are_one(gui: Gui) -> None:
    frame(gui)
    lists = frame(gui)
    assert lists.vertices.shape[1] == VERTEX_BYTES
    assert sum(command.indices for command in lists.commands) == len(lists.indices)
    positions = lists.vertices[:, :8].copy().view(np.float32).reshape(-1, 2)
    drawn = []
    for command in lists.commands:
        assert command.texture == FONT
        part = lists.indices[command.first_index : command.first_index + command.indices] + command.vertex_offset
        drawn.append(positions[part][:, 0].mean())
    assert min(drawn) < 150 < max(drawn)


def test_the_font_is_there_behind_the_first_frame(gui: Gui) -> None:
    frame(gui)
    assert gui.font.shape[2] == 4
    assert gui.font.any()


def test_the_mouse_belongs_to_a_window_while_it_is_over_it(gui: Gui) -> None:
    frame(gui)
    for place, taken in (((50.0, 60.0), True), ((290.0, 190.0), False)):
        gui.move_mouse(*place)
        frame(gui)
        frame(gui)
        assert gui.takes_mouse is taken


def test_a_window_is_moved_by_its_title_bar_only(gui: Gui) -> None:
    def places(start: tuple[float, float]) -> tuple[float, float]:
        """Where a window is before and behind a drag."""
        found = []
        for x, y, down in ((*start, False), (*start, True), (start[0] + 50.0, start[1], True), (0.0, 0.0, False)):
            gui.move_mouse(x, y)
            gui.press_mouse(0, down=down)
            gui.begin(EXTENT, 1 / 60)
            imgui.set_next_window_pos((10.0, 20.0), imgui.Cond.FIRST_USE_EVER)
            imgui.set_next_window_size((140.0, 100.0), imgui.Cond.FIRST_USE_EVER)
            imgui.begin("window")
            found.append(imgui.get_window_pos()[0])
            imgui.end()
            gui.finish()
        return found[0], max(found)

    assert places((60.0, 90.0)) == (10.0, 10.0)
    assert places((60.0, 28.0)) == (10.0, 60.0)


def test_two_of_them_do_not_meet(gui: Gui) -> None:
    other = Gui()
    frame(gui)
    frame(other)
    gui.move_mouse(50.0, 60.0)
    for each in (gui, other, gui, other):
        frame(each)
    assert (gui.takes_mouse, other.takes_mouse) == (True, False)
    other.close()
    frame(gui)


@pytest.mark.parametrize(
    ("clip", "scissor"),
    [
        ((10.2, 5.0, 20.5, 30.1), (10, 5, 11, 26)),
        ((-8.0, -3.0, 20.0, 500.0), (0, 0, 20, 200)),
        ((310.0, 0.0, 400.0, 50.0), (310, 0, 0, 50)),
    ],
)
def test_scissors_stay_within_the_picture(clip: tuple[float, ...], scissor: tuple[int, ...]) -> None:
    assert DrawCommand(clip, FONT, 0, 3, 0).scissor(*EXTENT) == scissor  # type: ignore[arg-type]
