"""What a headset tells: where its eyes are, what they see, and how its lenses bend that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pyglm import glm

from renderwright.engine.scene.algebra import rotate
from renderwright.engine.views import Frustum
from renderwright.render import Extent


@dataclass(frozen=True)
class Pose:
    """Position in metres and rotation, relative to something else: x right, y up, looking along -z."""

    position: glm.vec3
    rotation: glm.quat

    def then(self, inner: Pose) -> Pose:
        """The pose of what has the pose ``inner`` relative to this one."""
        return Pose(self.position + rotate(self.rotation, inner.position), self.rotation * inner.rotation)


@dataclass(frozen=True)
class Eye:
    """An eye: its pose relative to the head, and what its display shows."""

    pose: Pose
    frustum: Frustum


@dataclass(frozen=True)
class Lens:
    """What must be done to a picture so that it looks straight through a lens.

    A point at the tangent r from the lens's axis is seen at r (1 + k1 r^2 + k2 r^4): a radial polynomial as in Brown
    1966 ("Decentering Distortion of Lenses"). ``spread`` is how much farther out blue is seen than green, and red less
    far, as a share.
    """

    k1: float = 0.0
    k2: float = 0.0
    spread: float = 0.0

    def bent(self, radius: float) -> float:
        """Where a point at a tangent from the axis is seen."""
        square = radius * radius
        return radius * (1.0 + square * (self.k1 + square * self.k2))

    def reach(self, frustum: Frustum) -> float:
        """By what tangents are scaled so that the widest edge of an eye's picture stays where it is."""
        widest = max(frustum.left, frustum.right, frustum.down, frustum.up)
        return widest / self.bent(widest)


NO_LENS = Lens()


@dataclass(frozen=True)
class Look:
    """A headset at one moment: the head's pose relative to the seat, and the eyes, left and right."""

    head: Pose
    eyes: tuple[Eye, Eye]


class Headset(Protocol):
    """A device, or something that stands for one."""

    @property
    def name(self) -> str:
        """For people."""

    @property
    def display(self) -> Extent:
        """Of each eye, in texels."""

    @property
    def wearers(self) -> int | None:
        """How many players see through such a headset; None for all of them, on one output that holds the displays."""

    @property
    def lens(self) -> Lens:
        """What a picture for a display has to make up for; none where something else does that."""

    def look(self, time: float) -> Look | None:
        """Where it is when what is drawn for ``time`` seconds of the game is seen; None while it shows nothing."""
