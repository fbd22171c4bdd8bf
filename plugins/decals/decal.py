"""What a game describes: an image, and the box within which it is projected onto surfaces."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.caller import caller_location
from renderwright.engine.scene import Entity, Image
from renderwright.engine.scene.number_rules import Checked, NumberRule
from renderwright.plugins.decals.table import DecalTable
from renderwright.render import SourceLocation, UsageError

Color = tuple[float, float, float]


def _down() -> glm.vec3:
    return glm.vec3(0.0, -1.0, 0.0)


_SHARE = NumberRule(least=0.0, most=1.0)
_OPTIONAL_SHARE = NumberRule(least=0.0, most=1.0, optional=True)


@dataclass(eq=False, slots=True)
class Decal(Checked):
    """An image that is projected along ``direction`` onto opaque surfaces.

    A game places it: ``scene.placed.add(Decal(image, position))``.

    ``position`` is the middle of a box of ``size``: width and height of the image, and the depth within which surfaces
    get it, in metres. The top of the image points up or, on grounds and ceilings, towards -Z; ``rotation`` turns it
    counter-clockwise, in radians. All may change at any time. With ``follow`` position and direction are those in the
    space of an entity, and the decal is drawn while the entity is in a scene.

    The surface gets the colour of ``image`` times ``tint`` (linear; None: it keeps its own), and, if given, the normals
    of ``normal_image`` (tangent space, green up), ``roughness`` and ``metallic``. The image's alpha times ``opacity``
    is the share of each that it gets. Without an image alpha is 1.

    Surfaces turned away from the projection by more than the first of ``fade_angles`` (radians, pi / 2 at most) fade
    out, and have nothing of it from the second on. Of overlapping decals those of a higher ``order`` are on top, then
    those placed later.
    """

    number_rules: ClassVar[Mapping[str, NumberRule]] = {
        "position": NumberRule(3),
        "direction": NumberRule(3, directed=True),
        "rotation": NumberRule(),
        "size": NumberRule(3, positive=True),
        "tint": NumberRule(3, least=0.0, optional=True),
        "opacity": _SHARE,
        "roughness": _OPTIONAL_SHARE,
        "metallic": _OPTIONAL_SHARE,
        "fade_angles": NumberRule(2, least=0.0, most=0.5 * math.pi),
        "order": NumberRule(),
    }

    image: Image | None = None
    position: glm.vec3 = field(default_factory=glm.vec3)
    direction: glm.vec3 = field(default_factory=_down)
    size: tuple[float, float, float] | glm.vec3 = (1.0, 1.0, 1.0)
    rotation: float = 0.0
    tint: Color | None = (1.0, 1.0, 1.0)
    opacity: float = 1.0
    normal_image: Image | None = None
    roughness: float | None = None
    metallic: float | None = None
    fade_angles: tuple[float, float] = (1.05, 1.4)
    order: float = 0.0
    follow: Entity | None = None
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False)

    def __post_init__(self) -> None:
        for name, kind, hint in _KINDS:
            value = getattr(self, name)
            if value is not None and not isinstance(value, kind):
                raise self._refused(f"the {name} of a decal cannot be {value!r:.80}", hint)
        if self.image is not None and not self.image.srgb:
            raise self._refused(
                f'the image "{self.image.name}" of a decal is not marked as colour', "leave out srgb=False of the image"
            )
        if self.fade_angles[0] >= self.fade_angles[1]:
            raise self._refused(
                f"a decal cannot fade from {self.fade_angles[0]:g} to {self.fade_angles[1]:g} radians",
                "give the smaller of fade_angles first",
            )
        if all(value is None for value in (self.tint, self.normal_image, self.roughness, self.metallic)):
            raise self._refused("a decal changes nothing", "give a tint, normal_image, roughness or metallic")

    def box(self) -> NDArray[np.float64]:
        """The matrix (4, 4) from a cube of side 1 around the origin to the box, in the world's or the entity's space.

        The image lies across x and y, and is projected towards -z.
        """
        ahead = np.array(glm.normalize(glm.vec3(self.direction)), np.float64)
        upright = abs(ahead[1]) < _NEARLY_UPRIGHT
        right = np.cross(ahead, (0.0, 1.0, 0.0) if upright else (0.0, 0.0, -1.0))
        right /= np.linalg.norm(right)
        up = np.cross(right, ahead)
        cosine, sine = math.cos(self.rotation), math.sin(self.rotation)
        width, height, depth = self.size
        box = np.eye(4)
        box[:3, 0] = (right * cosine + up * sine) * width
        box[:3, 1] = (up * cosine - right * sine) * height
        box[:3, 2] = -ahead * depth
        box[:3, 3] = tuple(self.position)
        return box

    @classmethod
    def table(cls) -> DecalTable:
        """An empty table of decals."""
        return DecalTable()

    @classmethod
    def examples(cls) -> tuple[Decal, ...]:
        """Decals that need different nodes."""
        flat = Image("flat", np.array([[(128, 128, 255, 255)]], np.uint8), srgb=False)
        return (
            cls(),
            cls(tint=None, normal_image=flat),
            cls(tint=None, roughness=0.5),
            cls(tint=None, metallic=1.0),
        )

    def _refused(self, message: str, hint: str) -> UsageError:
        return UsageError(message, hint=hint, where=self.made_at)


_NEARLY_UPRIGHT = 0.999
"""The vertical part of directions along which an image has no side that points up."""

_KINDS: tuple[tuple[str, type, str], ...] = (
    ("image", Image, "give an Image, such as that of load_image(path), or None"),
    ("normal_image", Image, "give an Image, such as that of load_image(path, srgb=False), or None"),
    ("follow", Entity, "give an Entity, such as that of scene.spawn(...), or None"),
)
