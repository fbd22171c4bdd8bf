"""Cookies: what they take, which layers their lights get, and rows of lights with patterns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.renderer.lights.light_rows import PATTERN, light_rows
from renderwright.engine.renderer.placed_layers import MOST_LAYERS
from renderwright.engine.scene import Image, PointLight, RectangleLight, Scene, SpotLight
from renderwright.engine.scene.light import LightPattern
from renderwright.plugins.cookies import Cookie
from renderwright.render import UsageError


def image(**options: Any) -> Image:
    return Image("pane", np.full((4, 4, 4), 255, np.uint8), **options)


@pytest.mark.parametrize(
    ("light", "shown", "words"),
    [
        (PointLight(), image(), "the light of a cookie cannot be PointLight"),
        (SpotLight(), "pane.png", "the image of a cookie cannot be 'pane.png'"),
        (SpotLight(), image(srgb=False), 'the image "pane" of a cookie is not marked as colour'),
    ],
)
def test_what_cannot_be_projected_is_refused_at_the_line_of_the_game(light: Any, shown: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words) as refusal:
        Cookie(light, shown)
    assert refusal.value.where is not None
    assert refusal.value.where.file == __file__


def test_a_light_has_one_cookie() -> None:
    scene, light = Scene(), SpotLight()
    first = scene.placed.add(Cookie(light, image()))
    with pytest.raises(UsageError, match="a light has one cookie"):
        scene.placed.add(Cookie(light, image()))
    scene.placed.remove(first)
    assert light.pattern is None
    scene.placed.add(Cookie(light, image()))
    assert light.pattern is not None


def test_cookies_with_one_image_share_its_layer_and_stay_there() -> None:
    scene, shared = Scene(), image()
    lights = [SpotLight() for _ in range(3)]
    first = scene.placed.add(Cookie(lights[0], image()))
    for light in lights[1:]:
        scene.placed.add(Cookie(light, shared))
    assert [light.pattern and light.pattern.layer for light in lights] == [0, 1, 1]
    (rows,) = scene.placed.drawn(1.0)
    assert rows.images["images"].texels.shape == (2, 4, 4, 4)
    assert scene.placed.drawn(0.5)[0] is rows
    scene.placed.remove(first)
    assert [light.pattern and light.pattern.layer for light in lights] == [None, 1, 1]
    scene.placed.clear()
    assert [light.pattern for light in lights] == [None] * 3


def test_too_many_images_are_refused() -> None:
    scene = Scene()
    for _ in range(MOST_LAYERS):
        scene.placed.add(Cookie(SpotLight(), image()))
    late = SpotLight()
    with pytest.raises(UsageError, match="the cookies of a scene have 257 images"):
        scene.placed.add(Cookie(late, image()))
    assert late.pattern is None


def test_only_spot_lights_with_a_pattern_have_one_in_their_rows() -> None:
    spots = [SpotLight(direction=glm.vec3(0.0, 0.0, side)) for side in (1.0, -1.0)]
    for spot in spots:
        spot.pattern = LightPattern(4, glm.vec3(0.0, 1.0, 0.0))
    rows = light_rows([PointLight(), SpotLight(), RectangleLight(), *spots])
    assert np.array_equal(rows[[0, 1], PATTERN], np.zeros((2, 2)))
    layers, turns = rows[3:, PATTERN].T
    assert layers.tolist() == [5.0, 5.0]
    # Along +Z the second axis across is +Y, along -Z it is -Y.
    assert np.allclose(np.cos(turns), [1.0, -1.0])
    spots[0].pattern = LightPattern(0, glm.vec3(1.0, 0.0, 7.0))
    assert math.isclose(light_rows(spots)[0, PATTERN][1], -0.5 * math.pi, rel_tol=1e-6)
