"""The directional lights of a scene, the one with shadows first."""

from __future__ import annotations

from collections.abc import Iterable

from renderwright.engine.scene.light import DirectionalLight, Light

MOST_SUNS = 4
"""Directional lights that light a scene, as in ``lights.glsl``."""

_LUMINANCE = (0.2126, 0.7152, 0.0722)


def brightness(light: Light) -> float:
    """Luminance of a light's colour, scaled by its intensity."""
    red, green, blue = light.color
    return light.intensity * (_LUMINANCE[0] * red + _LUMINANCE[1] * green + _LUMINANCE[2] * blue)


def chosen_suns(sun: DirectionalLight | None, lights: Iterable[Light]) -> tuple[DirectionalLight, ...]:
    """The directional lights that are drawn, at most ``MOST_SUNS``, the brightest first.

    The first has the shadow maps, so the brightest of those that cast shadows comes before brighter ones that do not.
    """
    suns = [light for light in (sun, *lights) if isinstance(light, DirectionalLight)]
    if len(suns) < 2:
        return tuple(suns)
    suns.sort(key=brightness, reverse=True)
    casting = next((light for light in suns if light.casts_shadow), suns[0])
    others = [light for light in suns if light is not casting]
    return (casting, *others[: MOST_SUNS - 1])
