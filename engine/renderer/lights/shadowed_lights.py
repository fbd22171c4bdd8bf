"""The blobs of the local lights that cast shadows, in the graph while there are any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from renderwright.engine.renderer.lights.light_rows import (
    DIRECTION_COSINE,
    HALF_HEIGHT,
    KIND,
    POSITION_RADIUS,
    RADIANCE,
    TWO_SIDED,
    Rows,
)
from renderwright.engine.renderer.lights.shadow_places import MOST_SHADOWED, SHADOW_CHANNELS, ShadowPlace

Vec3 = tuple[float, float, float]
Vec4 = tuple[float, float, float, float]

SHADOW_SHARING = "shadow_sharing"
BANKS = MOST_SHADOWED // SHADOW_CHANNELS


def bank_blob(bank: int) -> str:
    """The name of the blob ``ShadowedLights`` of a bank."""
    return f"shadowed_lights_{bank}" if bank else "shadowed_lights"


@dataclass(frozen=True)
class ShadowedLight:
    """A local light that has shadows, as in ``lights.glsl``.

    Of a rectangle, ``direction_cosine`` is half its width, and ``half_height`` half its height; it has no length for
    other lights.
    """

    position_radius: Vec4
    direction_cosine: Vec4
    half_height: Vec3 = (0.0, 0.0, 0.0)
    two_sided: bool = False

    @property
    def rectangle(self) -> bool:
        """Whether the light is a rectangle."""
        return any(self.half_height)


@dataclass(frozen=True)
class ShadowedLights:
    """The blob ``shadowed_lights``: the lights of the first slots, None for free ones.

    ``moves`` grows, by slot, when a caster within a light's reach has changed: without that and with the same light a
    shadow map stays as it is. ``arrangement`` is another number when casters are in other rows.

    Slots are in banks of ``SHADOW_CHANNELS``. The slots of further banks are in blobs of the same kind,
    ``shadowed_lights_1`` and so on, each in the graph while its slots are in use.
    """

    lights: tuple[ShadowedLight | None, ...] = ()
    moves: tuple[int, ...] = ()
    arrangement: int = 0

    def bank(self, number: int) -> ShadowedLights:
        """The slots of a bank."""
        slots = slice(number * SHADOW_CHANNELS, (number + 1) * SHADOW_CHANNELS)
        return ShadowedLights(self.lights[slots], self.moves[slots], self.arrangement)


@dataclass(frozen=True)
class ShadowSharing:
    """The blob ``shadow_sharing``, in the graph while channels of ``light_visibility`` are shared by several lights.

    Its members fill a uniform block: the rows of the lights by slot, of which there are ``slots``. A row of zeros is
    that of a free slot.
    """

    slots: int = 0
    position_radius: tuple[Vec4, ...] = ()
    radiance: tuple[Vec4, ...] = ()
    direction_cosine: tuple[Vec4, ...] = ()
    inner_cosine: tuple[Vec4, ...] = ()

    @classmethod
    def of(cls, rows: Rows, places: Mapping[int, ShadowPlace]) -> ShadowSharing:
        """The rows of lights with places; nothing if no channel is shared."""
        slots = max((place.slot for place in places.values()), default=-1) + 1
        if slots <= SHADOW_CHANNELS:
            return cls()
        by_slot = np.zeros((MOST_SHADOWED, rows.shape[1]), np.float32)
        for number, place in places.items():
            by_slot[place.slot] = rows[number]
        parts = [tuple(_vector(row[part]) for row in by_slot) for part in _VECTORS]
        return cls(slots, *parts)


_VECTORS = (POSITION_RADIUS, RADIANCE, DIRECTION_COSINE, slice(12, 16))


def shadowed_by_slot(rows: Rows, places: Mapping[int, ShadowPlace]) -> tuple[ShadowedLight | None, ...]:
    """The lights with places by slot, None for free slots below the last one in use."""
    lights = {place.slot: _shadowed(rows[number]) for number, place in places.items()}
    return tuple(lights.get(slot) for slot in range(max(lights, default=-1) + 1))


def _shadowed(row: Rows) -> ShadowedLight:
    position_radius, direction_cosine = _vector(row[POSITION_RADIUS]), _vector(row[DIRECTION_COSINE])
    if not row[KIND]:
        return ShadowedLight(position_radius, direction_cosine)
    x, y, z = row[HALF_HEIGHT].tolist()
    return ShadowedLight(position_radius, direction_cosine, (x, y, z), bool(row[KIND] == TWO_SIDED))


def _vector(part: Rows) -> Vec4:
    x, y, z, w = part.tolist()
    return (x, y, z, w)
