"""GPU times of past frames, as costs for ordering later ones."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping
from statistics import fmean, median

from renderwright.render.compiler.values.instances import NodeInstance

FRAMES = 64
"""Number of times remembered per node instance."""

STEP = 1.5
"""Costs are powers of this. A cost changes only if the median differs by this factor, so noise changes no plan."""

_LEAST = 0.1  # microseconds; timestamps are not finer


class MeasuredCosts:
    """Remembers the latest times of each node instance."""

    def __init__(self) -> None:
        self._times: dict[str, deque[float]] = {}

    def add(self, seconds: Mapping[str, float]) -> None:
        """Add the GPU times of one frame, in seconds by node instance."""
        for instance, time in seconds.items():
            self._times.setdefault(instance, deque(maxlen=FRAMES)).append(time)

    def keep(self, instances: Iterable[str]) -> None:
        """Forget the times of all other node instances."""
        self._times = {instance: self._times[instance] for instance in instances if instance in self._times}

    def costs(
        self, nodes: Iterable[NodeInstance], earlier: Iterable[tuple[str, float]] = ()
    ) -> tuple[tuple[str, float], ...]:
        """Microseconds by node name, sorted, for ``CompileOptions.costs``; ``earlier`` are those in force.

        A node's time is the mean over its instances of the median over frames. Nodes without a measurement keep their
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
    """The measured time rounded to a power of ``STEP``, or the earlier cost if it is within a factor of ``STEP``."""
    measured = max(measured, _LEAST)
    if earlier is not None and earlier / STEP < measured < earlier * STEP:
        return earlier
    return round(STEP ** round(math.log(measured, STEP)), 3)
