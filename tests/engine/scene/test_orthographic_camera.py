"""Orthographic cameras: their projection, rays, parts and interpolation, and those of glTF files."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder
from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.gltf import load_gltf
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box
from renderwright.engine.scene.scene import Scene
from renderwright.engine.views import Rectangle, View
from renderwright.engine.views.tile import Tile
from renderwright.render.errors import UsageError

CAMERA = Camera(glm.vec3(3.0, 4.0, 5.0), glm.vec3(1.0, 0.0, -2.0), near=0.5, height=6.0, depth_range=40.0)
ASPECT = 1.5


def seen(camera: Camera, point: glm.vec3) -> np.ndarray:
    """Clip position after the division."""
    clip = camera.projection(ASPECT) * camera.view() * glm.vec4(point, 1.0)
    return np.array(glm.vec3(clip) / clip.w)


def in_view(x: float, y: float, away: float) -> glm.vec3:
    """A point by metres to the right, up and along the view direction of the camera."""
    aside = CAMERA.orientation() * glm.vec3(x, y, 0.0)
    return CAMERA.position + aside + CAMERA.forward() * away


@pytest.mark.parametrize("away", [0.5, 3.0, 40.5])
def test_the_height_is_what_it_shows_at_every_distance(away: float) -> None:
    corner = seen(CAMERA, in_view(3.0 * ASPECT, 3.0, away))
    assert corner[:2] == pytest.approx([1.0, 1.0], abs=1e-5)
    assert seen(CAMERA, in_view(-4.5, -3.0, away))[:2] == pytest.approx([-1.0, -1.0], abs=1e-5)


def test_depth_is_reversed_and_linear() -> None:
    depths = [seen(CAMERA, in_view(1.0, -2.0, away))[2] for away in (0.5, 20.5, 40.5)]
    assert depths == pytest.approx([1.0, 0.5, 0.0], abs=1e-6)


def test_rays_are_parallel_and_hit_what_the_picture_shows() -> None:
    ray, other = CAMERA.ray((0.3, -0.6), ASPECT), CAMERA.ray((-1.0, 1.0), ASPECT)
    assert ray.direction == other.direction == CAMERA.forward()
    assert seen(CAMERA, ray.origin + ray.direction * 7.0)[:2] == pytest.approx([0.3, -0.6], abs=1e-5)
    scene = Scene()
    scene.camera = CAMERA
    crate = scene.spawn(box(0.2), Material())
    crate.transform.position = in_view(-3.0, 2.0, 11.0)
    hit = scene.pick(CAMERA.ray((-3.0 / 4.5, 2.0 / 3.0), ASPECT))
    assert hit is not None
    assert hit.entity == crate
    assert hit.distance == pytest.approx(11.0, abs=0.2)
    assert scene.pick(CAMERA.ray((-2.7 / 4.5, 2.0 / 3.0), ASPECT)) is None


def test_a_tile_shows_its_part_of_the_picture() -> None:
    whole = Rectangle(0, 0, 300, 200)
    view = View.of(CAMERA, whole)
    part = Tile(Rectangle(60, 20, 90, 50), ((whole, (0, 0)),)).part(view, 0)
    camera = CameraView.of_view(part, (90, 50), 0.0)
    for x, y in ((60, 20), (150, 70), (101, 33)):  # texels of the whole picture
        ray = CAMERA.ray((x / 150 - 1.0, 1.0 - y / 100), ASPECT)
        clip = camera.view_projection * glm.vec4(ray.origin + ray.direction * 5.0, 1.0)
        place = ((clip.x + 1.0) * 45 + 60, (1.0 - clip.y) * 25 + 20)
        assert place == pytest.approx((x, y), abs=1e-3)
    assert (camera.fov_y, camera.height) == (0.0, pytest.approx(6.0 * 50 / 200))


def test_jitter_moves_the_picture_by_texels() -> None:
    camera = CameraView.of(CAMERA, (90, 60), 0.0)
    before, after = (
        view.view_projection * glm.vec4(1.0, 0.5, -1.0, 1.0) for view in (camera, camera.jittered(0.5, 0.25))
    )
    assert (after.x - before.x) * 45 == pytest.approx(0.5, abs=1e-4)
    assert (before.y - after.y) * 30 == pytest.approx(0.25, abs=1e-4)


def test_interpolation() -> None:
    other = CAMERA.copy()
    assert other == CAMERA
    other.height, other.depth_range = 8.0, 20.0
    half = Camera.interpolate(CAMERA, other, 0.5)
    assert (half.height, half.depth_range) == (7.0, 30.0)
    assert Camera.interpolate(Camera(), other, 0.25).height == 8.0
    assert Camera.interpolate(CAMERA, Camera(), 0.25).height is None


@pytest.mark.parametrize(("field", "value"), [("height", 0.0), ("height", math.nan), ("depth_range", -1.0)])
def test_wrong_numbers_are_refused_by_name(field: str, value: float) -> None:
    with pytest.raises(UsageError, match=rf"Camera\.{field} cannot be"):
        setattr(Camera(), field, value)


def test_cameras_of_gltf(tmp_path: Path) -> None:
    builder = GltfBuilder()
    builder.document["cameras"] = [
        {"type": "orthographic", "orthographic": {"xmag": 4.0, "ymag": 2.5, "znear": 0.0, "zfar": 50.0}}
    ]
    builder.document["nodes"] = [{"name": "plan", "camera": 0, "translation": [0, 0, 7]}]
    builder.document["scenes"] = [{"nodes": [0]}]
    builder.document["scene"] = 0
    (plan,) = load_gltf(builder.save(tmp_path)).cameras
    assert (plan.name, plan.camera.height) == ("plan", 5.0)
    assert plan.camera.near + plan.camera.depth_range == pytest.approx(50.0)
    assert plan.camera.near < 1e-4
    assert plan.camera.position == glm.vec3(0.0, 0.0, 7.0)
