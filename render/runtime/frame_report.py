"""What the frame loop tells of a frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.runtime.gpu_clock import GpuInterval, busy_seconds


@dataclass(frozen=True)
class FrameReport:
    """What one frame did. ``gpu_intervals`` say by node instance when ``measured_frame`` was on the GPU.

    ``resting`` are the node instances that did not run, because of their rates. ``moved_bytes`` were copied within the
    device's memory in front of the frame, because a new plan has its histories elsewhere. ``gpu_start`` is when the
    intervals' first node began, in seconds of a clock that goes on from frame to frame (0 where there is none).
    """

    frame: int
    plan: Plan
    cpu_seconds: float
    gpu_intervals: Mapping[str, GpuInterval]
    resting: frozenset[str] = frozenset()
    moved_bytes: int = 0
    gpu_start: float = 0.0

    @cached_property
    def gpu_times(self) -> Mapping[str, float]:
        """Seconds by node instance, of the same frame as the intervals."""
        return {node: interval.seconds for node, interval in self.gpu_intervals.items()}

    @property
    def measured_frame(self) -> int:
        """The finished frame that the intervals are of: the last one that used the same frame slot."""
        return self.frame - FRAMES_IN_FLIGHT

    @cached_property
    def gpu_seconds(self) -> float:
        """How long the GPU worked on that frame: the time in which at least one node ran. 0 if nothing was measured."""
        return busy_seconds(self.gpu_intervals.values())
