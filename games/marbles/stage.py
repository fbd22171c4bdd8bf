"""The parts that all levels share: table, lights and camera."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pyglm import glm

from renderwright.engine.scene import Camera, DirectionalLight, PointLight, Scene, Sky, SpotLight, Transform
from renderwright.engine.scene.material_content import Palette
from renderwright.engine.scene.primitives import plane

TABLE_HEIGHT = -3.6
_PITCH = math.radians(58.0)
"""Downward angle of the camera, in radians."""
_FOV_Y = math.radians(36.0)
_ROOM_ABOVE, _ROOM_BELOW, _ROOM_BESIDE = 0.98, 0.93, 0.95
"""Largest extent of the board from the picture's centre, as shares of the distances to its edges."""


def build_stage(scene: Scene, looks: Palette) -> None:
    """A dark table, a warm low sun with shadows, a cool sky, and two lamps."""
    scene.sun = DirectionalLight(glm.vec3(-0.55, -1.0, -0.38), (1.0, 0.83, 0.62), 3.4)
    scene.sky = Sky((0.20, 0.27, 0.40), (0.42, 0.36, 0.32), (0.10, 0.075, 0.06), 0.75)
    scene.spawn(plane(90.0, 90.0, uv_scale=9.0), looks["table"], Transform(glm.vec3(0.0, TABLE_HEIGHT, 0.0)))
    scene.add_light(PointLight(glm.vec3(-9.0, 5.0, -5.0), (0.35, 0.55, 1.0), 40.0, 22.0, casts_shadow=True))
    lamp = glm.vec3(6.5, 8.0, 6.0)
    scene.add_light(SpotLight(lamp, -lamp, (1.0, 0.62, 0.35), 70.0, 24.0, 0.25, 0.6, casts_shadow=True))


def frame_board(camera: Camera, corners: Iterable[glm.vec3], aspect: float, bar: float) -> None:
    """Move the camera back, along its three-quarter view from the near side, until all ``corners`` are in the picture.

    ``aspect`` is the picture's width / height, ``bar`` the share of its height that the HUD covers at the top.
    """
    forward = glm.vec3(0.0, -math.sin(_PITCH), -math.cos(_PITCH))
    right = glm.vec3(1.0, 0.0, 0.0)
    up = glm.cross(right, forward)
    slope = math.tan(0.5 * _FOV_Y)
    above, below, beside = (_ROOM_ABOVE - 2.0 * bar) * slope, _ROOM_BELOW * slope, _ROOM_BESIDE * slope * aspect
    points = [(glm.dot(right, corner), glm.dot(up, corner), glm.dot(forward, corner)) for corner in corners]
    # A camera at the distance d and shifted by s up the picture must see each corner: y - s <= above * (d + depth),
    # s - y <= below * (d + depth), |x| <= beside * (d + depth). The near side looks larger, so s is not 0.
    top = max(y - above * depth for _, y, depth in points)
    bottom = max(-y - below * depth for _, y, depth in points)
    fit_x = max(abs(x) / beside - depth for x, _, depth in points)
    distance = max(fit_x, (top + bottom) / (above + below))
    shift = 0.5 * ((top - above * distance) + (below * distance - bottom))
    target = up * shift
    camera.fov_y = _FOV_Y
    camera.target = target
    camera.position = target - forward * distance
    camera.near = 0.1
