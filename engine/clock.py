"""Fixed time steps for frames of any duration."""

from __future__ import annotations

import math
from typing import NamedTuple

from renderwright.render.errors import UsageError

#: Fraction of a step that counts as rounding error.
_TOLERANCE = 1e-6

#: Duration of a frame without a display, in seconds.
HEADLESS_FRAME = 1.0 / 60.0


class Advance(NamedTuple):
    """The fixed steps to run in a frame, and the interpolation factor between the last two of them (0 to 1)."""

    steps: int
    alpha: float


class FixedStepClock:
    """Divides time into steps of ``step`` seconds (Fiedler, "Fix Your Timestep!", 2004).

    A frame runs at most ``max_steps`` steps and drops the time beyond them: the game slows down instead of falling ever
    further behind. With ``frame``, every frame lasts exactly that many seconds, so that runs are reproducible (headless
    pictures, replays).
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
        #: Number of fixed steps so far.
        self.steps = 0
        self._left = 0.0

    @property
    def time(self) -> float:
        """Game time in seconds: the duration of all steps so far."""
        return self.steps * self.step

    def frames_for(self, steps: int) -> int:
        """The frames of a fixed duration that run so many steps from the start."""
        longest = self.max_steps * self.step
        seconds = longest if self.frame is None else min(self.frame, longest)
        return math.ceil(steps * self.step / seconds - _TOLERANCE)

    def advance(self, dt: float = 0.0) -> Advance:
        """Advance by a frame of ``dt`` seconds. A negative time counts as 0; a fixed ``frame`` overrides ``dt``."""
        self._left += self.frame if self.frame is not None else max(0.0, dt)
        due = math.floor(self._left / self.step + _TOLERANCE)
        self._left = max(0.0, self._left - due * self.step)
        steps = min(due, self.max_steps)
        self.steps += steps
        return Advance(steps, min(1.0, self._left / self.step))
