"""What nodes take in the frames around a captured one."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any

from renderwright.render.compiler.values.plan import Plan
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.times.gpu_clock import GpuInterval

MOST_FRAMES = 60


class MeasuredTimes:
    """Collects the times of frames, the last ``MOST_FRAMES`` of them.

    The captured frame itself is left out: its copies take time of their own, and let nothing overlap.
    """

    def __init__(self) -> None:
        self._gpu: dict[str, deque[float]] = defaultdict(_few)
        self._cpu: dict[str, deque[float]] = defaultdict(_few)
        self._frames_gpu, self._frames_cpu = _few(), _few()
        self._intervals: Mapping[str, GpuInterval] = {}
        self._measured_frame: int | None = None

    @property
    def measured(self) -> bool:
        """Whether the GPU's times of a frame are known."""
        return self._measured_frame is not None

    def see(self, report: FrameReport, captured: int | None) -> None:
        """Look at a frame; ``captured`` is the number of the captured one, if there has been one."""
        if report.frame != captured:
            self._frames_cpu.append(report.cpu_seconds)
            for node, seconds in report.node_seconds.items():
                self._cpu[node].append(seconds)
        if report.gpu_intervals and report.measured_frame != captured:
            self._frames_gpu.append(report.gpu_seconds)
            for node, seconds in report.gpu_times.items():
                self._gpu[node].append(seconds)
            if captured is None or not self.measured:
                self._intervals, self._measured_frame = report.gpu_intervals, report.measured_frame

    def to_json(self, plan: Plan) -> dict[str, Any]:
        """The times of a plan's nodes, in milliseconds: medians of the frames, and the intervals of one frame."""
        present = {node.id for node in plan.graph.nodes}
        return {
            "frames": len(self._frames_cpu),
            "gpu_ms": _milliseconds(self._frames_gpu),
            "cpu_ms": _milliseconds(self._frames_cpu),
            "nodes": [
                {"node": node.id, "gpu_ms": _milliseconds(self._gpu[node.id]), "cpu_ms": self._cpu_of(node.id)}
                for node in plan.graph.nodes
            ],
            "measured_frame": self._measured_frame,
            "intervals": [
                {"node": node, "queue": one.queue, "begin_ms": one.begin * 1e3, "end_ms": one.end * 1e3}
                for node, one in self._intervals.items()
                if node in present
            ],
        }

    def _cpu_of(self, node: str) -> float | None:
        """The median of all frames, None without any. A node that keeps its commands in a frame takes nothing."""
        own = self._cpu[node]
        idle = max(0, len(self._frames_cpu) - len(own))
        return _milliseconds([*own, *([0.0] * idle)])


def _few() -> deque[float]:
    return deque(maxlen=MOST_FRAMES)


def _milliseconds(seconds: Iterable[float]) -> float | None:
    found = list(seconds)
    return round(median(found) * 1e3, 6) if found else None
