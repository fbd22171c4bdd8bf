from __future__ import annotations

import math

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.scene import Camera, Scene, Transform


def _turn(degrees: float) -> glm.quat:
    return glm.angleAxis(math.radians(degrees), glm.vec3(0.0, 1.0, 0.0))


def _close(a: glm.vec3, b: tuple[float, float, float], tolerance: float = 1e-5) -> bool:
    return glm.length(a - glm.vec3(*b)) < tolerance


def test_matrix_scales_then_turns_then_moves() -> None:
    transform = Transform(glm.vec3(1.0, 2.0, 3.0), _turn(90.0), glm.vec3(2.0, 1.0, 1.0))
    assert _close(glm.vec3(transform.matrix() * glm.vec4(1.0, 0.0, 0.0, 1.0)), (1.0, 2.0, 1.0))


def test_interpolation_takes_the_shorter_arc() -> None:
    a = Transform(glm.vec3(0.0), _turn(0.0), glm.vec3(1.0))
    b = Transform(glm.vec3(2.0, 0.0, 0.0), -_turn(90.0), glm.vec3(3.0))
    half = Transform.interpolate(a, b, 0.5)
    assert _close(half.position, (1.0, 0.0, 0.0))
    assert _close(half.scale, (2.0, 2.0, 2.0))
    assert abs(glm.dot(half.rotation, _turn(45.0))) == pytest.approx(1.0, abs=1e-6)


def test_copy_and_set_share_nothing() -> None:
    a = Transform(glm.vec3(1.0))
    b = a.copy()
    c = Transform()
    c.set(a)
    a.position.x = 9.0
    assert b.position.x == 1.0
    assert c.position.x == 1.0
    assert Transform().position == glm.vec3(0.0)


def _project(camera: Camera, aspect: float, point: tuple[float, float, float]) -> np.ndarray:
    clip = camera.projection(aspect) * camera.view() * glm.vec4(*point, 1.0)
    return np.array([clip.x, clip.y, clip.z]) / clip.w


def test_depth_is_reversed_and_infinite() -> None:
    camera = Camera(near=0.25)
    assert _project(camera, 1.0, (0.0, 0.0, -0.25))[2] == pytest.approx(1.0)
    assert _project(camera, 1.0, (0.0, 0.0, -0.5))[2] == pytest.approx(0.5)
    assert _project(camera, 1.0, (0.0, 0.0, -1e7))[2] == pytest.approx(0.0, abs=1e-6)


def test_field_of_view_and_aspect_reach_the_edges() -> None:
    camera = Camera(fov_y=math.radians(90.0))
    assert np.allclose(_project(camera, 2.0, (2.0, 1.0, -1.0))[:2], [1.0, 1.0], atol=1e-6)
    assert np.allclose(_project(camera, 2.0, (-2.0, -1.0, -1.0))[:2], [-1.0, -1.0], atol=1e-6)


def test_target_lies_in_the_middle_and_up_is_up() -> None:
    camera = Camera(glm.vec3(3.0, 4.0, 5.0), glm.vec3(1.0, 0.0, -2.0))
    assert np.allclose(_project(camera, 1.5, (1.0, 0.0, -2.0))[:2], 0.0, atol=1e-5)
    assert _project(camera, 1.5, (1.0, 0.5, -2.0))[1] > 0.0
    assert np.allclose(
        np.array(camera.view()), np.array(glm.lookAt(camera.position, camera.target, camera.up)), atol=1e-5
    )


@pytest.mark.parametrize("up", [(0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
def test_looking_along_up_still_works(up: tuple[float, float, float]) -> None:
    direction = glm.vec3(*up)
    camera = Camera(direction * 5.0, glm.vec3(0.0), up=direction)
    assert _close(camera.forward(), tuple(-direction))
    assert np.isfinite(np.array(camera.view())).all()


def test_target_at_the_eye_falls_back_to_the_rotation() -> None:
    camera = Camera(glm.vec3(1.0), glm.vec3(1.0), _turn(90.0))
    assert _close(camera.forward(), (-1.0, 0.0, 0.0))


def test_ray_is_the_inverse_of_projection() -> None:
    camera = Camera(glm.vec3(3.0, 4.0, 5.0), glm.vec3(1.0, 0.0, -2.0), fov_y=1.1)
    ray = camera.ray((0.3, -0.6), 1.7)
    point = ray.origin + ray.direction * 7.0
    assert np.allclose(_project(camera, 1.7, tuple(point))[:2], [0.3, -0.6], atol=1e-5)
    assert glm.length(ray.direction) == pytest.approx(1.0)


def test_interpolation_between_cameras() -> None:
    a = Camera(glm.vec3(0.0), glm.vec3(0.0, 0.0, -4.0), fov_y=1.0, near=0.1)
    b = Camera(glm.vec3(2.0, 0.0, 0.0), glm.vec3(2.0, 0.0, -4.0), fov_y=1.2, near=0.3)
    half = Camera.interpolate(a, b, 0.5)
    assert _close(half.position, (1.0, 0.0, 0.0))
    assert _close(half.forward(), (0.0, 0.0, -1.0))
    assert (half.fov_y, half.near) == pytest.approx((1.1, 0.2))
    turned = Camera.interpolate(Camera(), Camera(rotation=_turn(90.0)), 0.5)
    assert _close(turned.forward(), (-math.sqrt(0.5), 0.0, -math.sqrt(0.5)))
    mixed = Camera.interpolate(a, Camera(rotation=_turn(90.0)), 1.0)
    assert mixed.target is None
    assert _close(mixed.forward(), (-1.0, 0.0, 0.0))


def test_camera_copy_shares_nothing() -> None:
    camera = Camera(glm.vec3(1.0), glm.vec3(2.0))
    copy = camera.copy()
    camera.position.x = camera.target.x = 9.0
    assert copy.position.x == 1.0
    assert copy.target.x == 2.0


def test_the_drawn_camera_is_the_same_object_only_while_nothing_changes() -> None:
    scene = Scene()
    scene.camera.position = glm.vec3(1.0, 2.0, 3.0)
    scene.snap_cameras()
    first = scene.drawn_cameras(0.25)[0]
    assert scene.drawn_cameras(0.75)[0] is first, "a still camera, whatever alpha"
    first.position.x = 9.0  # by a plugin that arranges views
    assert scene.drawn_cameras(0.75)[0].position == glm.vec3(1.0, 2.0, 3.0)
    scene.camera.position.x = 3.0
    assert [scene.drawn_cameras(alpha)[0].position.x for alpha in (0.0, 0.5, 0.5, 1.0)] == [1.0, 2.0, 2.0, 3.0]
    scene.cameras.append(Camera(glm.vec3(5.0)))
    assert [camera.position.x for camera in scene.drawn_cameras(0.5)] == [2.0, 5.0]
    del scene.cameras[0]
    assert len(scene.drawn_cameras(0.5)) == 1
