"""How much work lies between two places of a frame: whether an event is worth its cost there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from renderwright.render.compiler.order.costs import node_costs
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.passes import StatePlan
from renderwright.render.sync.barriers import Splitting
from renderwright.render.sync.queues import COPY


def node_times(nodes: Sequence[NodeInstance], splitting: Splitting) -> Sequence[float]:
    """What each node takes, in microseconds; a guess where nothing has been measured."""
    if not splitting.costs:
        unit = Splitting.UNMEASURED
        return [node.declaration.cost * unit if node.records else 0.0 for node in nodes]
    times = node_costs(nodes, dict(splitting.costs))
    return [time if node.records else 0.0 for node, time in zip(nodes, times, strict=True)]


class Work(NamedTuple):
    """The work of a frame by passes: what comes ``before`` each and what is ``done`` after it on its queue, and their
    ``ranks`` on it. A barrier is split where more than ``above`` lies in between, and another pass.

    A queue that has no events, and the end of the frame, are as if nothing ever ran in between.
    """

    ranks: Sequence[int]
    before: Sequence[float]
    done: Sequence[float]
    above: float


def work_of(state: StatePlan, times: Sequence[float], above: float) -> Work:
    """The work of the passes of nodes that take these ``times``."""
    ranks, begins, ends = [], [], []
    known = {item.queue: (0, 0.0) for item in state.passes}
    sums = list(accumulate(times, initial=0.0))
    for item in state.passes:
        rank, begin = known[item.queue]
        end = begin + sums[item.last + 1] - sums[item.first]
        ranks.append(0 if item.queue == COPY else rank)
        begins.append(begin)
        ends.append(end)
        known[item.queue] = rank + 1, end
    return Work([*ranks, 0], begins, ends, above)
