"""Position, rotation and scale."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.algebra import mix, multiply
from renderwright.engine.scene.matrices import POSITION, ROTATION, SCALE, TRANSFORM_FLOATS
from renderwright.engine.scene.number_rules import NumberRule, refusal
from renderwright.render.errors import UsageError

_OWN_REFERENCES = 3
"""References to a vector that only its transform has, while a list of vectors is counted."""

_ZERO, _NO_ROTATION = glm.vec3(0.0), glm.quat(0.0, 0.0, 0.0, 0.0)
"""0.0 times a vector is zero if all its numbers are finite. Games assign thousands of vectors in a step, and this takes
a tenth of the time of a ``NumberRule``."""


class Link(Protocol):
    """The connection of a transform to the rows of a scene that follow it."""

    #: Whether the scene compares the transform with its rows at the next step or picture.
    watched: bool

    def watch(self) -> None:
        """Have the scene do so, and take over values that were set through arrays."""


class Transform:
    """A position in metres, a rotation (unit quaternion) and a scale along the local axes.

    Mutable, also in place: ``transform.position.x += 1``. An assignment copies the value. Components of ``scale``
    should be positive; a mirrored mesh shows its back faces. The assignment of a number that is not finite, or of a
    rotation of length 0, raises ``UsageError``.
    """

    number_rules: ClassVar[Mapping[str, NumberRule]] = {
        "position": NumberRule(3),
        "rotation": NumberRule(4, directed=True),
        "scale": NumberRule(3),
    }

    __slots__ = ("_position", "_rotation", "_scale", "links")

    def __init__(
        self,
        position: glm.vec3 | None = None,
        rotation: glm.quat | None = None,
        scale: glm.vec3 | None = None,
    ) -> None:
        self._position = glm.vec3() if position is None else glm.vec3(position)
        self._rotation = glm.quat(1.0, 0.0, 0.0, 0.0) if rotation is None else glm.quat(rotation)
        self._scale = glm.vec3(1.0) if scale is None else glm.vec3(scale)
        #: Set by the scenes whose entities have this transform.
        self.links: tuple[Link, ...] = ()
        given = not (position is None and rotation is None and scale is None)
        if given and (field := self.invalid_field()):
            raise _refusal(field, getattr(self, field))

    def __repr__(self) -> str:
        return f"Transform(position={self.position}, rotation={self.rotation}, scale={self.scale})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Transform):
            return NotImplemented
        return (self.position, self.rotation, self.scale) == (other.position, other.rotation, other.scale)

    __hash__ = None  # type: ignore[assignment]

    @property
    def position(self) -> glm.vec3:
        """The position in metres."""
        for link in self.links:
            if not link.watched:
                link.watch()
        return self._position

    @position.setter
    def position(self, position: glm.vec3) -> None:
        for link in self.links:
            if not link.watched:
                link.watch()
        if position is not self._position:  # as after ``transform.position *= ...``
            position = glm.vec3(position)
        if position * 0.0 != _ZERO:
            raise _refusal("position", position)
        self._position = position

    @property
    def rotation(self) -> glm.quat:
        """The rotation, a unit quaternion."""
        for link in self.links:
            if not link.watched:
                link.watch()
        return self._rotation

    @rotation.setter
    def rotation(self, rotation: glm.quat) -> None:
        for link in self.links:
            if not link.watched:
                link.watch()
        if rotation is not self._rotation:  # as after ``transform.rotation *= ...``
            rotation = glm.quat(rotation)
        if rotation * 0.0 != _NO_ROTATION or rotation == _NO_ROTATION:
            raise _refusal("rotation", rotation)
        self._rotation = rotation

    @property
    def scale(self) -> glm.vec3:
        """The scale along the local axes."""
        for link in self.links:
            if not link.watched:
                link.watch()
        return self._scale

    @scale.setter
    def scale(self, scale: glm.vec3) -> None:
        for link in self.links:
            if not link.watched:
                link.watch()
        if scale is not self._scale:  # as after ``transform.scale *= ...``
            scale = glm.vec3(scale)
        if scale * 0.0 != _ZERO:
            raise _refusal("scale", scale)
        self._scale = scale

    def invalid_field(self) -> str:
        """The first field with an invalid number, "" if there is none. Does not have scenes watch the transform."""
        position, rotation, scale = self._position, self._rotation, self._scale
        if position * 0.0 != _ZERO:
            return "position"
        if rotation * 0.0 != _NO_ROTATION or rotation == _NO_ROTATION:
            return "rotation"
        return "scale" if scale * 0.0 != _ZERO else ""

    def matrix(self) -> glm.mat4:
        """Local-to-world matrix: translation * rotation * scale."""
        return glm.scale(multiply(glm.translate(self.position), glm.mat4_cast(self.rotation)), self.scale)

    def copy(self) -> Transform:
        """An independent copy."""
        return Transform(self.position, self.rotation, self.scale)

    def set(self, other: Transform) -> None:
        """Copy the values of ``other``."""
        self.position, self.rotation, self.scale = other.position, other.rotation, other.scale

    def take(self, position: glm.vec3, rotation: glm.quat, scale: glm.vec3) -> None:
        """Replace values that differ from the scene's. A replaced vector is not connected any more."""
        if position != self._position:
            self._position = position
        if rotation != self._rotation:
            self._rotation = rotation
        if scale != self._scale:
            self._scale = scale

    @staticmethod
    def interpolate(a: Transform, b: Transform, t: float) -> Transform:
        """``a`` at t = 0, ``b`` at t = 1. The rotation takes the shorter arc (slerp)."""
        return Transform(
            mix(a.position, b.position, t),
            glm.normalize(glm.slerp(a.rotation, b.rotation, t)),
            mix(a.scale, b.scale, t),
        )


def _refusal(field: str, value: object) -> UsageError:
    return refusal(f"Transform.{field}", value, Transform.number_rules[field], caller_location())


def pack_transforms(transforms: Sequence[Transform]) -> NDArray[np.float32]:
    """Their values as float32 (n, ``TRANSFORM_FLOATS``). Does not have scenes watch them."""
    values = np.empty((len(transforms), TRANSFORM_FLOATS), np.float32)
    if transforms:
        values[:, POSITION] = np.array(glm.array([transform._position for transform in transforms]))
        values[:, ROTATION] = np.array(glm.array([transform._rotation for transform in transforms]))
        values[:, SCALE] = np.array(glm.array([transform._scale for transform in transforms]))
    return values


def held_outside(transforms: Sequence[Transform]) -> list[bool]:
    """Whether something else than a transform refers to a vector of it, and may change the vector in place."""
    columns = (
        [transform._position for transform in transforms],
        [transform._rotation for transform in transforms],
        [transform._scale for transform in transforms],
    )
    counts = [list(map(sys.getrefcount, column)) for column in columns]
    if max(map(max, counts), default=0) <= _OWN_REFERENCES:
        return [False] * len(transforms)
    return [max(each) > _OWN_REFERENCES for each in zip(*counts, strict=True)]
