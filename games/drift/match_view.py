"""The sprites of a match: rocks with their shadows, shots, ships."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene import Image, Scene
from renderwright.engine.sprites import Sprite, SpriteGroup
from renderwright.games.drift.bodies import Bodies
from renderwright.games.drift.effects import PLAYERS, Rgb
from renderwright.games.drift.match import MOST_ROCKS, MOST_SHOTS, STEP, Match
from renderwright.games.drift.particles import places_of
from renderwright.games.drift.pixels import ROCKS, cell
from renderwright.games.drift.ship import Ship

_SHADOW_LAYER, _ROCK_LAYER, _SHADE_LAYER, _SHOT_LAYER, _SHIP_LAYER = -4, 1, 2, 3, 4
_LUMP = 1.0 / 0.84
"""The picture of a rock against its radius."""
_SHADOW = (7.0, 2.3)
"""Length and width of a shadow against the rock's radius."""
_SHIP_SIDE = 2.1
_HIDDEN = (0.0, 0.0, 0.0, 0.0)


class MatchView:
    """All sprites of a match. They are made once, and those that show nothing have no size."""

    def __init__(self, scene: Scene, sheet: Image, dot: Image) -> None:
        self._shadows = _group(scene, sheet, "shadow", MOST_ROCKS, _SHADOW_LAYER, (0.0, 0.5))
        shapes = np.array([cell(f"rock{row % ROCKS}") for row in range(MOST_ROCKS)])
        self._rocks = scene.sprites.add_many(
            sheet, np.zeros((MOST_ROCKS, 3)), sizes=(0.0, 0.0), regions=shapes, layer=_ROCK_LAYER
        )
        self._shades = _group(scene, sheet, "shade", MOST_ROCKS, _SHADE_LAYER)
        self._shots = scene.sprites.add_many(dot, np.zeros((MOST_SHOTS, 3)), sizes=(0.0, 0.0), layer=_SHOT_LAYER)
        self._ships = [_ShipView(scene, sheet, color) for color in PLAYERS]
        self._match: Match | None = None
        self._shown = (-1, -1)
        self._sun_side = np.zeros(MOST_ROCKS)

    def step(self, match: Match) -> None:
        """Show a match as it is now."""
        rocks, shots = match.rocks, match.shots
        self._place(match)
        if match is not self._match or rocks.changes != self._shown[0]:
            self._dress_rocks(match)
            _snap_new(rocks, self._rocks, self._shadows, self._shades)
        if match is not self._match or shots.changes != self._shown[1]:
            self._dress_shots(match)
            _snap_new(shots, self._shots)
        for number, view in enumerate(self._ships):
            view.step(match.ships[number] if number < len(match.ships) else None)
        self._match, self._shown = match, (rocks.changes, shots.changes)

    def _place(self, match: Match) -> None:
        rocks, shots = match.rocks, match.shots
        places = places_of(rocks.at)
        self._sun_side += _wrapped(np.angle(rocks.at) - self._sun_side)
        self._rocks.positions, self._rocks.rotations = places, rocks.angle
        for group in (self._shadows, self._shades):
            group.positions, group.rotations = places, self._sun_side
        self._shots.positions, self._shots.rotations = places_of(shots.at), np.angle(shots.velocity)

    def _dress_rocks(self, match: Match) -> None:
        rocks = match.rocks
        radius = np.where(rocks.alive, rocks.radius, 0.0)
        side = 2.0 * _LUMP * radius
        self._rocks.sizes = np.stack([side, side], axis=1)
        self._shades.sizes = np.stack([side, side], axis=1) * 1.04
        self._shadows.sizes = radius[:, np.newaxis] * _SHADOW
        colors = np.array([(*kind.color, 1.0) for kind in match.kinds]) * (1.7, 1.7, 1.7, 1.0)
        self._rocks.colors = colors[rocks.owner]
        glows = np.array([kind.blast > 0.0 for kind in match.kinds])[rocks.owner]
        self._shades.colors = np.where(glows[:, np.newaxis], (1.0, 1.0, 1.0, 0.62), (2.6, 2.6, 2.6, 1.0))

    def _dress_shots(self, match: Match) -> None:
        shots = match.shots
        self._shots.sizes = np.where(shots.alive[:, np.newaxis], (1.15, 0.24), 0.0)
        self._shots.colors = np.array([(*(12.0 * one for one in color), 1.0) for color in PLAYERS])[shots.owner]


class _ShipView:
    """The sprites of one ship. Hidden ones have no alpha, which costs less than to arrange all sprites anew."""

    def __init__(self, scene: Scene, sheet: Image, color: Rgb) -> None:
        self._color = color
        sides = (_SHIP_SIDE * 1.5, _SHIP_SIDE * 0.62)
        self._flame, self._hull, self._shield = (
            scene.sprites.add(
                Sprite(sheet, region=cell(name), size=size, anchor=anchor, color=_HIDDEN, layer=_SHIP_LAYER)
            )
            for name, size, anchor in (
                ("flame", sides, (1.0, 0.5)),
                ("ship", (_SHIP_SIDE, _SHIP_SIDE), (0.5, 0.5)),
                ("shield", (_SHIP_SIDE * 1.35, _SHIP_SIDE * 1.35), (0.5, 0.5)),
            )
        )
        self._was_flying = self._shielded = False

    def step(self, ship: Ship | None) -> None:
        flying = ship is not None and ship.flying
        if ship is not None and flying:
            self._place(ship)
            red, green, blue = self._color
            self._flame.color = (red + 1.6, green + 0.9, blue + 0.5, 0.85 * max(ship.thrust, 0.0))
            if ship.shield or self._shielded:
                alpha = min(1.0, 0.7 * ship.shield) * (0.55 + 0.45 * math.cos(9.0 * ship.shield))
                self._shield.color = (red * 2.0, green * 2.0, blue * 2.0, alpha)
            self._shielded = ship.shield > 0.0
            if not self._was_flying:
                self._hull.color = (red * 4.0 + 0.3, green * 4.0 + 0.3, blue * 4.0 + 0.3, 1.0)
                for sprite in (self._hull, self._flame, self._shield):
                    sprite.snap()
        elif self._was_flying:
            self._hull.color = self._flame.color = self._shield.color = _HIDDEN
        self._was_flying = flying

    def _place(self, ship: Ship) -> None:
        tail = ship.at - 0.36 * ship.forward
        self._hull.position = self._shield.position = (ship.at.real, ship.at.imag)
        self._flame.position = (tail.real, tail.imag)
        self._hull.rotation = self._flame.rotation = ship.heading


def _group(
    scene: Scene, sheet: Image, name: str, count: int, layer: int, anchor: tuple[float, float] = (0.5, 0.5)
) -> SpriteGroup:
    places = np.zeros((count, 3))
    return scene.sprites.add_many(sheet, places, sizes=(0.0, 0.0), regions=cell(name), anchor=anchor, layer=layer)


def _snap_new(bodies: Bodies, *groups: SpriteGroup) -> None:
    """Let bodies appear where they are, without a flight from where their rows were before."""
    new = bodies.age < 1.5 * STEP
    for group in groups:
        group[new].snap()


def _wrapped(turn: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same turn between half a turn right and half a turn left, so that nothing spins when it is interpolated."""
    return (turn + math.pi) % (2.0 * math.pi) - math.pi
