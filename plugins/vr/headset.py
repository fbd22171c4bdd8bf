"""Interface of a headset: eye poses, frusta and lenses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pyglm import glm

from renderwright.engine.scene.algebra import rotate
from renderwright.engine.views import Frustum
from renderwright.render import Extent


@dataclass(frozen=True)
class Pose:
    """Position in metres and rotation, relative to a parent space: x right, y up, looking along -z."""

    position: glm.vec3
    rotation: glm.quat

    def then(self, inner: Pose) -> Pose:
        """``inner``, given relative to this pose, in the parent space."""
        return Pose(self.position + rotate(self.rotation, inner.position), self.rotation * inner.rotation)


@dataclass(frozen=True)
class Eye:
    """An eye: its pose relative to the head, and the frustum of its display."""

    pose: Pose
    frustum: Frustum


@dataclass(frozen=True)
class Lens:
    """Distortion of a lens, for which the picture is corrected.

    A point at the tangent r from the lens's axis is seen at r (1 + k1 r^2 + k2 r^4): a radial polynomial as in Brown
    1966 ("Decentering Distortion of Lenses"). ``spread`` is the lateral chromatic aberration: the share by which blue
    is seen farther out than green, and red less far.
    """

    k1: float = 0.0
    k2: float = 0.0
    spread: float = 0.0

    def bent(self, radius: float) -> float:
        """The tangent at which a point at tangent ``radius`` from the axis is seen."""
        square = radius * radius
        return radius * (1.0 + square * (self.k1 + square * self.k2))

    def reach(self, frustum: Frustum) -> float:
        """Scale of tangents that keeps the widest edge of an eye's picture in place."""
        widest = max(frustum.left, frustum.right, frustum.down, frustum.up)
        return widest / self.bent(widest)


NO_LENS = Lens()


@dataclass(frozen=True)
class Look:
    """A headset at one moment: the head's pose relative to the seat, and the eyes, left and right."""

    head: Pose
    eyes: tuple[Eye, Eye]


class Headset(Protocol):
    """A headset, real or simulated."""

    @property
    def name(self) -> str:
        """Human-readable name."""

    @property
    def display(self) -> Extent:
        """Resolution of each eye's display, in texels."""

    @property
    def wearers(self) -> int | None:
        """Number of players with a headset. None: all players, with the displays side by side on the output."""

    @property
    def lens(self) -> Lens:
        """Distortion to correct for; ``NO_LENS`` if the runtime corrects it."""

    def look(self, time: float) -> Look | None:
        """Head and eyes when the frame of game time ``time`` (seconds) is displayed; None while nothing is shown."""
