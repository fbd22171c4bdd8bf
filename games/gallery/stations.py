"""Boards on the walls: each tells of an effect, shows its settings, and lets a visitor before it change them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

from pyglm import glm

from renderwright.engine.effects import Effects
from renderwright.engine.hud.text_image import TextLine, Tone, text_image
from renderwright.engine.scene import Entity, Material, Scene
from renderwright.engine.scene.material_content import Palette
from renderwright.games.gallery.exhibits import UP, board
from renderwright.games.gallery.museum_file import Station, Value
from renderwright.games.gallery.walker import Walker

SIZE = (1.05, 0.75)
_TEXELS = (700, 500)
_HIGH = 1.55
_REACH = 2.6
_FACING = 0.6
"""A visitor stands before a board within so many metres, and looks at it: the least cosine."""
_GROUND: Tone = (0.055, 0.058, 0.065)
_TITLE: Tone = (0.96, 0.82, 0.52)
_TEXT: Tone = (0.88, 0.87, 0.84)
_FAINT: Tone = (0.55, 0.55, 0.55)
_ON: Tone = (0.45, 0.92, 0.55)
_LETTERS = 53
"""In a line of a board."""


Look = tuple[bool, tuple[int, ...]]
"""Whether the effect is on, and the numbers of the settings' values."""


@dataclass
class Board:
    """A board in the scene. ``chosen`` are the numbers of the settings' values, ``drawn`` its looks so far."""

    station: Station
    panel: Entity
    chosen: list[int]
    on: bool
    drawn: dict[Look, Material] = field(default_factory=dict)

    @property
    def values(self) -> dict[str, Value]:
        """The settings as they are."""
        pairs = zip(self.station.settings.items(), self.chosen, strict=True)
        return {key: values[number] for (key, values), number in pairs}


class Stations:
    """All boards. They follow what a user does elsewhere, with function keys or the panel."""

    def __init__(self, scene: Scene, looks: Palette, stations: Sequence[Station], effects: Effects) -> None:
        self._effects = effects
        self.boards: list[Board] = []
        self._outdated: list[Board] = []
        for station in stations:
            effects.switch(station.plugin, on=station.on)
            turn = glm.angleAxis(math.radians(station.turn), UP)
            middle = glm.vec3(station.at[0], _HIGH, station.at[1])
            panel, frame = board(scene, Material(), looks["brass"], middle, turn, SIZE)
            scene.static(frame)
            shown = Board(station, panel, [0] * len(station.settings), effects.is_on(station.plugin))
            for key, value in shown.values.items():
                effects.set(station.plugin, key, value)
            self.boards.append(shown)
            self._write(shown)

    def near(self, walker: Walker) -> Board | None:
        """The board that a visitor stands before."""
        best, least = None, _REACH
        for shown in self.boards:
            way = glm.vec3(shown.station.at[0] - walker.x, 0.0, shown.station.at[1] - walker.z)
            far = glm.length(way)
            if far < least and glm.dot(way / max(far, 1e-6), walker.gaze.ahead) > _FACING:
                best, least = shown, far
        return best

    def switch(self, shown: Board) -> None:
        """Switch the effect of a board."""
        plugin = shown.station.plugin
        self._effects.switch(plugin, on=not self._effects.is_on(plugin))

    def choose(self, shown: Board, number: int) -> None:
        """Give a setting its next value."""
        if number < len(shown.chosen):
            key, values = list(shown.station.settings.items())[number]
            shown.chosen[number] = (shown.chosen[number] + 1) % len(values)
            self._effects.set(shown.station.plugin, key, values[shown.chosen[number]])
            self._write(shown)

    def follow(self) -> None:
        """Show which effects are on, once a frame.

        Boards change a frame behind: that of a switch has enough to do. In other frames a board is drawn for its next
        switch.
        """
        for shown in self._outdated:
            self._write(shown)
        if not self._outdated:
            self._draw_ahead()
        self._outdated = [one for one in self.boards if self._effects.is_on(one.station.plugin) is not one.on]
        for shown in self._outdated:
            shown.on = not shown.on

    def _draw_ahead(self) -> None:
        """Draw one board that lacks the look of its other state."""
        for shown in self.boards:
            if (not shown.on, tuple(shown.chosen)) not in shown.drawn:
                _look(shown, on=not shown.on)
                return

    def _write(self, shown: Board) -> None:
        shown.panel.material = _look(shown, on=shown.on)


def _look(shown: Board, *, on: bool) -> Material:
    """The board as it is, with its effect on or off."""
    look = on, tuple(shown.chosen)
    if look not in shown.drawn:
        image = text_image(shown.station.title, _TEXELS, _lines(shown, on=on), _GROUND)
        # It shines a little, so that it can be read wherever it hangs.
        shown.drawn[look] = Material(roughness=0.7, base_color_image=image, emissive=(0.5,) * 3, emissive_image=image)
    return shown.drawn[look]


def _lines(shown: Board, *, on: bool) -> list[TextLine]:
    station = shown.station
    lines = [
        TextLine(station.title, 40, 26, 60, _TITLE),
        TextLine("on" if on else "off", 600, 38, 42, _ON if on else _FAINT),
    ]
    y = 120.0
    for text in textwrap.wrap(station.about, _LETTERS):
        lines.append(TextLine(text, 40, y, 27, _TEXT))
        y += 35.0
    y = 330.0
    lines.append(TextLine("F   switch", 40, y - 44, 27, _FAINT))
    for number, (key, value) in enumerate(shown.values.items()):
        said = str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else value
        lines.append(TextLine(f"{number + 1}   {key.replace('_', ' ')}", 40, y, 30, _FAINT))
        lines.append(TextLine(f"{said}", 460, y, 30, _TEXT))
        y += 48.0
    return lines
