"""GPU times of frames that have run, as costs for the order of frames to come."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping
from statistics import fmean, median

from renderwright.render.compiler.values.instances import NodeInstance

FRAMES = 64
"""So many of the latest times of a node are remembered."""

STEP = 1.5
"""Costs are powers of this, and one changes only when the median leaves its range by as much: noise changes no plan."""

_LEAST = 0.1  # microseconds; timestamps are not finer


class MeasuredCosts:
    """Remembers the latest times of each node instance."""

    def __init__(self) -> None:
        self._times: dict[str, deque[float]] = {}

    def add(self, seconds: Mapping[str, float]) -> None:
        """The GPU times of one frame, by node instance."""
        for instance, time in seconds.items():
            self._times.setdefault(instance, deque(maxlen=FRAMES)).append(time)

    def keep(self, instances: Iterable[str]) -> None:
        """Forget the times of all other node instances."""
        self._times = {instance: self._times[instance] for instance in instances if instance in self._times}

    def costs(
        self, nodes: Iterable[NodeInstance], earlier: Iterable[tuple[str, float]] = ()
    ) -> tuple[tuple[str, float], ...]:
        """Microseconds by node name, sorted, for ``CompileOptions.costs``; ``earlier`` are those in force.

        A node's time is the mean over its instances of the median over frames. What has not been measured keeps its
        earlier cost.
        """
        medians: dict[str, list[float]] = {}
        for node in nodes:
            times = self._times.get(node.id)
            if times:
                medians.setdefault(node.declaration.name, []).append(median(times) * 1e6)
        result = dict(earlier)
        for name, times_of_instances in medians.items():
            result[name] = _settled(fmean(times_of_instances), result.get(name))
        return tuple(sorted(result.items()))


def _settled(measured: float, earlier: float | None) -> float:
    """The measured time as a power of ``STEP``, unless the earlier one is still near enough."""
    measured = max(measured, _LEAST)
    if earlier is not None and earlier / STEP < measured < earlier * STEP:
        return earlier
    return round(STEP ** round(math.log(measured, STEP)), 3)
