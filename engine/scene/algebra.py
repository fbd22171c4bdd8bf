"""Typed wrappers of operations that PyGLM annotates incorrectly."""

from __future__ import annotations

from typing import cast

from pyglm import glm

Column = tuple[float, float, float, float]


def matrix_of_columns(a: Column, b: Column, c: Column, d: Column) -> glm.mat4:
    """The matrix with these four columns."""
    return glm.mat4(*a, *b, *c, *d)


def multiply(a: glm.mat4, b: glm.mat4) -> glm.mat4:
    """The matrix product ``a * b``: first ``b``, then ``a``."""
    return cast(glm.mat4, a * b)


def moved_picture(projection: glm.mat4, x: float, y: float) -> glm.mat4:
    """The projection with its picture shifted ``x`` to the right and ``y`` up, in clip space (2 is the full width)."""
    shear = glm.translate(glm.mat4(1.0), glm.vec3(x, y, 0.0))
    return multiply(shear, projection)


def inverse(matrix: glm.mat4) -> glm.mat4:
    """The inverse of ``matrix``."""
    return cast(glm.mat4, glm.inverse(matrix))


def transform_point(matrix: glm.mat4, point: glm.vec3) -> glm.vec3:
    """A point transformed by an affine matrix."""
    return glm.vec3(matrix * glm.vec4(point.x, point.y, point.z, 1.0))


def transform_direction(matrix: glm.mat4, direction: glm.vec3) -> glm.vec3:
    """A direction transformed by an affine matrix, as a unit vector."""
    return glm.normalize(glm.vec3(matrix * glm.vec4(direction.x, direction.y, direction.z, 0.0)))


def mix(a: glm.vec3, b: glm.vec3, t: float) -> glm.vec3:
    """Linear interpolation: ``a`` at t = 0, ``b`` at t = 1."""
    return cast(glm.vec3, glm.mix(a, b, t))


def rotate(rotation: glm.quat, vector: glm.vec3) -> glm.vec3:
    """``vector`` rotated by a unit quaternion."""
    return cast(glm.vec3, rotation * vector)


def matrix_rotation(matrix: glm.mat4) -> glm.quat:
    """The rotation in a matrix of translation, rotation and scale. Its axes must not be zero."""
    axes = [glm.normalize(glm.vec3(matrix[column])) for column in range(3)]
    return glm.normalize(glm.quat_cast(glm.mat3(*axes[0], *axes[1], *axes[2])))
