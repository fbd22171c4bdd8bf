"""Widgets of settings: which one a value has, and what a user's change gives."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field
from slimgui import imgui

from renderwright.engine.panel.form import arguments, changed_by_user
from renderwright.engine.panel.gui import Gui
from renderwright.engine.plugins import PluginHost, describe_settings
from renderwright.render.graph.frame_graph import FrameGraph


class Mode(StrEnum):
    NEAR = "near"
    FAR = "far"


class Settings(BaseModel):
    on: bool = True
    count: int = Field(4, ge=1, le=16)
    many: int = 7
    strength: float = Field(0.5, gt=0.0, le=1.0)
    reach: float = Field(1000.0, ge=10.0, le=100000.0)
    free: float = 0.0
    mode: Mode = Mode.NEAR
    quality: Literal["low", "high"] = "low"
    color: tuple[float, float, float] = (1.0, 0.5, 0.25)
    direction: tuple[float, float, float] = (0.0, 1.0, 0.0)
    file: str = "a.cube"
    sizes: list[int] = Field(default_factory=lambda: [1, 2])


WIDGETS = {
    "on": ("checkbox", False),
    "count": ("slider_int", 16),
    "many": ("input_int", 8),
    "strength": ("slider_float", 0.75),
    "reach": ("slider_float", 20.0),
    "free": ("drag_float", -3.0),
    "mode": ("combo", 1),
    "quality": ("combo", 1),
    "color": ("color_edit3", (0.0, 0.0, 1.0)),
    "direction": ("drag_float3", (1.0, 0.0, 0.0)),
    "file": ("input_text", "b.cube"),
    "sizes": ("input_text", "3,4"),
}


@pytest.fixture
def gui() -> Iterator[Gui]:
    gui = Gui()
    yield gui
    gui.close()


def form(gui: Gui, settings: BaseModel) -> Any:
    gui.begin((600, 800), 1 / 60)
    imgui.begin("settings")
    changes = changed_by_user(settings, describe_settings(type(settings)))
    imgui.end()
    gui.finish()
    return changes


def test_nothing_changes_by_being_looked_at(gui: Gui) -> None:
    assert form(gui, Settings()) == {}


@pytest.mark.parametrize("key", WIDGETS)
def test_each_value_has_its_widget(key: str, gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
    name, given = WIDGETS[key]
    drawn = getattr(imgui, name)

    def touched(label: str, *rest: Any, **options: Any) -> Any:
        _, value = drawn(label, *rest, **options)
        return (True, given) if label == key else (False, value)

    monkeypatch.setattr(imgui, name, touched)
    changes = form(gui, Settings())
    assert list(changes) == [key]
    changed = Settings.model_validate({**Settings().model_dump(), **changes}) if key != "sizes" else None
    expected = {"mode": Mode.FAR, "quality": "high"}.get(key, given)
    assert (getattr(changed, key) if changed is not None else changes[key]) == expected


def test_the_open_end_of_a_range_is_not_given(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imgui, "slider_float", lambda label, *rest: (label == "strength", 0.0))
    assert form(gui, Settings()) == {}


@pytest.mark.parametrize(
    ("low", "default", "high", "logarithmic"),
    [
        (10.0, 1000.0, 100000.0, True),
        (0.0, 0.5, 1.0, False),
        (0.0, 6.0, 16.0, False),
        (0.0, 0.02, 1.0, True),
        (0.0, 0.0, 1.0, False),
        (0.0, 0.0, 1000.0, True),
        (-1000.0, 0.0, 1000.0, False),
    ],
)
def test_a_slider_is_logarithmic_where_the_range_is_wide(
    low: float, default: float, high: float, logarithmic: bool, gui: Gui, monkeypatch: pytest.MonkeyPatch
) -> None:
    class OneNumber(BaseModel):
        number: float = Field(default, ge=low, le=high)

    given: list[imgui.SliderFlags] = []
    monkeypatch.setattr(imgui, "slider_float", lambda *rest: (given.append(rest[-1]), (False, default))[1])
    form(gui, OneNumber())
    assert bool(given[0] & imgui.SliderFlags.LOGARITHMIC) is logarithmic


def test_what_differs_from_the_defaults_can_be_reset(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imgui, "small_button", lambda label: label == "reset")
    assert form(gui, Settings(many=3, mode=Mode.FAR)) == {"many": 7, "mode": Mode.NEAR}


def test_reset_has_room_behind_long_names(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
    class Long(BaseModel):
        adaptation_rate_to_the_light: float = Field(0.5, ge=0.0, le=1.0)

    right: list[float] = []
    drawn = imgui.small_button
    monkeypatch.setattr(
        imgui, "small_button", lambda label: (drawn(label), right.append(imgui.get_item_rect_max()[0]))[0]
    )
    gui.begin((600, 800), 1 / 60)
    imgui.set_next_window_pos((0.0, 0.0))
    imgui.set_next_window_size((400.0, 300.0))
    imgui.begin("narrow")
    settings = Long(adaptation_rate_to_the_light=0.7)
    changed_by_user(settings, describe_settings(Long))
    imgui.end()
    gui.finish()
    assert right[0] < 400.0 - 8.0


def test_arguments_of_the_command_line_say_what_differs() -> None:
    assert arguments("glow", Settings()) == ""
    settings = Settings(on=False, mode=Mode.FAR, color=(1, 0, 0.5))
    assert arguments("glow", settings) == "--set glow.on=false --set glow.mode=far --set glow.color=1,0,0.5"


def test_every_shipped_plugin_has_a_form(gui: Gui) -> None:
    host = PluginHost(FrameGraph())
    for status in host.plugins():
        settings = host.load(status.name).settings
        if settings is not None:
            assert form(gui, settings) == {}, status.name
