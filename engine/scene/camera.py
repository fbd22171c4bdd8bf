"""Cameras: the view matrix, the frustum, and picking rays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from pyglm import glm

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.algebra import mix, rotate
from renderwright.engine.scene.frustum import Frustum
from renderwright.engine.scene.layers import ALL_LAYERS
from renderwright.engine.scene.number_rules import Checked, NumberRule
from renderwright.render.errors import SourceLocation

_WIDEST = math.pi - 1e-3
"""Widest field of view in radians; a plane would need pi."""

_NEAREST = 1e-6
"""Least distance of a target in metres."""


class Ray(NamedTuple):
    """A half-line: ``direction`` has unit length."""

    origin: glm.vec3
    direction: glm.vec3


def _identity() -> glm.quat:
    return glm.quat(1.0, 0.0, 0.0, 0.0)


def _up() -> glm.vec3:
    return glm.vec3(0.0, 1.0, 0.0)


@dataclass(slots=True)
class Camera(Checked):
    """A perspective or an orthographic camera.

    It looks at ``target`` with ``up`` upwards. Without a target, ``rotation`` rotates it from looking along -Z with +Y
    up. ``fov_y`` is the vertical field of view in radians, below pi; ``near`` is the distance of the near plane in
    metres, above 0. A perspective camera has no far plane. ``layers`` is a mask of 32 bits: an entity is drawn if its
    own has a bit in common. An invalid value raises ``UsageError``.

    With a ``height`` the camera is orthographic: its picture shows that many metres from the bottom to the top,
    whatever the distance, and ``fov_y`` has no effect. It shows ``depth_range`` metres from the near plane on.
    """

    number_rules: ClassVar[Mapping[str, NumberRule]] = {
        "position": NumberRule(3),
        "target": NumberRule(3, optional=True),
        "rotation": NumberRule(4, directed=True),
        "up": NumberRule(3, directed=True),
        "fov_y": NumberRule(most=_WIDEST, positive=True, angle=True),
        "near": NumberRule(positive=True),
        "height": NumberRule(positive=True, optional=True),
        "depth_range": NumberRule(positive=True),
        "layers": NumberRule(least=0, most=ALL_LAYERS, whole=True),
    }
    elsewhere: ClassVar[Mapping[str, str]] = {
        "fov": "write camera.fov_y = math.radians(...): it is the vertical field of view, in radians",
        "far": "a perspective camera has no far plane, an orthographic one shows depth_range metres",
    }

    position: glm.vec3 = field(default_factory=glm.vec3)
    target: glm.vec3 | None = None
    rotation: glm.quat = field(default_factory=_identity)
    up: glm.vec3 = field(default_factory=_up)
    fov_y: float = math.radians(60.0)
    near: float = 0.1
    layers: int = ALL_LAYERS
    height: float | None = None
    depth_range: float = 1000.0
    #: The line of the game since which the camera looks at itself, for messages.
    made_at: SourceLocation | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.looks_at_itself:
            self.made_at = caller_location()

    def __setattr__(self, name: str, value: object) -> None:
        Checked.__setattr__(self, name, value)
        complete = name in ("position", "target") and getattr(self, "target", None) is not None
        if complete and self.looks_at_itself:
            self.made_at = caller_location()

    @property
    def looks_at_itself(self) -> bool:
        """Whether the target is at the camera's own position, where it is ignored."""
        return self.target is not None and bool(glm.distance(self.position, self.target) < _NEAREST)

    def orientation(self) -> glm.quat:
        """The effective rotation: towards the target, or ``rotation``.

        A target at the camera's own position is ignored, with a notice. If the view is parallel to ``up``, another axis
        replaces it.
        """
        if self.target is None:
            return glm.normalize(self.rotation)
        if self.looks_at_itself:
            return glm.normalize(self.rotation)
        forward = glm.normalize(self.target - self.position)
        up = glm.normalize(self.up)
        if abs(glm.dot(forward, up)) > 1.0 - 1e-6:
            up = glm.vec3(0.0, 0.0, 1.0) if abs(up.z) < 0.9 else glm.vec3(0.0, 1.0, 0.0)
        return glm.quatLookAt(forward, up)

    def forward(self) -> glm.vec3:
        """The view direction, a unit vector."""
        return rotate(self.orientation(), glm.vec3(0.0, 0.0, -1.0))

    def view(self) -> glm.mat4:
        """From world to view space (right-handed, looking along -Z)."""
        turn = glm.mat4_cast(glm.conjugate(self.orientation()))
        return glm.translate(turn, -self.position)

    def frustum(self, aspect: float) -> Frustum:
        """The view frustum of a picture with width / height = ``aspect``."""
        if self.height is not None:
            return Frustum.parallel(self.height, aspect, self.depth_range)
        return Frustum.symmetric(self.fov_y, aspect)

    def projection(self, aspect: float) -> glm.mat4:
        """From view to clip space for a picture of width / height = ``aspect``; see ``Frustum.projection``."""
        return self.frustum(aspect).projection(self.near)

    def ray(self, ndc: glm.vec2 | tuple[float, float], aspect: float) -> Ray:
        """The ray from the camera through a point of the picture: x right, y up, both from -1 to 1."""
        x, y = ndc[0], ndc[1]
        if self.height is not None:
            aside = rotate(self.orientation(), glm.vec3(x * aspect, y, 0.0) * (0.5 * self.height))
            return Ray(self.position + aside, self.forward())
        slope = math.tan(self.fov_y * 0.5)
        direction = rotate(self.orientation(), glm.vec3(x * slope * aspect, y * slope, -1.0))
        return Ray(glm.vec3(self.position), glm.normalize(direction))

    def copy(self) -> Camera:
        """An independent copy."""
        return Camera(
            glm.vec3(self.position),
            None if self.target is None else glm.vec3(self.target),
            glm.quat(self.rotation),
            glm.vec3(self.up),
            self.fov_y,
            self.near,
            self.layers,
            self.height,
            self.depth_range,
        )

    @staticmethod
    def interpolate(a: Camera, b: Camera, t: float) -> Camera:
        """``a`` at t = 0, ``b`` at t = 1. Mixes targets if both have one, else rotations (slerp).

        Between a perspective and an orthographic camera the projection is that of ``b``.
        """
        mixed = Camera(
            position=mix(a.position, b.position, t),
            fov_y=a.fov_y + (b.fov_y - a.fov_y) * t,
            near=a.near + (b.near - a.near) * t,
            layers=b.layers,
            height=_mixed_height(a.height, b.height, t),
            depth_range=a.depth_range + (b.depth_range - a.depth_range) * t,
        )
        if a.target is not None and b.target is not None:
            mixed.target = mix(a.target, b.target, t)
            mixed.up = mix(a.up, b.up, t)
            mixed.rotation = glm.quat(b.rotation)
        else:
            mixed.up = glm.vec3(b.up)
            mixed.rotation = glm.normalize(glm.slerp(a.orientation(), b.orientation(), t))
        return mixed


def _mixed_height(a: float | None, b: float | None, t: float) -> float | None:
    return b if a is None or b is None else a + (b - a) * t


@dataclass(frozen=True)
class InterpolatedCamera:
    """A camera between two steps, with what it was made from. ``as_made`` is a copy: others may change the camera."""

    before: Camera
    now: Camera
    alpha: float
    camera: Camera
    as_made: Camera

    @classmethod
    def of(cls, before: Camera, now: Camera, alpha: float) -> InterpolatedCamera:
        """The camera between the steps ``before`` (alpha = 0) and ``now`` (1)."""
        camera = Camera.interpolate(before, now, alpha)
        return cls(before.copy(), now.copy(), alpha, camera, camera.copy())

    def holds_for(self, before: Camera, now: Camera, alpha: float) -> bool:
        """Whether it is the camera between two other steps as well; that of a still camera is, whatever ``alpha``."""
        unmoved = before == self.before and now == self.now and self.camera == self.as_made
        return unmoved and (alpha == self.alpha or before == now)
