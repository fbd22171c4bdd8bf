"""Chooses the scale of a dynamic resolution from GPU times.

The plant: a frame of ``p`` texels takes ``t(p) = c + w p`` on the GPU; ``c`` and ``w`` are unknown and change with the
scene. The law is integral control of the logarithm of ``p``: ``p' = p h T / t`` for a target ``T`` and a headroom
``h``, rounded down to a step of the scale. Its one fixed point is ``t = h T``, where the slope of ``p -> p h T / t(p)``
is ``c / (h T)``, from 0 to 1: it is approached from one side and never overshot, whatever ``c`` and ``w`` are.

Three things keep that so on a real GPU:

- Times arrive frames later, and integrating over a dead time oscillates. Each time is therefore held against the scale
  that its frame had, and only times of the scale in force count (the idea of Smith 1957, "Closer Control of Loops with
  Dead Time").
- Times are noisy. The scale falls when two times in a row are over the target, by the smaller of them; it rises, by one
  step, when of the last 16 times all but one would fit with that step. Single slow frames change nothing.
- Between the two lies a dead band: times up to ``T`` are left alone if one more step would take them over ``h T``. A
  scale that a fall has chosen lies within, and since ``t(p)`` grows by no larger factor than ``p``, so does one that a
  rise has chosen. A steady load changes the scale no more once it is there.

The two, the 16 and the headroom of a tenth are the defaults of Unreal Engine's dynamic resolution (r.DynamicRes.*).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

from renderwright.engine.dynamic_resolution.scales import scale_steps
from renderwright.render.errors import UsageError

HEADROOM = 0.9
"""Share of the target that a new scale is expected to use."""

WINDOW = 16
"""Times that must be known before the scale rises."""

OVERLOAD = 2
"""Times over the target, in a row, that make it fall."""


class ResolutionController:
    """Chooses a scale for a target GPU time in seconds; ``scale`` is the one in force, at first 1.

    ``scales`` are falling shares of the full width and height that begin with 1. ``UsageError`` for a target that is no
    time, or for other scales.
    """

    def __init__(self, target: float, scales: Sequence[float] | None = None) -> None:
        if not (math.isfinite(target) and target > 0.0):
            raise UsageError(f"the target frame time is {target} s", hint="give seconds above 0, such as 0.0166")
        self.target = target
        self.scales = tuple(scales) if scales is not None else scale_steps()
        falls = all(larger > smaller > 0.0 for larger, smaller in zip(self.scales, self.scales[1:], strict=False))
        if not (falls and self.scales[:1] == (1.0,)):
            raise UsageError("the scales of a resolution must fall from 1", hint="use scale_steps()")
        #: How often the scale has changed.
        self.changes = 0
        self._step = 0
        self._times: deque[float] = deque(maxlen=WINDOW)

    @property
    def scale(self) -> float:
        """The share of the full width and height in force."""
        return self.scales[self._step]

    def restart(self) -> None:
        """Forget the times so far: the full size or what is drawn has changed."""
        self._times.clear()

    def measured(self, seconds: float, scale: float) -> float:
        """A frame that was rendered at ``scale`` took so long on the GPU; gives the scale for the next frame."""
        if scale == self.scale and math.isfinite(seconds) and seconds > 0.0:
            self._times.append(seconds)
            self._change(self._overloaded() or self._relieved())
        return self.scale

    def _overloaded(self) -> int:
        """How many steps to fall."""
        last = list(self._times)[-OVERLOAD:]
        if len(last) < OVERLOAD or min(last) <= self.target:
            return 0
        lower = range(self._step + 1, len(self.scales))
        fitting = (step for step in lower if self._expected(min(last), step) <= HEADROOM * self.target)
        return next(fitting, len(self.scales) - 1) - self._step

    def _relieved(self) -> int:
        """-1 to rise."""
        if self._step == 0 or len(self._times) < WINDOW:
            return 0
        slow = sorted(self._times)[-2]
        return -1 if self._expected(slow, self._step - 1) <= HEADROOM * self.target else 0

    def _expected(self, seconds: float, step: int) -> float:
        """What ``seconds`` would be at another step, if all of it went to texels."""
        return seconds * (self.scales[step] / self.scale) ** 2

    def _change(self, steps: int) -> None:
        if steps:
            self._step += steps
            self.changes += 1
            self._times.clear()
