"""The blob ``lights``: suns, sky and local lights for shaders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.renderer.lights.light_rows import (
    CHANNEL,
    DIRECTION_COSINE,
    POSITION_RADIUS,
    RADIANCE,
    Rows,
    has_rectangles,
    light_rows,
)
from renderwright.engine.renderer.lights.shadow_places import SHADOW_CHANNELS, ShadowPlace, ShadowPlaces
from renderwright.engine.renderer.lights.shadowed_lights import (
    ShadowedLight,
    ShadowSharing,
    Vec3,
    Vec4,
    shadowed_by_slot,
)
from renderwright.engine.renderer.lights.suns import MOST_SUNS, chosen_suns
from renderwright.engine.renderer.sky_table import sky_table
from renderwright.engine.scene.light import DirectionalLight
from renderwright.engine.scene.scene import Scene
from renderwright.engine.scene.sky import Sky

__all__ = ["FEW_LIGHTS", "SHADOW_CHANNELS", "LightSet", "ShadowedLight", "Vec4"]

FEW_LIGHTS = 16
"""Local lights in the uniform block. Scenes of more have them in a buffer, by clusters."""

_NO_VECTOR: Vec4 = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class LightSource:
    """What a light set is made from: suns as (direction, colour, intensity, casts shadow), sky, intensity of the
    environment, local lights as bytes of their rows, places of shadows by number, lights that want one."""

    suns: tuple[tuple[Vec3, Vec3, float, bool], ...]
    sky: Sky
    environment: float
    local: bytes
    places: tuple[tuple[int, ShadowPlace], ...]
    wanting: int


@dataclass(frozen=True)
class LightSet:
    """Suns, sky and local lights for shaders. Its members fill the uniform block ``lights``.

    ``sun_direction`` and ``sun_radiance`` are those of the directional light that has the shadow maps; ``suns`` more
    are in ``sun_directions`` and ``sun_radiances``. ``environment`` is the intensity of the scene's environment, 0
    without one. ``sky`` is the table of ``sky_table``.

    ``count`` local lights are in the block, ``FEW_LIGHTS`` at most. ``inner_cosine.w`` is the light's channel of
    ``light_visibility``, -1 without shadows. ``shadowed`` has the lights with shadows by slot, None for free slots, and
    ``sharing`` their rows while they share channels; ``sharers`` are the numbers of those in further slots. ``wanting``
    is the number of lights with ``casts_shadow``. ``total`` is the number of ``rows``, which has all local lights.
    ``low`` and ``high`` are the corners of a box around what they reach.
    """

    requested_by: ClassVar = "request_lights(reg)"

    sun_direction: glm.vec3
    sun_radiance: tuple[float, float, float]
    sun_casts_shadow: bool
    suns: int
    sun_directions: tuple[Vec4, ...]
    sun_radiances: tuple[Vec4, ...]
    zenith: tuple[float, float, float]
    horizon: tuple[float, float, float]
    ground: tuple[float, float, float]
    count: int
    total: int
    position_radius: tuple[Vec4, ...]
    radiance: tuple[Vec4, ...]
    direction_cosine: tuple[Vec4, ...]
    inner_cosine: tuple[Vec4, ...]
    shadowed: tuple[ShadowedLight | None, ...]
    sharing: ShadowSharing
    sharers: tuple[int, ...]
    wanting: int
    low: tuple[float, ...]
    high: tuple[float, ...]
    sky: NDArray[np.float32] = field(compare=False)
    rows: Rows = field(compare=False)
    environment: float = 0.0
    source: LightSource | None = field(default=None, compare=False, repr=False)

    @cached_property
    def rectangles(self) -> bool:
        """Whether there are rectangle lights."""
        return has_rectangles(self.rows)

    def unshared(self) -> LightSet:
        """The same without shadows of the lights in further slots."""
        rows = self.rows.copy()
        rows[list(self.sharers), CHANNEL] = -1.0
        inner_cosine = _padded(_vectors(rows[:FEW_LIGHTS, 12:16]), FEW_LIGHTS)
        return replace(self, rows=rows, inner_cosine=inner_cosine, sharing=ShadowSharing(), sharers=(), source=None)

    @classmethod
    def of(
        cls,
        scene: Scene,
        places: ShadowPlaces | None = None,
        shadowed: int = SHADOW_CHANNELS,
        before: LightSet | None = None,
    ) -> LightSet:
        """The lights of a scene. ``places`` chooses at most ``shadowed`` with shadows, and remembers its choice.

        The result is ``before`` if that was made from equal lights.
        """
        suns = chosen_suns(scene.sun, scene.lights) or (DirectionalLight(glm.vec3(0.0, -1.0, 0.0), intensity=0.0),)
        local = [light for light in scene.lights if not isinstance(light, DirectionalLight)]
        rows = light_rows(local)
        cameras = np.array([tuple(camera.position) for camera in scene.cameras], np.float32).reshape(-1, 3)
        placed = (places or ShadowPlaces()).choose(local, rows, cameras, shadowed)
        rows[list(placed), CHANNEL] = [place.channel for place in placed.values()]
        source = LightSource(
            tuple((one.direction.to_tuple(), one.color, one.intensity, one.casts_shadow) for one in suns),
            scene.sky,
            scene.environment.intensity if scene.environment is not None else 0.0,
            rows.tobytes(),
            tuple(placed.items()),
            sum(light.casts_shadow for light in local),
        )
        if before is not None and before.source == source:
            return before
        low, high = _reached(rows)
        few = rows[:FEW_LIGHTS]
        sun, sky = suns[0], scene.sky
        return cls(
            sun_direction=glm.normalize(sun.direction),
            sun_radiance=_scaled(sun.color, sun.intensity),
            sun_casts_shadow=sun.casts_shadow and sun.intensity > 0.0,
            suns=len(suns) - 1,
            sun_directions=_padded([(*glm.normalize(one.direction), 0.0) for one in suns[1:]], MOST_SUNS - 1),
            sun_radiances=_padded([(*_scaled(one.color, one.intensity), 0.0) for one in suns[1:]], MOST_SUNS - 1),
            zenith=_scaled(sky.zenith, sky.intensity),
            horizon=_scaled(sky.horizon, sky.intensity),
            ground=_scaled(sky.ground, sky.intensity),
            count=len(few),
            total=len(rows),
            position_radius=_padded(_vectors(few[:, POSITION_RADIUS]), FEW_LIGHTS),
            radiance=_padded(_vectors(few[:, RADIANCE]), FEW_LIGHTS),
            direction_cosine=_padded(_vectors(few[:, DIRECTION_COSINE]), FEW_LIGHTS),
            inner_cosine=_padded(_vectors(few[:, 12:16]), FEW_LIGHTS),
            shadowed=shadowed_by_slot(rows, placed),
            sharing=ShadowSharing.of(rows, placed),
            sharers=tuple(number for number, place in placed.items() if place.slot >= SHADOW_CHANNELS),
            wanting=source.wanting,
            low=low,
            high=high,
            sky=sky_table(sky),
            rows=rows,
            environment=source.environment,
            source=source,
        )


def _reached(rows: Rows) -> tuple[tuple[float, ...], tuple[float, ...]]:
    if not len(rows):
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    places, radius = rows[:, 0:3], rows[:, 3:4]
    return tuple((places - radius).min(axis=0).tolist()), tuple((places + radius).max(axis=0).tolist())


def _vectors(columns: Rows) -> list[Vec4]:
    return [(x, y, z, w) for x, y, z, w in columns.tolist()]


def _padded(vectors: Sequence[Vec4], count: int) -> tuple[Vec4, ...]:
    return (*vectors, *[_NO_VECTOR] * (count - len(vectors)))


def _scaled(color: tuple[float, float, float], factor: float) -> tuple[float, float, float]:
    return (color[0] * factor, color[1] * factor, color[2] * factor)
