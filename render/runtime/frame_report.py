"""What the frame loop tells of a frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from render.compiler.plan import Plan
from render.runtime.gpu_clock import GpuInterval


@dataclass(frozen=True)
class FrameReport:
    """What one frame did. ``gpu_intervals`` say by node instance when an earlier, finished frame was on the GPU.

    ``resting`` are the node instances that did not run, because of their rates. ``moved_bytes`` were copied within the
    device's memory in front of the frame, because a new plan has its histories elsewhere.
    """

    frame: int
    plan: Plan
    cpu_seconds: float
    gpu_intervals: Mapping[str, GpuInterval]
    resting: frozenset[str] = frozenset()
    moved_bytes: int = 0

    @cached_property
    def gpu_times(self) -> Mapping[str, float]:
        """Seconds by node instance, of the same frame as the intervals."""
        return {node: interval.seconds for node, interval in self.gpu_intervals.items()}
