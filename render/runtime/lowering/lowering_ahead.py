"""Frames that are lowered behind other frames, a few milliseconds each, before they are needed."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator

from renderwright.render.errors import DeviceLostError

log = logging.getLogger("renderwright.runtime")

StepsAhead = Generator[None, None, None]
"""Lowers frames in steps. Closing it releases what is half done."""


class LoweringAhead:
    """Lowers frames in ``steps``."""

    def __init__(self, steps: StepsAhead) -> None:
        self._steps = steps

    def go_on(self, seconds: float) -> bool:
        """Lower for so long; whether that was all.

        What cannot be lowered ahead is tried again, and reported, by the first frame that needs it.
        """
        end = time.perf_counter() + seconds
        try:
            for _ in self._steps:
                if time.perf_counter() >= end:
                    return False
        except DeviceLostError:
            raise
        except Exception as error:
            log.debug("frames are not lowered ahead: %r", error)
        return True

    def stop(self) -> None:
        """Lower nothing more."""
        self._steps.close()
