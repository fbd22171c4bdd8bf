"""The air between the camera and the scene, which dims light on its way and scatters other light into it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from renderwright.engine.renderer.air_volume import request_air_volume
from renderwright.render.graph.registry import Registry


@dataclass(frozen=True)
class Air:
    """The blob ``air``, which a plugin of fog creates. Its members fill the uniform block of ``air.glsl``.

    Transparent surfaces are seen through it as far as they are; what draws it over opaque ones is the plugin itself.
    ``density`` is the extinction per metre at the height ``height``, in metres, and falls off exponentially with height
    by ``falloff`` per metre. Within ``start`` metres of the camera there is none, and beyond ``reach`` no more. At most
    the share ``opacity`` of the light is dimmed. Scattered light is the sky's horizon and ``sun`` times the sun, by the
    phase function of Henyey and Greenstein with ``glow`` as g, times ``color``.
    """

    requested_by: ClassVar = "request_air(reg)"

    density: float
    falloff: float
    height: float
    start: float
    reach: float
    opacity: float
    color: tuple[float, float, float]
    sun: float
    glow: float


CLEAR_AIR = Air(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, (1.0, 1.0, 1.0), 1.0, 0.0)
"""Where no plugin creates any."""


def request_air(reg: Registry) -> None:
    """Request all air that ``through_air.glsl`` looks through, for a fragment shader; without plugins it is clear."""
    __tracebackhide__ = True
    reg.read("air", Air).optional(otherwise=CLEAR_AIR)
    request_air_volume(reg)
