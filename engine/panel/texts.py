"""Texts of the panel. All are wrapped: the panel may be narrow."""

from __future__ import annotations

from slimgui import imgui

_BAD = (1.0, 0.45, 0.4, 1.0)
_DIM = (0.65, 0.65, 0.65, 1.0)
"""Colours, sRGB-encoded."""


def note(text: str) -> None:
    """Draw what explains or is of lesser weight."""
    _colored(text, _DIM)


def alarm(text: str) -> None:
    """Draw what is wrong."""
    _colored(text, _BAD)


def _colored(text: str, color: tuple[float, float, float, float]) -> None:
    imgui.push_style_color(imgui.Col.TEXT, color)
    imgui.text_wrapped(text)
    imgui.pop_style_color()
