"""Lights. All are mutable, so a game can move and dim them. Colours are linear."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from pyglm import glm

Color = tuple[float, float, float]


def _down() -> glm.vec3:
    return glm.vec3(0.0, -1.0, 0.0)


@dataclass(eq=False)
class DirectionalLight:
    """An infinitely distant light, such as the sun.

    ``direction`` is the direction in which the light travels (of any length). ``intensity`` scales the illuminance of a
    surface that faces the light.
    """

    direction: glm.vec3 = field(default_factory=_down)
    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 3.0
    casts_shadow: bool = True


@dataclass(eq=False)
class PointLight:
    """An omnidirectional light. It falls off with the squared distance and ends at ``radius`` metres.

    Of the lights with ``casts_shadow``, the first few in the scene get shadows, if a shadow plugin is enabled.
    """

    position: glm.vec3 = field(default_factory=glm.vec3)
    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 10.0
    radius: float = 10.0
    casts_shadow: bool = False


@dataclass(eq=False)
class SpotLight:
    """A point light in a cone: full up to ``inner_angle``, zero beyond ``outer_angle`` (radians from the axis)."""

    position: glm.vec3 = field(default_factory=glm.vec3)
    direction: glm.vec3 = field(default_factory=_down)
    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 10.0
    radius: float = 10.0
    inner_angle: float = 0.0
    outer_angle: float = math.pi / 4.0
    casts_shadow: bool = False


Light = DirectionalLight | PointLight | SpotLight
