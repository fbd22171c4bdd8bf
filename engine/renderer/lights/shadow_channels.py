"""Which local lights get shadows: those that matter most where the cameras are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.lights.light_rows import POSITION_RADIUS, LocalLight, Rows
from renderwright.engine.renderer.lights.suns import brightness

SHADOW_CHANNELS = 4
"""Largest number of local lights with shadows: the channels of the texture ``light_visibility``."""


def shadow_channels(lights: Sequence[LocalLight], rows: Rows, cameras: NDArray[np.float32]) -> tuple[int, ...]:
    """Numbers of the lights that have channel 0, 1, ..., in the order of ``lights``.

    ``cameras`` are the positions of all cameras, (n, 3). A light is important by its brightness at the nearest camera:
    in full where its radius reaches the camera, then less with the squared distance.
    """
    casting = [number for number, light in enumerate(lights) if light.casts_shadow]
    if len(casting) <= SHADOW_CHANNELS:
        return tuple(casting)
    places = rows[casting, POSITION_RADIUS]
    away = np.linalg.norm(places[:, None, :3] - cameras[None], axis=2).min(axis=1)
    share = np.minimum(1.0, places[:, 3] / np.maximum(away, 1e-6)) ** 2
    importance = share * np.array([brightness(lights[number]) for number in casting])
    chosen = np.argsort(-importance, kind="stable")[:SHADOW_CHANNELS]
    return tuple(sorted(casting[number] for number in chosen))
