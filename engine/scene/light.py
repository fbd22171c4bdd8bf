"""Lights. All are mutable, so a game can move and dim them. Colours are linear.

An invalid value, such as a direction of length 0, a negative intensity or NaN, raises ``UsageError``. ``made_at`` is
the line of the game that made the light, for messages.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from pyglm import glm

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.number_rules import Checked, NumberRule
from renderwright.render.errors import SourceLocation, UsageError

Color = tuple[float, float, float]


def _down() -> glm.vec3:
    return glm.vec3(0.0, -1.0, 0.0)


_WIDEST = math.pi / 2.0 + 1e-6
"""Widest outer angle: half a space, with a spare for files that round it up."""

_COLOR = NumberRule(3, least=0.0)
_DIRECTION = NumberRule(3, directed=True)
_INTENSITY = NumberRule(least=0.0)
_POSITION = NumberRule(3)
_RADIUS = NumberRule(positive=True)


@dataclass(eq=False, slots=True)
class DirectionalLight(Checked):
    """An infinitely distant light, such as the sun.

    ``direction`` is the direction in which the light travels (of any length). ``intensity`` scales the illuminance of a
    surface that faces the light. A scene shows its four brightest. The brightest with ``casts_shadow`` has shadows, if
    a shadow plugin is enabled; the others light through walls.
    """

    number_rules: ClassVar[Mapping[str, NumberRule]] = {
        "direction": _DIRECTION,
        "color": _COLOR,
        "intensity": _INTENSITY,
    }

    direction: glm.vec3 = field(default_factory=_down)
    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 3.0
    casts_shadow: bool = True
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False)


@dataclass(frozen=True)
class LightPattern:
    """An image in a light's cone, which a plugin gives it: a layer of the texture ``light_patterns``.

    ``up`` is where the top of the image is, as far as it is across the light's direction.
    """

    layer: int
    up: glm.vec3


@dataclass(eq=False, slots=True)
class PointLight(Checked):
    """An omnidirectional light. It falls off with the squared distance and ends at ``radius`` metres.

    Of the lights with ``casts_shadow``, the brightest where the cameras are get shadows, if a shadow plugin is enabled.
    """

    number_rules: ClassVar[Mapping[str, NumberRule]] = {
        "position": _POSITION,
        "color": _COLOR,
        "intensity": _INTENSITY,
        "radius": _RADIUS,
    }

    position: glm.vec3 = field(default_factory=glm.vec3)
    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 10.0
    radius: float = 10.0
    casts_shadow: bool = False
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False)


@dataclass(eq=False, slots=True)
class SpotLight(Checked):
    """A point light in a cone: full up to ``inner_angle``, zero beyond ``outer_angle``, which is no less.

    The angles are in radians from the axis, up to pi / 2.
    """

    number_rules: ClassVar[Mapping[str, NumberRule]] = {
        "position": _POSITION,
        "direction": _DIRECTION,
        "color": _COLOR,
        "intensity": _INTENSITY,
        "radius": _RADIUS,
        "inner_angle": NumberRule(least=0.0, most=_WIDEST, angle=True),
        "outer_angle": NumberRule(most=_WIDEST, positive=True, angle=True),
    }

    position: glm.vec3 = field(default_factory=glm.vec3)
    direction: glm.vec3 = field(default_factory=_down)
    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 10.0
    radius: float = 10.0
    inner_angle: float = 0.0
    outer_angle: float = math.pi / 4.0
    casts_shadow: bool = False
    pattern: LightPattern | None = field(default=None, init=False, repr=False)
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False)

    def __post_init__(self) -> None:
        self.check_cone("SpotLight")

    def check_cone(self, name: str) -> None:
        """Raises ``UsageError``, with the light called ``name``, if the cone ends before its bright middle does."""
        if self.inner_angle > self.outer_angle:
            raise UsageError(
                f"{name}.inner_angle cannot be {self.inner_angle:g}: its outer_angle is {self.outer_angle:g}",
                hint="give the smaller angle as inner_angle, in radians from the axis",
                where=self.made_at,
            )


@dataclass(eq=False, slots=True)
class RectangleLight(Checked):
    """A glowing rectangle, such as a window, a screen or a panel of lamps. Its shadows are as soft as it is large.

    ``direction`` is where it faces, ``up`` the direction of its height as far as it is across that. ``intensity``
    scales its radiance, which is that of a ``Material.emissive``: the light alone is invisible, so draw a surface with
    it. The light ends at ``radius`` metres from the middle. With ``two_sided`` it shines backwards, too.
    """

    number_rules: ClassVar[Mapping[str, NumberRule]] = {
        "position": _POSITION,
        "direction": _DIRECTION,
        "up": _DIRECTION,
        "width": _RADIUS,
        "height": _RADIUS,
        "color": _COLOR,
        "intensity": _INTENSITY,
        "radius": _RADIUS,
    }

    position: glm.vec3 = field(default_factory=glm.vec3)
    direction: glm.vec3 = field(default_factory=_down)
    up: glm.vec3 = field(default_factory=lambda: glm.vec3(0.0, 0.0, -1.0))
    width: float = 1.0
    height: float = 1.0
    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 5.0
    radius: float = 10.0
    two_sided: bool = False
    casts_shadow: bool = False
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False)

    def half_sides(self) -> tuple[glm.vec3, glm.vec3]:
        """Half the width, to the right as seen by the light, and half the height."""
        ahead = glm.normalize(self.direction)
        across = glm.cross(ahead, self.up)
        if glm.length(across) < 1e-5 * glm.length(self.up):
            across = glm.cross(ahead, glm.vec3(1, 0, 0) if abs(ahead.x) < 0.9 else glm.vec3(0, 1, 0))
        right = glm.normalize(across)
        return right * (0.5 * self.width), glm.cross(right, ahead) * (0.5 * self.height)


Light = DirectionalLight | PointLight | SpotLight | RectangleLight

_FAINT = 0.05


def faded_radius(intensity: float) -> float:
    """The distance at which the light of a lamp without a range has faded so far that it may end."""
    return math.sqrt(max(intensity, _FAINT) / _FAINT)
