"""Choice of the scale of a dynamic resolution from GPU times.

The plant: a frame of ``p`` texels takes ``t(p) = c + w p`` on the GPU; ``c`` and ``w`` are unknown and change with the
scene. The control law is integral control of the logarithm of ``p``: ``p' = p h T / t`` for a target ``T`` and a
headroom ``h``, rounded down to a step of the scale. Its only fixed point is ``t = h T``, where the slope of ``p -> p h
T / t(p)`` is ``c / (h T)``, between 0 and 1. So it converges monotonically without overshoot for all ``c`` and ``w``.

Three measures preserve this on a real GPU:

- Times arrive some frames late, and integral control with a dead time oscillates. So each time is attributed to the
  scale of its frame, and only times of the current scale count (after Smith 1957, "Closer Control of Loops with Dead
  Time").
- Times are noisy. The scale falls if two times in a row exceed the target, by the smaller of them. It rises by one step
  if all but one of the last 16 times would fit at that step. Single slow frames change nothing.
- A dead band separates the two: times up to ``T`` change nothing if one more step would exceed ``h T``. A scale chosen
  by a fall is within the band. Because ``t(p)`` grows by no larger factor than ``p``, so is one chosen by a rise. Under
  a steady load the scale stops changing.

The two times, the 16 times and the headroom of a tenth are defaults of Unreal Engine's dynamic resolution
(r.DynamicRes.*).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

from renderwright.engine.dynamic_resolution.scales import scale_steps
from renderwright.render.errors import UsageError

HEADROOM = 0.9
"""Share of the target time that a new scale aims for."""

WINDOW = 16
"""Number of times required before the scale rises."""

OVERLOAD = 2
"""Number of consecutive times over the target that lower the scale."""


class ResolutionController:
    """Chooses a scale for a target GPU time in seconds. ``scale`` is the current one, initially 1.

    ``scales`` are decreasing shares of the full width and height, starting with 1. Raises ``UsageError`` for an invalid
    target or invalid scales.
    """

    def __init__(self, target: float, scales: Sequence[float] | None = None) -> None:
        if not (math.isfinite(target) and target > 0.0):
            raise UsageError(f"the target frame time is {target} s", hint="give seconds above 0, such as 0.0166")
        self.target = target
        self.scales = tuple(scales) if scales is not None else scale_steps()
        falls = all(larger > smaller > 0.0 for larger, smaller in zip(self.scales, self.scales[1:], strict=False))
        if not (falls and self.scales[:1] == (1.0,)):
            raise UsageError("the scales of a resolution must fall from 1", hint="use scale_steps()")
        #: Number of changes of the scale.
        self.changes = 0
        self._step = 0
        self._times: deque[float] = deque(maxlen=WINDOW)

    @property
    def scale(self) -> float:
        """The current share of the full width and height."""
        return self.scales[self._step]

    @property
    def told_changes(self) -> str:
        """The number of changes of the scale in words: ``1 change``."""
        return f"{self.changes} change{'' if self.changes == 1 else 's'}"

    def restart(self) -> None:
        """Discard all times. Call when the full size or the rendered content changes."""
        self._times.clear()

    def measured(self, seconds: float, scale: float) -> float:
        """Add the GPU time of a frame that was rendered at ``scale``. Returns the scale of the next frame."""
        if scale == self.scale and math.isfinite(seconds) and seconds > 0.0:
            self._times.append(seconds)
            self._change(self._overloaded() or self._relieved())
        return self.scale

    def _overloaded(self) -> int:
        """Number of steps to fall."""
        last = list(self._times)[-OVERLOAD:]
        if len(last) < OVERLOAD or min(last) <= self.target:
            return 0
        lower = range(self._step + 1, len(self.scales))
        fitting = (step for step in lower if self._expected(min(last), step) <= HEADROOM * self.target)
        return next(fitting, len(self.scales) - 1) - self._step

    def _relieved(self) -> int:
        """-1 to rise by a step, else 0."""
        if self._step == 0 or len(self._times) < WINDOW:
            return 0
        slow = sorted(self._times)[-2]
        return -1 if self._expected(slow, self._step - 1) <= HEADROOM * self.target else 0

    def _expected(self, seconds: float, step: int) -> float:
        """Expected time at another step if all of ``seconds`` scales with the number of texels."""
        return seconds * (self.scales[step] / self.scale) ** 2

    def _change(self, steps: int) -> None:
        if steps:
            self._step += steps
            self.changes += 1
            self._times.clear()
