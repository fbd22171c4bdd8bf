"""Thin posts and a rail before a wall, and the places where ambient occlusion is difficult there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from benchmarks.quality.occlusion_rays import Seen
from benchmarks.quality.ray_scene import RayScene, Shapes

WIDTH = 0.05
FEET = ((-1.0, -0.72), (-0.35, -0.45), (0.35, -0.8), (0.7, 0.25))
"""Places of the posts on the ground, x and z."""
FRONT = -1.0
"""The wall's front, z."""
AROUND_A_FOOT, NEAR_THE_LINE = 0.2, 0.1
"""Distances in metres."""
BESIDE = 8
"""Distance in texels."""

Mask = NDArray[np.bool_]


class ThinPosts(RayScene):
    """Posts of two to three texels of width."""

    title = "Thin posts"
    shapes = Shapes(
        boxes=(
            ((-1.7, 0.0, FRONT - 0.2), (1.7, 1.3, FRONT)),
            ((0.55, 0.6, -0.85), (1.5, 0.6 + WIDTH, -0.8)),
            *(((x - WIDTH / 2, 0.0, z - WIDTH / 2), (x + WIDTH / 2, 1.0, z + WIDTH / 2)) for x, z in FEET),
        )
    )
    place, aim, fov = glm.vec3(0.6, 1.4, 3.0), glm.vec3(0.0, 0.5, -0.5), 0.62


GROUND, WALL = 0, 1


@dataclass(frozen=True)
class Places:
    """Masks of texels (height, width).

    ``beside`` is ground and wall beside a post or rail, ``feet`` the feet of posts and their surroundings, ``crossing``
    the corner of ground and wall beside the posts that cross it in the picture.
    """

    beside: Mask
    feet: Mask
    crossing: Mask


def places(seen: Seen) -> Places:
    """The difficult places among the seen surfaces."""
    shape = (seen.extent[1], seen.extent[0])
    thing = seen.hits.thing.reshape(shape)
    x, y, z = (seen.points[:, axis].reshape(shape) for axis in range(3))
    post = thing > WALL
    behind = (thing == GROUND) | (thing == WALL)
    near = grown(post, BESIDE) & behind
    feet = np.zeros(shape, bool)
    for foot_x, foot_z in FEET:
        distance = np.sqrt((x - foot_x) ** 2 + y**2 + (z - foot_z) ** 2)
        feet |= (distance < AROUND_A_FOOT) & (thing >= 0)
    line = (np.abs(y) < NEAR_THE_LINE) & (np.abs(z - FRONT) < NEAR_THE_LINE) & behind
    return Places(near & ~feet & ~line, feet, near & line)


def grown(mask: Mask, reach: int) -> Mask:
    """The mask dilated by ``reach`` texels along both axes."""
    wide = np.pad(mask, reach)
    windows = np.lib.stride_tricks.sliding_window_view(wide, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(windows.any(axis=(-2, -1)))
