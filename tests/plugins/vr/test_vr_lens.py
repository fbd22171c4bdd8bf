"""What the displays show: pictures bent as the lens asks, and a HUD that hangs in space."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray
from playing import frames_of
from pyglm import glm
from view_scenes import EYES, Company, cut, session_of

from renderwright.engine.scene import Camera
from renderwright.engine.views import ViewSet
from renderwright.plugins import vr
from renderwright.plugins.vr import VrSettings, renderwright_views
from renderwright.plugins.vr.nodes import HUD_PANEL, Optics, lens, optics_of
from renderwright.plugins.vr.stereo import EYE, Eyes
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.testing import run_node

pytestmark = pytest.mark.vulkan

SHADERS = Path(vr.__file__).parent / "glsl"
SIZE = (72, 80)
NO_HUD = np.zeros((8, 8, 4), np.float32)


def optics(eye: int = 0, **changes: object) -> Optics:
    settings = VrSettings(poses="still").model_copy(update=changes)
    views = renderwright_views(ViewSet.of((Camera(),), (2 * SIZE[0], SIZE[1])), settings, None)
    split = dict(views.splits)[EYE]
    assert isinstance(split, Eyes)
    return optics_of(views.at({EYE: eye}), split, eye, settings)


def shown(values: Optics, panel: NDArray[np.float32] = NO_HUD) -> NDArray[np.float32]:
    """What a display shows of a picture whose red and green tell the place in it, and whose blue is its red."""
    x, y = np.meshgrid((np.arange(SIZE[0]) + 0.5) / SIZE[0], (np.arange(SIZE[1]) + 0.5) / SIZE[1])
    picture = np.stack([x, y, x, np.ones_like(x)], axis=-1).astype(np.float32)
    inputs = {"source": picture, "panel": panel, "optics": values}
    return np.asarray(run_node(lens, inputs, ["result"], size=SIZE, shader_paths=[SHADERS])["result"])


def linear(picture: NDArray[np.float32]) -> NDArray[np.float64]:
    """Of what was read from an 8-bit sRGB texture, as values from 0 to 1."""
    values = np.asarray(picture, np.float64)
    values = values / 255.0 if picture.dtype == np.uint8 else values
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def tangents(values: Optics) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    left, right, down, up = values.edges
    x = left + (right - left) * (np.arange(SIZE[0]) + 0.5) / SIZE[0]
    y = up + (down - up) * (np.arange(SIZE[1]) + 0.5) / SIZE[1]
    return np.meshgrid(x, y)


def places(values: Optics, x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[np.ndarray, np.ndarray]:
    left, right, down, up = values.edges
    return (x - left) / (right - left), (up - y) / (up - down)


@pytest.mark.parametrize("eye", [0, 1])
def test_the_picture_is_bent_by_the_lens_s_polynomial(eye: int) -> None:
    values = optics(eye, k1=0.3, k2=0.2, spread=0.0)
    picture = linear(shown(values))
    x, y = tangents(values)
    square = x * x + y * y
    factor = values.reach * (1.0 + 0.3 * square + 0.2 * square * square)
    u, v = places(values, x * factor, y * factor)
    inside = (u > 0.02) & (u < 0.98) & (v > 0.02) & (v < 0.98)
    outside = (u < -0.02) | (u > 1.02) | (v < -0.02) | (v > 1.02)
    assert inside.mean() > 0.5
    assert outside.mean() > 0.02
    assert np.abs(picture[..., 0] - u)[inside].max() < 0.01
    assert np.abs(picture[..., 1] - v)[inside].max() < 0.01
    assert picture[outside][:, :3].max() == 0.0


def test_blue_comes_from_farther_out_than_red() -> None:
    values = optics(k1=0.1, k2=0.0, spread=0.05)
    picture = linear(shown(values))
    x, _ = tangents(values)
    right, left = (x > 0.3) & (x < 0.5), (x < -0.3) & (x > -0.5)
    middle = slice(30, 50)
    assert (picture[middle, :, 2] - picture[middle, :, 0])[right[middle]].min() > 0.005
    assert (picture[middle, :, 0] - picture[middle, :, 2])[left[middle]].min() > 0.005


def test_the_hud_hangs_at_its_distance() -> None:
    """Each eye sees the panel where a panel of that size, so far away, would be."""
    white = np.ones((8, 8, 4), np.float32)
    for eye, side in ((0, -1.0), (1, 1.0)):
        values = optics(eye, k1=0.0, k2=0.0, spread=0.0, ipd=0.1, hud_distance=0.5, hud_width=0.4)
        over = linear(shown(values, white))[..., :3].min(axis=-1) > 0.98
        x, y = tangents(values)
        half, tall = 0.4, 0.4 * HUD_PANEL[1] / HUD_PANEL[0]
        shift = -side * 0.05 / 0.5
        expected = (np.abs(x - shift) < half) & (np.abs(y) < tall)
        corner = np.minimum(*places(values, x, y)[::-1]) > 0.96  # where the picture is white, too
        edge = corner | (np.abs(np.abs(x - shift) - half) < 0.03) | (np.abs(np.abs(y) - tall) < 0.03)
        assert expected.mean() > 0.05
        assert np.array_equal(over[~edge], expected[~edge])


class Mute(Company):
    """Without a HUD."""

    plugins: ClassVar[tuple[str, ...]] = ("tonemap",)

    def draw(self, alpha: float) -> None:
        pass


def test_a_lens_that_does_not_bend_leaves_the_picture_alone(backend: VulkanBackend) -> None:
    flat = {**EYES, "vr.k1": "0", "vr.k2": "0", "vr.spread": "0"}
    pictures = []
    for with_lens in (True, False):
        session = session_of(backend, (112, 62), game=Mute, enable=("vr",), **flat)
        try:
            if not with_lens:
                session.graph.remove_node("vr/lens")
            pictures.append(frames_of(session, 2)[-1])
            eyes = [cut(pictures[-1], view.rectangle) for _, view in session._input.views.instances()]
        finally:
            session.close()
        assert not np.array_equal(*eyes), "the eyes see different pictures"
    assert np.array_equal(*pictures)


def test_scale_makes_the_world_smaller() -> None:
    near, far = optics(scale=1.0), optics(scale=10.0)
    assert near == replace(far, hud_eye=near.hud_eye), "the HUD keeps its distance in metres"
    assert glm.distance(near.hud_eye, far.hud_eye) < 1e-6
