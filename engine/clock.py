"""From frames of any length to fixed steps."""

from __future__ import annotations

import math
from typing import NamedTuple

from renderwright.render.errors import UsageError

#: So small a part of a step is rounding, not time.
_TOLERANCE = 1e-6

#: How long a frame lasts where no display says so.
HEADLESS_FRAME = 1.0 / 60.0


class Advance(NamedTuple):
    """What a frame brings: fixed steps to run now, and where between the last two of them to draw (0 to 1)."""

    steps: int
    alpha: float


class FixedStepClock:
    """Cuts time into steps of ``step`` seconds (Fiedler, "Fix Your Timestep!", 2004).

    After a frame so long that it needs more than ``max_steps`` the rest of its time is dropped: the game slows down
    instead of falling ever further behind. With ``frame``, every frame lasts exactly that many seconds whatever was
    measured, so that a run is the same every time (headless pictures, replays).
    """

    def __init__(self, step: float, max_steps: int = 8, *, frame: float | None = None) -> None:
        for name, value in (("step", step), ("frame", frame)):
            if value is not None and not (math.isfinite(value) and value > 0.0):
                raise UsageError(f"the clock's {name} is {value}", hint="give seconds above 0, such as 1/120")
        if max_steps < 1:
            raise UsageError(f"the clock's max_steps is {max_steps}", hint="give at least 1")
        self.step = step
        self.max_steps = max_steps
        self.frame = frame
        #: Fixed steps so far.
        self.steps = 0
        self._left = 0.0

    @property
    def time(self) -> float:
        """Seconds of game time: the steps so far."""
        return self.steps * self.step

    def advance(self, dt: float = 0.0) -> Advance:
        """A frame of ``dt`` seconds passes (ignored with a fixed ``frame``; a negative time counts as none)."""
        self._left += self.frame if self.frame is not None else max(0.0, dt)
        due = math.floor(self._left / self.step + _TOLERANCE)
        self._left = max(0.0, self._left - due * self.step)
        steps = min(due, self.max_steps)
        self.steps += steps
        return Advance(steps, min(1.0, self._left / self.step))
