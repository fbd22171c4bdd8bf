"""Small lamps far out of focus, whose pictures are even disks of the size of the lens."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Material, Sky, Transform
from renderwright.engine.scene.primitives import box, sphere
from renderwright.render.types.resources import Extent

EXTENT: Extent = (720, 360)
FOV = 0.8
BLACK = (0.0, 0.0, 0.0, 1.0)
DIM = (0.02, 0.02, 0.02)
INSIDE, OUTSIDE = 0.85, 1.15
"""Where a disk is judged, and where its light must not be, as shares of its radius; between them is its border."""


class Bokeh(Game):
    """A grid of lamps, wider downwards and stronger to the right, behind the plane of focus."""

    title = "Bokeh"
    plugins: ClassVar[tuple[str, ...]] = ()
    focus = 2.0
    """Distance of the plane of focus, in metres."""
    distance = 20.0
    """Distance of the lamps, in metres."""
    widths: ClassVar[tuple[float, ...]] = (3.0, 8.0)
    """Diameters in texels."""
    strengths: ClassVar[tuple[float, ...]] = (20.0, 400.0, 8000.0)
    largest = 0.1
    """Radius of the disks, as a share of the picture's height: the largest that the settings allow."""
    apart = 2.8
    """Distance between lamps, in radii of their disks."""

    @classmethod
    def aperture(cls) -> float:
        """Diameter of the lens, in metres, that makes the disks as large as ``largest``."""
        slope = abs(1.0 / cls.focus - 1.0 / cls.distance)
        return 4.0 * cls.largest * math.tan(FOV / 2) / slope

    @classmethod
    def places(cls) -> list[tuple[float, float]]:
        """The middles of the lamps, in texels to the right of the picture's middle and above it."""
        apart = cls.apart * cls.largest * EXTENT[1]
        columns, rows = len(cls.strengths), len(cls.widths)
        grid = product(range(rows), range(columns))
        return [((column - (columns - 1) / 2) * apart, ((rows - 1) / 2 - row) * apart) for row, column in grid]

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.sun, scene.sky = None, Sky(DIM, DIM, DIM)
        scene.camera = Camera(glm.vec3(0.0), glm.vec3(0.0, 0.0, -1.0), fov_y=FOV)
        texel = 2.0 * math.tan(FOV / 2) / EXTENT[1] * self.distance
        for (right, up), (width, light) in zip(self.places(), product(self.widths, self.strengths), strict=True):
            material = Material(BLACK, roughness=1.0, emissive=(light, light, light))
            place = Transform(glm.vec3(right * texel, up * texel, -self.distance))
            scene.spawn(sphere(width / 2 * texel, rings=24, segments=48), material, place, casts_shadow=False)


class BokehBeforeWall(Bokeh):
    """The lamps before the plane of focus, in which there is a wall."""

    focus = 8.0
    distance = 2.0

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        wall = Transform(glm.vec3(0.0, 0.0, -self.focus - 0.05))
        context.scene.spawn(box((40.0, 40.0, 0.1)), Material((0.5, 0.5, 0.5, 1.0), roughness=1.0), wall)


class BokehOverlapping(Bokeh):
    """Lamps at the borders of each other's disks, some of them behind a post in the plane of focus."""

    widths: ClassVar[tuple[float, ...]] = (8.0, 8.0, 8.0)
    strengths: ClassVar[tuple[float, ...]] = (12.0, 12.0, 12.0, 12.0)
    apart = 1.0

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        post = Transform(glm.vec3(0.15, 0.0, -self.focus))
        context.scene.spawn(box((0.12, 4.0, 0.02)), Material((0.2, 0.5, 0.2, 1.0), roughness=1.0), post)


def unlit(game: type[Bokeh]) -> type[Bokeh]:
    """The same game without lamps."""
    return type("Unlit", (game,), {"widths": (), "strengths": ()})


@dataclass(frozen=True)
class Disks:
    """What each lamp's disk adds to the picture, float64 (lamps,).

    ``unevenness`` is the relative deviation inside, ``light`` the light as a share of what the lamp has without the
    effect, ``leak`` the mean around the disk as a share of the mean inside.
    """

    unevenness: NDArray[np.float64]
    light: NDArray[np.float64]
    leak: NDArray[np.float64]

    @property
    def changed(self) -> float:
        """The largest change of the light, as a share of it."""
        return float(np.abs(self.light - 1.0).max())


def disks(game: type[Bokeh], added: NDArray[np.float64], lamps: NDArray[np.float64]) -> Disks:
    """Measure what the lamps add to a picture with the effect, and to one without it, float64 (height, width)."""
    measured = []
    for away in _distances(game):
        inside, all_of_it = added[away < INSIDE], away < game.apart / 2
        around = np.abs(added[(away > OUTSIDE) & all_of_it]).mean()
        light = added[all_of_it].sum() / lamps[all_of_it].sum()
        measured.append((inside.std() / inside.mean(), light, around / inside.mean()))
    return Disks(*np.array(measured).T)


def _distances(game: type[Bokeh]) -> list[NDArray[np.float64]]:
    """The distance of each texel from each lamp, in radii of the disks."""
    width, height = EXTENT
    x = np.arange(width) + 0.5 - width / 2
    y = height / 2 - np.arange(height) - 0.5
    radius = game.largest * height
    return [np.hypot(x[None, :] - right, y[:, None] - up) / radius for right, up in game.places()]
