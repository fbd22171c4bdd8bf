"""The limit on device losses before a game ends."""

from __future__ import annotations

import logging
from collections import deque

from renderwright.render.errors import DeviceLostError

MOST_LOSSES = 3
"""This many losses within ``FRAMES`` end the game: the cause is probably in what the game renders."""

FRAMES = 600
"""Ten seconds at 60 frames a second. Frames are counted, not seconds, since a slow machine needs minutes for them."""

log = logging.getLogger("renderwright.session")


class Losses:
    """The latest device losses, by the number of the frame; ``frames`` is in place of ``FRAMES``."""

    def __init__(self, frames: int = FRAMES) -> None:
        self._frames = frames
        self._latest: deque[int] = deque(maxlen=MOST_LOSSES)

    def note(self, error: DeviceLostError, frame: int) -> None:
        """Record a loss. Raises ``DeviceLostError`` at the ``MOST_LOSSES``-th within ``frames``."""
        self._latest.append(frame)
        if len(self._latest) == MOST_LOSSES and frame - self._latest[0] <= self._frames:
            raise DeviceLostError(
                f"the device was lost {MOST_LOSSES} times within {self._frames} frames; the last time: {error.message}",
                hint="switch plugins off to find the one whose shaders lose the device, or update the driver",
            ) from error
        log.warning("the device is lost; everything on it is recreated: %s", error.message)
