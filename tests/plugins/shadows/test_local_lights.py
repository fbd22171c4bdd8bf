"""Spot and point lights get tiles that show what they light."""

from __future__ import annotations

import math
import random

import pytest
from pyglm import glm

from renderwright.engine.renderer.blobs import LightSet
from renderwright.engine.scene import PointLight, Scene, SpotLight
from renderwright.engine.scene.light import Light
from renderwright.plugins.shadows.local_lights import BORDER, COLUMNS, FACES, ROWS, Lamps, LocalShadows, tile_place
from renderwright.plugins.shadows.settings import ShadowSettings
from renderwright.plugins.shadows.tile import NEAR


def shadows(*lights: Light, **settings: int) -> LocalShadows:
    scene = Scene()
    for light in lights:
        scene.add_light(light)
    return LocalShadows.of(Lamps(LightSet.of(scene).shadowed), ShadowSettings(**settings))


def tile_counts(local: LocalShadows) -> list[float]:
    return [tile[0] for tile in local.tiles]


def spot(angle: float = 0.6, *, casts: bool = True) -> SpotLight:
    direction = glm.vec3(0.3, -1.0, 0.2)
    return SpotLight(glm.vec3(1, 4, 2), direction, radius=9.0, outer_angle=angle, casts_shadow=casts)


def point() -> PointLight:
    return PointLight(glm.vec3(-1, 2, 0.5), radius=7.0, casts_shadow=True)


def test_a_spot_light_has_a_tile_around_its_cone() -> None:
    local = shadows(spot())
    assert tile_counts(local) == [1, 0, 0, 0]
    assert local.tiles_of(0).matrices == local.matrices[:1]
    light = spot()
    axis = glm.normalize(light.direction)
    across = glm.normalize(glm.cross(axis, glm.vec3(0, 1, 0)))
    for turn in range(8):
        side = glm.angleAxis(turn * math.pi / 4, axis) * across
        edge = light.position + 5.0 * (axis * math.cos(0.6) + side * math.sin(0.6))
        clip = local.matrices[0] * glm.vec4(edge, 1.0)
        reach = math.hypot(clip.x, clip.y) / clip.w
        assert reach == pytest.approx(1.0 - 2.0 * BORDER, abs=1e-4)
        assert clip.z / clip.w == pytest.approx(NEAR / (5.0 * math.cos(0.6)), rel=1e-4)


def test_each_direction_from_a_point_light_lies_within_its_face() -> None:
    """The face is that of the longest axis, as the shader chooses it; the border stays free."""
    local = shadows(point())
    assert tile_counts(local) == [6, 0, 0, 0]
    chance = random.Random(3)
    for _ in range(200):
        direction = glm.vec3(*(chance.gauss(0, 1) for _ in range(3)))
        face = max(range(6), key=lambda number: glm.dot(direction, glm.vec3(*FACES[number])))
        clip = local.matrices[face] * glm.vec4(point().position + direction, 1.0)
        assert clip.w > 0
        assert max(abs(clip.x), abs(clip.y)) <= clip.w * (1.0 - 2.0 * BORDER) + 1e-4


def test_a_wide_spot_light_has_a_cube() -> None:
    assert tile_counts(shadows(spot(1.5))) == [6, 0, 0, 0]


def test_the_size_of_a_texel_grows_with_distance() -> None:
    local = shadows(spot(), light_size=256)
    slope = math.tan(0.6) / (1.0 - 2.0 * BORDER)
    assert local.tiles[0][1] == pytest.approx(2.0 * slope / 256)


def test_lights_that_cast_none_get_none() -> None:
    local = shadows(spot(casts=False), point(), spot())
    assert tile_counts(local) == [6, 1, 0, 0]
    assert local.places[0] == (-1.0, 2.0, 0.5, 7.0)
    assert tile_counts(shadows(spot(casts=False))) == [0, 0, 0, 0]


def test_every_channel_has_room_for_a_cube() -> None:
    assert tile_counts(shadows(*[point() for _ in range(6)])) == [6, 6, 6, 6]
    assert tile_counts(shadows(*[point() for _ in range(2)])) == [6, 6, 0, 0]
    assert sorted({tile_place(tile) for tile in range(6)}) == [(x, y) for x in range(COLUMNS) for y in range(ROWS)]
