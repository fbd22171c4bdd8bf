"""The sun's shadow maps, for nodes that ask whether the sun reaches a point that is not in the picture's depth."""

from __future__ import annotations

from dataclasses import dataclass

from pyglm import glm

from renderwright.render.graph.registry import Registry

SUN_MAPS = "sun_maps"
"""Name of the blob. The textures are ``sun_maps_0`` to ``sun_maps_3``, arrays of layers in reversed depth."""
_TEXTURES = 4


@dataclass(frozen=True)
class SunMaps:
    """The blob ``sun_maps``, which a plugin of shadows creates. Its members fill the block of ``sun_maps.glsl``.

    There are four maps, the first of which are nearest and finest. ``matrices`` transform world space to a map's clip
    space, in which depth 1 is towards the sun. ``textures`` and ``layers`` say where a map lies. ``casts`` is 0 if the
    sun casts no shadows; then the maps are empty.
    """

    matrices: tuple[glm.mat4, ...]
    textures: tuple[int, ...]
    layers: tuple[int, ...]
    casts: int


NO_SUN_MAPS = SunMaps((glm.mat4(1.0),) * _TEXTURES, (0,) * _TEXTURES, (0,) * _TEXTURES, 0)
"""Where no plugin creates any; the textures have one texel then, and no point is within their edges."""


def request_sun_maps(reg: Registry, stage: str = "compute") -> None:
    """Request what ``sun_maps.glsl`` reads, for a compute or ``fragment`` shader. Without shadows the sun reaches all
    points.
    """
    reg.read(SUN_MAPS, SunMaps).optional(otherwise=NO_SUN_MAPS)
    for number in range(_TEXTURES):
        reg.read(f"{SUN_MAPS}_{number}").sampled(stage=stage, filter="nearest").optional(otherwise=0.0)
