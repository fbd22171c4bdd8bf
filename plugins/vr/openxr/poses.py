"""Conversion of OpenXR poses and fields of view to the plugin's types. Both are right-handed, Y up, in metres."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pyglm import glm

from renderwright.engine.views import Frustum
from renderwright.plugins.vr.headset import Eye, Look, Pose


def look_of(eyes: Sequence[tuple[Pose, Frustum]]) -> Look:
    """Head and eyes from two eye poses relative to the seat. The head is midway between the eyes."""
    (left, _), (right, _) = eyes
    head = Pose(0.5 * (left.position + right.position), glm.slerp(left.rotation, right.rotation, 0.5))
    back = glm.conjugate(head.rotation)
    first, second = (
        Eye(Pose(glm.vec3(back * (pose.position - head.position)), back * pose.rotation), frustum)
        for pose, frustum in eyes
    )
    return Look(head, (first, second))


def pose_of(pose: Any) -> Pose:
    """Convert an XrPosef."""
    place, turn = pose.position, pose.orientation
    return Pose(glm.vec3(place.x, place.y, place.z), glm.quat(turn.w, turn.x, turn.y, turn.z))


def frustum_of(fov: Any) -> Frustum:
    """Convert an XrFovf, whose angles are positive to the right and upwards."""
    left, right, down, up = (math.tan(a) for a in (-fov.angle_left, fov.angle_right, -fov.angle_down, fov.angle_up))
    return Frustum(left, right, down, up)
