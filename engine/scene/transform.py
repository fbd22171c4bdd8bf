"""Position, rotation and scale."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyglm import glm

from renderwright.engine.scene.algebra import mix, multiply


def _identity() -> glm.quat:
    return glm.quat(1.0, 0.0, 0.0, 0.0)


def _one() -> glm.vec3:
    return glm.vec3(1.0)


@dataclass
class Transform:
    """A position in metres, a rotation (unit quaternion) and a scale along the local axes.

    Mutable, also in place: ``transform.position.x += 1``. Components of ``scale`` should be positive; a mirrored mesh
    shows its back faces.
    """

    position: glm.vec3 = field(default_factory=glm.vec3)
    rotation: glm.quat = field(default_factory=_identity)
    scale: glm.vec3 = field(default_factory=_one)

    def matrix(self) -> glm.mat4:
        """Local-to-world matrix: translation * rotation * scale."""
        return glm.scale(multiply(glm.translate(self.position), glm.mat4_cast(self.rotation)), self.scale)

    def copy(self) -> Transform:
        """An independent copy."""
        return Transform(glm.vec3(self.position), glm.quat(self.rotation), glm.vec3(self.scale))

    def set(self, other: Transform) -> None:
        """Copy the values of ``other``."""
        self.position = glm.vec3(other.position)
        self.rotation = glm.quat(other.rotation)
        self.scale = glm.vec3(other.scale)

    @staticmethod
    def interpolate(a: Transform, b: Transform, t: float) -> Transform:
        """``a`` at t = 0, ``b`` at t = 1. The rotation takes the shorter arc (slerp)."""
        return Transform(
            mix(a.position, b.position, t),
            glm.normalize(glm.slerp(a.rotation, b.rotation, t)),
            mix(a.scale, b.scale, t),
        )
