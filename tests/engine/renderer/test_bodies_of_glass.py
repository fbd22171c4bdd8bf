"""Bodies of glass bend what is seen through them, and colour it by the way that light takes in them."""

from __future__ import annotations

from contextlib import closing
from typing import ClassVar

import numpy as np
import pytest
from glass_scenes import TINT, Window, tinted
from layered_scenes import EXTENT, UPRIGHT, WALL, of_skeleton, over, picture_of
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.game import GameContext
from renderwright.engine.options import BackendName, PlayOptions
from renderwright.engine.scene.surface_layers import Specular, Volume
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

BOTH = pytest.mark.parametrize("skeleton", ["deferred", "forward"])
COLOR = (0.5, 0.8, 0.2)
IOR = 1.6
THICKNESS = 0.5
TURN = 0.6
"""Angle of the pane, in radians."""
CAMERA, FOV_Y = (0.0, 0.0, 3.0), 0.5


class Tilted(Window):
    """A thick pane that is turned, so that it bends what is in the middle of the picture."""

    glass: ClassVar = {
        "transmission": 1.0,
        "roughness": 0.0,
        "specular": Specular(ior=IOR),
        "volume": Volume(THICKNESS),
    }

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        self.pane.transform.rotation = glm.angleAxis(TURN, glm.vec3(0, 1, 0)) * UPRIGHT


class Coloured(Window):
    """A pane that colours light; with an index of 1 it neither bends nor reflects any."""

    glass: ClassVar = {
        "transmission": 1.0,
        "roughness": 0.0,
        "specular": Specular(ior=1.0),
        "volume": Volume(1.5, COLOR, 3.0),
    }
    scale = 1.0

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        self.pane.transform.scale = glm.vec3(self.scale)


def seen_columns() -> NDArray[np.float64]:
    """Where in the picture (columns, from 0 to 1) each column of the middle row sees what is behind the pane."""
    slope = np.tan(FOV_Y / 2)
    aspect = EXTENT[0] / EXTENT[1]
    normal = np.array([np.sin(TURN), 0.0, np.cos(TURN)])
    start, pane = np.array(CAMERA), np.array([0.0, 0.0, 1.0])
    found = []
    for column in range(EXTENT[0]):
        x = 2.0 * (column + 0.5) / EXTENT[0] - 1.0
        way = np.array([x * slope * aspect, 0.0, -1.0])
        way /= np.linalg.norm(way)
        entry = start + way * (pane - start).dot(normal) / way.dot(normal)
        # Snell's law: what is along the surface shrinks by the index, the rest follows from the unit length.
        along = (way - normal * way.dot(normal)) / IOR
        bent = along - normal * np.sqrt(1.0 - along.dot(along))
        end = entry + THICKNESS * bent - start
        found.append(0.5 + 0.5 * end[0] / (-end[2] * slope * aspect))
    return np.array(found)


@BOTH
def test_a_thick_pane_shifts_what_is_behind_it(backend: VulkanBackend, skeleton: str) -> None:
    game = of_skeleton(skeleton, Tilted)
    row = picture_of(backend, game)[EXTENT[1] // 2, :, 0].astype(int)
    expected = int(np.argmax(seen_columns() > 0.5))
    bright = row > (row.min() + row.max()) / 2
    edge = int(np.argmax(bright))
    assert abs(expected - EXTENT[0] // 2) >= 4, "the pane bends light"
    assert abs(edge - expected) <= 1
    assert not bright[:edge].any()
    assert bright[edge:].all()


@BOTH
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_light_is_coloured_by_its_way(backend: VulkanBackend, skeleton: str, scale: float) -> None:
    picture = picture_of(backend, type("Scaled", (of_skeleton(skeleton, Coloured),), {"scale": scale}))
    passed = [part ** (1.5 * scale / 3.0) for part in COLOR]
    for part, light in ((picture[:, :40], WALL), (picture[:, -40:], (1.0, 1.0, 1.0))):
        through = (tint * one * left for tint, one, left in zip(TINT, light, passed, strict=True))
        assert np.abs(part[..., :3].astype(int) - over([], tuple(through))).max() <= 2


def test_a_volume_without_thickness_is_thin_glass(backend: VulkanBackend) -> None:
    flat = type("Flat", (Tilted,), {"glass": {**Window.glass, "volume": Volume(0.0, COLOR)}})
    picture = picture_of(backend, flat)
    middle = picture.shape[1] // 2
    for part, light in ((picture[:, : middle - 1], WALL), (picture[:, middle + 1 :], (1.0, 1.0, 1.0))):
        assert np.abs(part[27, :, 1].astype(int) - tinted(light)[..., 1]).max() <= 4


def test_bodies_are_the_same_on_opengl(backend: VulkanBackend) -> None:
    with closing(make_backend(PlayOptions(Window, backend=BackendName.OPENGL))) as opengl:
        for game in (Tilted, Coloured):
            apart = np.abs(picture_of(opengl, game).astype(int) - picture_of(backend, game)).max(axis=2)
            assert (apart > 2).mean() <= 0.02, game
