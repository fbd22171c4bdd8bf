"""Checks of the numbers of lights, which change in place, for scenes of many lights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any

from renderwright.engine.scene.light import DirectionalLight, Light, PointLight, RectangleLight
from renderwright.engine.scene.number_rules import check_vectors

_SHORT = 1e-6
"""Directions below this are looked at one by one."""


def check_lights(lights: Sequence[Light]) -> None:
    """Raises ``UsageError`` with the name of the first light that has an invalid vector."""
    if _all_plain(lights):
        return
    for number, light in enumerate(lights):
        check_vectors(f"scene.lights[{number}]", light, light.number_rules, light.made_at)


def _all_plain(lights: Sequence[Light]) -> bool:
    """Whether all vectors are finite and no direction is short, found without looking at lights one by one."""
    directed = [light.direction for light in lights if not isinstance(light, PointLight)]
    directed += [light.up for light in lights if isinstance(light, RectangleLight)]
    placed = [light.position for light in lights if not isinstance(light, DirectionalLight)]
    colors = [light.color for light in lights]
    vectors: list[Any] = [*directed, *placed, *colors]
    try:
        finite = math.isfinite(sum(chain.from_iterable(vectors))) and set(map(len, vectors)) <= {3}
        return finite and all(max(x, y, z, -x, -y, -z) > _SHORT for x, y, z in directed)
    except (TypeError, ValueError):
        return False
