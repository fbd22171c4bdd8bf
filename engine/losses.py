"""The limit on device losses before a game ends."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable

from renderwright.render.errors import DeviceLostError

MOST_LOSSES = 3
"""This many losses within ``SECONDS`` end the game: the cause is probably in what the game renders."""

SECONDS = 10.0

log = logging.getLogger("renderwright.session")


class Losses:
    """The latest device losses. ``clock`` returns seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: deque[float] = deque(maxlen=MOST_LOSSES)

    def note(self, error: DeviceLostError) -> None:
        """Record a loss. Raises ``DeviceLostError`` at the ``MOST_LOSSES``-th within ``SECONDS``."""
        now = self._clock()
        self._times.append(now)
        if len(self._times) == MOST_LOSSES and now - self._times[0] <= SECONDS:
            raise DeviceLostError(
                f"the device was lost {MOST_LOSSES} times within {SECONDS:g} s; the last time: {error.message}",
                hint="switch plugins off to find the one whose shaders lose the device, or update the driver",
            ) from error
        log.warning("the device is lost; everything on it is recreated: %s", error.message)
