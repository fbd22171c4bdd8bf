"""Lamps of many widths and strengths in front of a dim sky, and the light that a picture has of each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from benchmarks.quality.averages import mean_light, texel_grid
from benchmarks.quality.play import Floats, played
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene import Camera, Material, Sky, Transform
from renderwright.engine.scene.primitives import sphere
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

FRAME = 1 / 60
DISTANCE = 100.0
TEXEL = 0.01
"""Side of a texel at the distance of the lamps, in metres."""
DIM = (0.02, 0.02, 0.02)


class Lamps(Game):
    """Lamps in the cells of a grid: wider to the right, stronger downwards.

    The lamps of one width and strength are at the points of a lattice in the texel, which is moved at random, so that
    the samples of a frame hit them together nearly as often as they should. The picture moves ``speed`` texels a frame,
    from ``start`` texels on.
    """

    title = "Lamps"
    plugins: ClassVar[tuple[str, ...]] = ()
    step = FRAME
    widths: ClassVar[tuple[float, ...]] = (1.0, 1.1, 1.6, 2.2, 4.4, 9.0)
    """Diameters in texels."""
    strengths: ClassVar[tuple[float, ...]] = (2.0, 10.0, 50.0, 400.0)
    lattice: ClassVar[tuple[tuple[float, float], ...]] = tuple((k / 16, k * 7 % 16 / 16) for k in range(16))
    """The places in the texel."""
    cell = 20
    """Texels along a side of a cell."""
    rings: ClassVar[int] = 24
    """Of the sphere of a lamp, which has twice as many segments."""
    seed = 7
    speed = 0.0
    start = 0.0

    @classmethod
    def extent(cls) -> Extent:
        """The extent of the grid in texels."""
        return cls.cell * len(cls.widths), cls.cell * len(cls.strengths) * len(cls.lattice)

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.sun, scene.sky = None, Sky(DIM, DIM, DIM)
        width, height = self.extent()
        fov = 2.0 * math.atan(height / 2 * TEXEL / DISTANCE)
        scene.camera = Camera(glm.vec3(0.0, 0.0, DISTANCE), glm.vec3(0.0), fov_y=fov)
        self._move(self.start)
        random = np.random.default_rng(self.seed)
        moved = random.uniform(0.0, 1.0, (len(self.strengths), len(self.widths), 2))
        for row, (strong, point) in enumerate(product(range(len(self.strengths)), self.lattice)):
            light = self.strengths[strong]
            material = Material((0.0, 0.0, 0.0, 1.0), roughness=1.0, emissive=(light, light, light))
            for column, wide in enumerate(self.widths):
                inside = (np.array(point) + moved[strong, column]) % 1.0
                right, down = np.array([column, row]) * self.cell + self.cell // 2 + inside
                place = glm.vec3((right - width / 2) * TEXEL, (height / 2 - down) * TEXEL, 0.0)
                ball = sphere(wide / 2 * TEXEL, rings=self.rings, segments=2 * self.rings)
                scene.spawn(ball, material, Transform(place))

    def update(self, dt: float) -> None:
        """Turn the camera, and thereby move the picture."""
        self._move(self.speed)

    def _move(self, texels: float) -> None:
        camera = self.context.scene.camera
        assert camera.target is not None
        camera.target.x += texels * TEXEL

    @classmethod
    def light(cls, picture: Floats) -> NDArray[np.float64]:
        """The light of each lamp above that of its cell's sky, float64 (strengths, places, widths)."""
        grey = picture.astype(np.float64).mean(axis=2)
        cells = grey.reshape(len(cls.strengths), len(cls.lattice), cls.cell, len(cls.widths), cls.cell)
        above = cells - np.median(cells, axis=(2, 4), keepdims=True)
        return np.asarray(above.sum(axis=(2, 4)), np.float64)


@dataclass(frozen=True)
class Kept:
    """Shares of the right light that frames have, over all places, float64 (strengths, widths).

    ``mean`` is the mean over frames, ``change`` the mean change of a lamp from frame to frame.
    """

    mean: NDArray[np.float64]
    change: NDArray[np.float64]

    @property
    def off(self) -> float:
        """The largest difference of the mean from 1."""
        return float(np.abs(self.mean - 1.0).max())


def right_light(game: type[Lamps], backend: Backend, side: int = 16) -> NDArray[np.float64]:
    """The light of each still lamp by ``side`` x ``side`` samples a texel."""
    with played(game, backend, game.extent()) as play:
        return game.light(mean_light(play, texel_grid(side)))


def kept(
    game: type[Lamps],
    backend: Backend,
    right: NDArray[np.float64],
    choice: PluginChoice,
    settled: int = 40,
    frames: int = 64,
) -> Kept:
    """Play ``settled`` frames, and measure in ``frames`` more."""
    shares = []
    with played(game, backend, game.extent(), choice, frame=FRAME) as play:
        play.frames(settled)
        for _ in range(frames):
            shares.append(game.light(play.picture()) / right)
    series = np.array(shares)
    return Kept(series.mean(axis=(0, 2)), np.abs(np.diff(series, axis=0)).mean(axis=(0, 2)))
