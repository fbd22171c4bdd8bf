"""Air that is lit in a volume of the view: with shadows and lamps, unlike ``air.py``'s."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render.graph.registry import Registry

AIR_VOLUME = "air_volume"
AIR_VOLUME_LIGHT = "air_volume_light"


@dataclass(frozen=True)
class AirVolume:
    """The blob ``air_volume``, which a plugin of fog creates. Its members fill the block of ``air_volume_block.glsl``.

    ``density``, ``falloff``, ``height``, ``color``, ``sun`` and ``glow`` are as of ``Air``. The texture
    ``air_volume_light`` of each view has the mean light that the air scatters towards the eye within ``range``
    metres of the camera: 8 x 8 tiles (``froxels.glsl``; fewer in a texture of fewer texels), each of which is the mean
    up to the end of one of 64 slices. Beyond it, up to ``reach`` metres, the air is lit evenly.
    """

    density: float
    falloff: float
    height: float
    range: float
    reach: float
    color: tuple[float, float, float]
    sun: float
    glow: float


CLEAR_AIR_VOLUME = AirVolume(0.0, 0.0, 0.0, 1.0, 1.0, (1.0, 1.0, 1.0), 1.0, 0.0)
"""Where no plugin creates any."""


def request_air_volume(reg: Registry) -> None:
    """Request what ``air_volume.glsl`` reads, for a fragment shader. Without a plugin the air is clear."""
    __tracebackhide__ = True
    reg.read(AIR_VOLUME, AirVolume).optional(otherwise=CLEAR_AIR_VOLUME)
    reg.read(AIR_VOLUME_LIGHT).sampled(stage="fragment").optional(otherwise=0.0)
