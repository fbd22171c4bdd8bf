"""The air between the camera and the scene, which dims light on its way and scatters other light into it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Air:
    """The blob ``air``, which a plugin of fog creates. Its members fill the uniform block of ``air.glsl``.

    Transparent surfaces are seen through it as far as they are; what draws it over opaque ones is the plugin itself.
    ``density`` is the extinction per metre at the height ``height``, in metres, and falls off exponentially with height
    by ``falloff`` per metre. Within ``start`` metres of the camera there is none, and beyond ``reach`` no more. At most
    the share ``opacity`` of the light is dimmed. Scattered light is the sky's horizon and ``sun`` times the sun, by the
    phase function of Henyey and Greenstein with ``glow`` as g, times ``color``.
    """

    density: float
    falloff: float
    height: float
    start: float
    reach: float
    opacity: float
    color: tuple[float, float, float]
    sun: float
    glow: float
