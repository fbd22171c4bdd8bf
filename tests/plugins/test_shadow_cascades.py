"""The cascades cover what they are for, and hold still."""

from __future__ import annotations

import math

import pytest
from pyglm import glm

from engine.renderer.blobs import CameraView
from engine.scene.camera import Camera
from plugins.shadows.cascades import CASCADES, bounding_sphere, fit_cascades, split_distances
from plugins.shadows.settings import ShadowSettings

SUN = glm.normalize(glm.vec3(-0.4, -1.0, -0.3))


def view(position: glm.vec3 | None = None, target: glm.vec3 | None = None) -> CameraView:
    camera = Camera(position or glm.vec3(0, 2, 6), target or glm.vec3(0))
    return CameraView.of(camera, (640, 360), 0.0)


def test_splits_grow_and_end_at_the_distance() -> None:
    ends = split_distances(0.1, 60.0, 0.7)
    assert len(ends) == CASCADES
    assert list(ends) == sorted(ends)
    assert ends[-1] == pytest.approx(60.0)


@pytest.mark.parametrize(("near", "far", "slope"), [(0.1, 5, 0.6), (5, 20, 0.6), (1, 100, 2.0), (10, 11, 0.05)])
def test_the_sphere_holds_the_slice(near: float, far: float, slope: float) -> None:
    along, radius = bounding_sphere(near, far, slope)
    for distance in (near, far):
        corner = math.hypot(distance - along, distance * slope)
        assert corner <= radius * (1 + 1e-6)


def test_every_visible_point_lies_in_its_cascade() -> None:
    settings = ShadowSettings()
    camera = view()
    cascades = fit_cascades(camera, SUN, settings)
    starts = (camera.near, *cascades.ends[:-1])
    for number, (start, end) in enumerate(zip(starts, cascades.ends, strict=True)):
        for distance in (start, (start + end) / 2, end):
            for x in (-1.0, 0.0, 1.0):
                for y in (-1.0, 0.0, 1.0):
                    world = camera.inverse_view_projection * glm.vec4(x, y, camera.near / distance, 1.0)
                    clip = cascades.matrices[number] * glm.vec4(glm.vec3(world) / world.w, 1.0)
                    assert max(abs(clip.x), abs(clip.y)) <= 1.0 + 2.0 / settings.size
                    assert 0.0 <= clip.z <= 1.0


def test_depth_grows_towards_the_sun() -> None:
    matrix = fit_cascades(view(), SUN, ShadowSettings()).matrices[1]
    low = matrix * glm.vec4(0, 0, 0, 1)
    high = matrix * glm.vec4(-SUN * 3.0, 1.0)
    assert high.z > low.z


def test_a_moving_camera_moves_the_map_by_whole_texels() -> None:
    settings = ShadowSettings()
    before = fit_cascades(view(), SUN, settings)
    offset = glm.vec3(0.37, 0.0, 0.11)
    after = fit_cascades(view(glm.vec3(0, 2, 6) + offset, offset), SUN, settings)
    for old, new in zip(before.matrices, after.matrices, strict=True):
        moved = (new * glm.vec4(0, 0, 0, 1) - old * glm.vec4(0, 0, 0, 1)) * (settings.size / 2)
        assert moved.x == pytest.approx(round(moved.x), abs=0.02)
        assert moved.y == pytest.approx(round(moved.y), abs=0.02)
