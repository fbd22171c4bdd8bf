"""The frame loop's report of one frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Pipeline
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.runtime.times.gpu_clock import GpuInterval, busy_seconds


@dataclass(frozen=True)
class FrameReport:
    """The report of one frame. ``gpu_intervals`` are the GPU times of ``measured_frame`` by node instance,
    empty in frames in which they were not read (``Runtime.times``).

    ``resting`` are the node instances that were skipped because of their rates. ``moved_bytes`` were copied on the
    device before the frame because a new plan places its histories elsewhere. ``gpu_start`` is the begin of the first
    interval, in seconds of a clock that runs across frames (0 if the queue has none). ``node_seconds`` are what the CPU
    took in this frame by node instance, without nodes that keep their commands. ``begin`` and ``node_begins`` are when
    the frame and these nodes began, in seconds of ``time.perf_counter``. ``pipelines`` are those of the plan, by node
    instance and number, the same object while they are the same.
    """

    frame: int
    plan: Plan
    cpu_seconds: float
    gpu_intervals: Mapping[str, GpuInterval]
    resting: frozenset[str] = frozenset()
    moved_bytes: int = 0
    gpu_start: float = 0.0
    node_seconds: Mapping[str, float] = field(default_factory=dict)
    begin: float = 0.0
    node_begins: Mapping[str, float] = field(default_factory=dict)
    pipelines: Mapping[tuple[str, int], Pipeline] = field(default_factory=dict)

    @cached_property
    def gpu_times(self) -> Mapping[str, float]:
        """Seconds by node instance, of ``measured_frame``."""
        return {node: interval.seconds for node, interval in self.gpu_intervals.items()}

    @property
    def measured_frame(self) -> int:
        """The frame that the intervals belong to: the previous one in the same frame slot."""
        return self.frame - FRAMES_IN_FLIGHT

    @cached_property
    def gpu_seconds(self) -> float:
        """GPU time of ``measured_frame``: seconds in which at least one node ran; 0 if nothing was measured."""
        return busy_seconds(self.gpu_intervals.values())
