"""A shadow map of the sun around a sphere: for what is drawn from elsewhere than the views, which have cascades."""

from __future__ import annotations

from pyglm import glm

from renderwright.engine.scene.algebra import matrix_of_columns, multiply

_CASTERS = 200.0
"""Distance in front of the sphere at which surfaces still cast shadows, in metres."""


def sun_box(middle: glm.vec3, radius: float, direction: glm.vec3) -> glm.mat4:
    """World to the clip space of an orthographic box along the sunlight, around a sphere.

    Depth is reversed: 1 at ``_CASTERS`` in front of the sphere, 0 behind it. ``sun_box.glsl`` looks it up.
    """
    axis = glm.vec3(0.0, 0.0, 1.0) if abs(direction.y) > 0.99 else glm.vec3(0.0, 1.0, 0.0)
    turn = glm.lookAt(middle, middle + direction, axis)
    length = 2.0 * radius + _CASTERS
    projection = matrix_of_columns(
        (1.0 / radius, 0.0, 0.0, 0.0),
        (0.0, 1.0 / radius, 0.0, 0.0),
        (0.0, 0.0, 1.0 / length, 0.0),
        (0.0, 0.0, radius / length, 1.0),
    )
    return multiply(projection, turn)
