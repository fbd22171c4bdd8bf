"""How often a device may be lost before a game gives up."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable

from renderwright.render.errors import DeviceLostError

MOST_LOSSES = 3
"""So many losses within ``SECONDS`` end the game: the cause is likely to be in what it draws."""

SECONDS = 10.0

log = logging.getLogger("renderwright.session")


class Losses:
    """The latest losses of a device. ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: deque[float] = deque(maxlen=MOST_LOSSES)

    def note(self, error: DeviceLostError) -> None:
        """One more. ``DeviceLostError`` if that is one too many in a short time."""
        now = self._clock()
        self._times.append(now)
        if len(self._times) == MOST_LOSSES and now - self._times[0] <= SECONDS:
            raise DeviceLostError(
                f"the device was lost {MOST_LOSSES} times within {SECONDS:g} s; the last time: {error.message}",
                hint="switch plugins off to find the one whose shaders the device does not survive, or update the "
                "driver",
            ) from error
        log.warning("the device is lost; everything on it is made anew: %s", error.message)
