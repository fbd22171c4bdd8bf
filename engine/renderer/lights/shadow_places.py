"""Which local lights get shadows: those that matter most where the cameras are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.renderer.lights.light_rows import POSITION_RADIUS, LocalLight, Rows
from renderwright.engine.renderer.lights.suns import brightness
from renderwright.engine.scene.light import RectangleLight

SHADOW_CHANNELS = 4
"""Channels of the texture ``light_visibility``; a bank has as many slots."""
MOST_SHADOWED = 16
"""Largest number of local lights with shadows."""

_STAYING = 1.25
"""Factor of the importance of lights that have a place, so that equals do not take turns."""


@dataclass(frozen=True)
class ShadowPlace:
    """The place of a light with shadows: a slot of its own, and a channel of ``light_visibility``.

    Lights of the first slots have the channel of that number. Those of further slots share a channel.
    """

    slot: int
    channel: int


class ShadowPlaces:
    """The places of lights, which stay the same from frame to frame as long as a light is chosen."""

    def __init__(self) -> None:
        self._places: dict[LocalLight, ShadowPlace] = {}

    def choose(
        self, lights: Sequence[LocalLight], rows: Rows, cameras: NDArray[np.float32], most: int = SHADOW_CHANNELS
    ) -> dict[int, ShadowPlace]:
        """The places by the numbers of the chosen lights, at most ``most`` and ``MOST_SHADOWED``.

        ``cameras`` are the positions of all cameras, (n, 3). A light is important by its brightness at the nearest
        camera: in full where its radius reaches the camera, then less with the squared distance. The light of a
        rectangle grows with its area.
        """
        most = min(most, MOST_SHADOWED)
        casting = [number for number, light in enumerate(lights) if light.casts_shadow]
        if len(casting) > most:
            importance = self._importance([lights[number] for number in casting], rows[casting], cameras)
            chosen = np.argsort(-importance, kind="stable")[:most]
            casting = sorted(casting[number] for number in chosen)
        room = max(min(most, SHADOW_CHANNELS), len(casting))  # few lights leave the further slots
        self._places = self._placed([lights[number] for number in casting], room)
        return {number: self._places[lights[number]] for number in casting}

    def _placed(self, lights: Sequence[LocalLight], room: int) -> dict[LocalLight, ShadowPlace]:
        """The places of lights in ``room`` slots, the present ones where they are among these."""
        placed = {
            light: self._places[light] for light in lights if light in self._places and self._places[light].slot < room
        }
        free = iter(sorted(set(range(room)) - {place.slot for place in placed.values()}))
        for light in lights:
            if light not in placed:
                slot = next(free)
                channel = slot if slot < SHADOW_CHANNELS else _channel_to_share(light, placed)
                placed[light] = ShadowPlace(slot, channel)
        return placed

    def _importance(
        self, lights: Sequence[LocalLight], rows: Rows, cameras: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        places = rows[:, POSITION_RADIUS]
        away = np.linalg.norm(places[:, None, :3] - cameras[None], axis=2).min(axis=1)
        share = np.minimum(1.0, places[:, 3] / np.maximum(away, 1e-6)) ** 2
        staying = [_STAYING if light in self._places else 1.0 for light in lights]
        importance: NDArray[np.float64] = share * staying * np.array([_strength(light) for light in lights])
        return importance


def _channel_to_share(light: LocalLight, placed: Mapping[LocalLight, ShadowPlace]) -> int:
    """The channel of the lights whose reach overlaps least with a light's, as far as such lights have places."""
    overlap, users = [0.0] * SHADOW_CHANNELS, [0] * SHADOW_CHANNELS
    for other, place in placed.items():
        overlap[place.channel] += max(0.0, light.radius + other.radius - glm.distance(light.position, other.position))
        users[place.channel] += 1
    return min(range(SHADOW_CHANNELS), key=lambda channel: (overlap[channel], users[channel], channel))


def _strength(light: LocalLight) -> float:
    """The illuminance that a light gives one metre away."""
    area = light.width * light.height if isinstance(light, RectangleLight) else 1.0
    return area * brightness(light)
