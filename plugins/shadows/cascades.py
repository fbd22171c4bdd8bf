"""Where the cascades lie: slices of the view, each in a sphere of fixed size that moves by whole texels.

The sphere does not change as the camera turns, and the steps are whole texels, so edges do not crawl (Valient,
"Stable Rendering of Cascaded Shadow Maps", ShaderX6).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyglm import glm

from engine.renderer.blobs import CameraView
from engine.scene.algebra import matrix_of_columns, multiply, transform_point
from plugins.shadows.settings import ShadowSettings

CASCADES = 4


@dataclass(frozen=True)
class ShadowCascades:
    """The blob ``shadows/cascades``, as the uniform block ``cascades``.

    ``matrices`` go from world to a cascade's clip space (depth 1 towards the sun, 0 away from it); ``ends`` are the
    distances along the view axis where each cascade ends; ``texels`` the sizes of a texel, both in metres.
    """

    matrices: tuple[glm.mat4, ...]
    ends: tuple[float, ...]
    texels: tuple[float, ...]


def fit_cascades(camera: CameraView, sun_direction: glm.vec3, settings: ShadowSettings) -> ShadowCascades:
    """Fit all cascades to a view. ``sun_direction`` is the way the light travels, of unit length."""
    ends = split_distances(camera.near, settings.distance, settings.split)
    aspect = camera.extent[0] / camera.extent[1]
    slope = math.tan(camera.fov_y / 2.0) * math.hypot(1.0, aspect)
    forward = camera.forward
    axis = glm.vec3(0.0, 0.0, 1.0) if abs(sun_direction.y) > 0.99 else glm.vec3(0.0, 1.0, 0.0)
    turn = glm.lookAt(glm.vec3(0.0), sun_direction, axis)
    matrices: list[glm.mat4] = []
    texels: list[float] = []
    start = camera.near
    for end in ends:
        along, radius = bounding_sphere(start, end, slope)
        texel = 2.0 * radius / settings.size
        center = transform_point(turn, camera.position + forward * along)
        center.x = math.floor(center.x / texel) * texel
        center.y = math.floor(center.y / texel) * texel
        matrices.append(multiply(_orthographic(center, radius, settings.casters), turn))
        texels.append(texel)
        start = end
    return ShadowCascades(tuple(matrices), ends, tuple(texels))


def split_distances(near: float, far: float, weight: float) -> tuple[float, ...]:
    """Ends of the cascades: a mix of even and exponential steps (Zhang et al. 2006)."""
    near = max(near, 0.5)
    ends = []
    for number in range(1, CASCADES + 1):
        share = number / CASCADES
        even = near + (far - near) * share
        exponential = near * (far / near) ** share
        ends.append(even + (exponential - even) * weight)
    return tuple(ends)


def bounding_sphere(near: float, far: float, slope: float) -> tuple[float, float]:
    """Distance of the centre along the view axis, and radius, of the smallest sphere around a slice of the view.

    ``slope`` is the tangent of the half angle across the picture's diagonal.
    """
    square = slope * slope
    if square >= (far - near) / (far + near):
        return far, far * slope
    radius = 0.5 * math.sqrt((far - near) ** 2 + 2 * (far**2 + near**2) * square + (far + near) ** 2 * square**2)
    return 0.5 * (far + near) * (1.0 + square), radius


def _orthographic(center: glm.vec3, radius: float, casters: float) -> glm.mat4:
    """Orthographic and reversed: depth 1 at ``casters`` metres before the sphere, 0 behind it."""
    length = 2.0 * radius + casters
    return matrix_of_columns(
        (1.0 / radius, 0.0, 0.0, 0.0),
        (0.0, 1.0 / radius, 0.0, 0.0),
        (0.0, 0.0, 1.0 / length, 0.0),
        (-center.x / radius, -center.y / radius, (radius - center.z) / length, 1.0),
    )
