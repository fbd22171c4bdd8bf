"""Checks of the lights of a scene, which change in place, for scenes of many lights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any

from renderwright.engine.scene.light import DirectionalLight, Light, PointLight, RectangleLight, SpotLight
from renderwright.engine.scene.number_rules import check_vectors
from renderwright.engine.scene.scene_values import check_light

_SHORT = 1e-6
"""Directions below this are looked at one by one."""


def check_lights(lights: Sequence[Light]) -> None:
    """Raises ``UsageError`` with the name of the first that is no light, or has an invalid vector or cone."""
    if _all_plain(lights):
        return
    for number, light in enumerate(lights):
        name = f"scene.lights[{number}]"
        check_light(name, light)
        check_vectors(name, light, light.number_rules, light.made_at)
        if isinstance(light, SpotLight):
            light.check_cone(name)


def _all_plain(lights: Sequence[Light]) -> bool:
    """Whether all vectors are valid, no direction is short and cones are in order, found without looking at lights one
    by one. A tuple has been looked at when it was set."""
    try:
        directed = [light.direction for light in lights if not isinstance(light, PointLight)]
        directed += [light.up for light in lights if isinstance(light, RectangleLight)]
        placed = [light.position for light in lights if not isinstance(light, DirectionalLight)]
        colors = [light.color for light in lights if type(light.color) is not tuple]
        cones = [(light.inner_angle, light.outer_angle) for light in lights if isinstance(light, SpotLight)]
        vectors: list[Any] = [*directed, *placed, *colors]
        finite = math.isfinite(sum(chain.from_iterable(vectors))) and set(map(len, vectors)) <= {3}
        return (
            finite
            and all(max(x, y, z, -x, -y, -z) > _SHORT for x, y, z in directed)
            and all(min(color) >= 0.0 for color in colors)
            and all(inner <= outer for inner, outer in cones)
        )
    except (AttributeError, TypeError, ValueError):
        return False
