"""Which local lights get shadows: those that matter most where the cameras are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.lights.light_rows import POSITION_RADIUS, LocalLight, Rows
from renderwright.engine.renderer.lights.suns import brightness

SHADOW_CHANNELS = 4
"""Largest number of local lights with shadows: the channels of the texture ``light_visibility``."""

_STAYING = 1.25
"""Factor of the importance of lights that have a channel, so that equals do not take turns."""


class ShadowChannels:
    """The channels of lights, which stay the same from frame to frame as long as a light is chosen."""

    def __init__(self) -> None:
        self._channels: dict[LocalLight, int] = {}

    def choose(self, lights: Sequence[LocalLight], rows: Rows, cameras: NDArray[np.float32]) -> dict[int, int]:
        """The channels by the numbers of the chosen lights.

        ``cameras`` are the positions of all cameras, (n, 3). A light is important by its brightness at the nearest
        camera: in full where its radius reaches the camera, then less with the squared distance.
        """
        casting = [number for number, light in enumerate(lights) if light.casts_shadow]
        if len(casting) > SHADOW_CHANNELS:
            importance = self._importance([lights[number] for number in casting], rows[casting], cameras)
            chosen = np.argsort(-importance, kind="stable")[:SHADOW_CHANNELS]
            casting = sorted(casting[number] for number in chosen)
        before, self._channels = self._channels, {}
        for number in casting:
            if lights[number] in before:
                self._channels[lights[number]] = before[lights[number]]
        free = iter(sorted(set(range(SHADOW_CHANNELS)) - set(self._channels.values())))
        for number in casting:
            if lights[number] not in self._channels:
                self._channels[lights[number]] = next(free)
        return {number: self._channels[lights[number]] for number in casting}

    def _importance(
        self, lights: Sequence[LocalLight], rows: Rows, cameras: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        places = rows[:, POSITION_RADIUS]
        away = np.linalg.norm(places[:, None, :3] - cameras[None], axis=2).min(axis=1)
        share = np.minimum(1.0, places[:, 3] / np.maximum(away, 1e-6)) ** 2
        staying = [_STAYING if light in self._channels else 1.0 for light in lights]
        importance: NDArray[np.float64] = share * staying * np.array([brightness(light) for light in lights])
        return importance
