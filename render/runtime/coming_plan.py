"""A plan that is on the device and lowers its first frames behind those of the plan that runs.

Lowering the first frame of a plan takes as long as several frames. Behind each frame a part of it is done, so that none
is late when the plan takes over.
"""

from __future__ import annotations

import logging
import time

from renderwright.render.errors import DeviceLostError
from renderwright.render.runtime.running import RunningPlan

log = logging.getLogger("renderwright.runtime")


class ComingPlan:
    """The plan that takes over next, as soon as it is ``ready``.

    ``tight`` is whether it was made for heaps of its own size.
    """

    def __init__(self, running: RunningPlan, before: RunningPlan, *, tight: bool) -> None:
        self.running = running
        self.tight = tight
        self.ready = False
        self._steps = running.lower_ahead(before)

    def go_on(self, seconds: float) -> None:
        """Lower for so long. What cannot be lowered ahead is tried again, and reported, by the first frame."""
        end = time.perf_counter() + seconds
        try:
            for _ in self._steps:
                if time.perf_counter() >= end:
                    return
        except DeviceLostError:
            raise
        except Exception as error:
            log.debug("a plan is not lowered ahead: %r", error)
        self.ready = True

    def stop(self) -> RunningPlan:
        """The plan, of which nothing more is lowered ahead."""
        self._steps.close()
        return self.running
