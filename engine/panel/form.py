"""Widgets for the settings of a plugin, from their types, bounds and descriptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from pydantic import BaseModel
from slimgui import imgui

from renderwright.engine.plugins.settings import Setting, changed_from_defaults, command_line_value, default_of

_WIDE = 1000.0
"""Ratio of the bounds from which on a slider is logarithmic."""
_LEAST_WIDTH = 100.0
"""Of a widget, in pixels, whatever its label."""
_GAPS = 24.0
"""Pixels between a widget, its label and the button behind that."""
_BELOW_DEFAULT = 50.0
"""A range from 0 on counts from the default divided by this, or from 1 where the default is 0."""
_STEPS = 200.0
"""Pixels of the mouse from a value to its double, where it has no bounds."""


def changed_by_user(settings: BaseModel, described: Sequence[Setting]) -> Mapping[str, Any]:
    """Draw a widget for each key; returns the values that the user has just changed, by key.

    ``described`` is what ``describe_settings`` says of the settings' class.
    """
    changes = {}
    different = changed_from_defaults(settings)
    labels = max((imgui.calc_text_size(setting.key)[0] for setting in described), default=0.0)
    behind = labels + imgui.calc_text_size("reset")[0] + _GAPS
    imgui.push_item_width(max(_LEAST_WIDTH, imgui.get_content_region_avail()[0] - behind))
    for setting in described:
        value = getattr(settings, setting.key)
        imgui.push_id(setting.key)
        changed, new = _widget(setting, _plain(value))
        imgui.set_item_tooltip(f"{setting.description}\n{setting}".strip())
        if setting.key in different:
            imgui.same_line()
            if imgui.small_button("reset"):
                changed, new = True, default_of(type(settings), setting.key)
            imgui.set_item_tooltip(f"back to {command_line_value(setting.default)}")
        imgui.pop_id()
        if changed:
            changes[setting.key] = new
    imgui.pop_item_width()
    return changes


def arguments(plugin: str, settings: BaseModel) -> str:
    """The command line's arguments for all settings that differ from their defaults, '' for none."""
    different = changed_from_defaults(settings)
    return " ".join(f"--set {plugin}.{key}={command_line_value(_plain(value))}" for key, value in different.items())


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def _widget(setting: Setting, value: Any) -> tuple[bool, Any]:
    """The widget for a value: whether the user has changed it, and the new value."""
    key = setting.key
    if setting.choices:
        labels = [str(choice) for choice in setting.choices]
        current = labels.index(str(value)) if str(value) in labels else -1
        changed, number = imgui.combo(key, current, labels)
        return changed, setting.choices[number] if number >= 0 else value
    if isinstance(value, bool):
        return imgui.checkbox(key, value)
    if isinstance(value, int) and setting.type == "integer":
        return _whole(setting, value)
    if isinstance(value, (int, float)):
        return _number(setting, float(value))
    if _is_triple(value):
        return _triple(setting, value)
    if isinstance(value, str):
        return _text(key, value)
    changed, text = _text(key, command_line_value(value))
    return changed, text


def _whole(setting: Setting, value: int) -> tuple[bool, Any]:
    if setting.minimum is None or setting.maximum is None:
        return imgui.input_int(setting.key, value)
    low = int(setting.minimum) + setting.exclusive_minimum
    return imgui.slider_int(setting.key, value, low, int(setting.maximum) - setting.exclusive_maximum)


def _number(setting: Setting, value: float) -> tuple[bool, Any]:
    low, high = setting.minimum, setting.maximum
    if low is None or high is None:
        return imgui.drag_float(setting.key, value, max(abs(value), 0.1) / _STEPS, format="%.4g")
    flags = imgui.SliderFlags.ALWAYS_CLAMP
    if _is_wide(setting, low, high):
        flags |= imgui.SliderFlags.LOGARITHMIC
    changed, new = imgui.slider_float(setting.key, value, low, high, "%.4g", flags)
    at_open_end = (setting.exclusive_minimum and new <= low) or (setting.exclusive_maximum and new >= high)
    return changed and not at_open_end, new


def _is_wide(setting: Setting, low: float, high: float) -> bool:
    """Whether small values are as many as large ones."""
    if low < 0.0:
        return False
    return high >= _WIDE * (low or float(setting.default or 0.0) / _BELOW_DEFAULT or 1.0)


def _is_triple(value: Any) -> bool:
    return (
        isinstance(value, (tuple, list)) and len(value) == 3 and all(isinstance(each, (int, float)) for each in value)
    )


def _triple(setting: Setting, value: Any) -> tuple[bool, Any]:
    x, y, z = (float(each) for each in value)
    if "color" in setting.key:
        return imgui.color_edit3(setting.key, (x, y, z), imgui.ColorEditFlags.FLOAT | imgui.ColorEditFlags.HDR)
    return imgui.drag_float3(setting.key, (x, y, z), 0.01)


def _text(key: str, value: str) -> tuple[bool, str]:
    """A line of text, which is taken when the user presses Enter."""
    return imgui.input_text(key, value, imgui.InputTextFlags.ENTER_RETURNS_TRUE)
