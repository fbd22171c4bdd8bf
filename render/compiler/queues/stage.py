"""queues: spreads the ordered nodes over the device's queues where that makes the frame shorter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from renderwright.render.compiler.order.costs import node_costs
from renderwright.render.compiler.queues.assignment import choose
from renderwright.render.compiler.queues.cross_frame import Late, deferrable, late_work
from renderwright.render.compiler.queues.dependencies import Group, groups_of
from renderwright.render.compiler.queues.eligibility import abilities
from renderwright.render.compiler.queues.issue_order import sequence
from renderwright.render.compiler.queues.semaphore_waits import Waits, waits_of
from renderwright.render.compiler.resources.access_history import Timeline, records, timelines
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.queue_plan import QueuePlan, one_queue
from renderwright.render.sync.queues import GRAPHICS


@dataclass(frozen=True)
class Queued:
    """The graph with its nodes in the order of issue, and what is known of each by number."""

    graph: InstanceGraph
    plan: QueuePlan


def queues(graph: InstanceGraph, times: Mapping[str, Timeline], options: CompileOptions) -> Queued:
    """The graph as ordered and all on one queue, unless several are to be had and one of them is of use.

    ``times`` are the timelines of the ordered graph; another order has others.
    """
    if all(node.declaration.queues == (GRAPHICS,) for node in graph.nodes):
        return Queued(graph, one_queue(len(graph.nodes)))
    able = abilities(graph, times, frozenset(options.queues))
    if not any(map(attrgetter("queues"), able)):
        return Queued(graph, one_queue(len(graph.nodes), list(map(attrgetter("obstacle"), able))))
    groups = groups_of(graph, times)
    recording = [records(node) for node in graph.nodes]
    costs = [
        cost if busy else 0.0
        for cost, busy in zip(node_costs(graph.nodes, dict(options.costs)), recording, strict=True)
    ]
    choice = choose(able, costs, groups, deferrable(graph, able, groups))
    if choice.run.end >= choice.alone:
        return Queued(graph, one_queue(len(graph.nodes), choice.reasons, choice.alone))
    order = sequence(choice.queues, choice.run.starts, groups)
    chosen = tuple(choice.queues[node] for node in order)
    silent = {place for place, node in enumerate(order) if not recording[node]}
    waits = waits_of(chosen, _renumbered(groups, order), silent)
    ordered = replace(graph, nodes=tuple(graph.nodes[node] for node in order))
    late = _late(ordered, chosen, waits)
    plan = QueuePlan(
        chosen,
        waits.waits,
        _extended(waits.windows, late),
        tuple(choice.reasons[node] for node in order),
        choice.alone,
        choice.run.end,
        late,
    )
    return Queued(ordered, plan)


def _late(graph: InstanceGraph, queues: Sequence[str], waits: Waits) -> tuple[Late, ...]:
    """The late work of a frame whose nodes stand in the order of issue."""
    ends = (end for (_, end), queue in zip(waits.windows, queues, strict=True) if queue != GRAPHICS)
    if len(queues) not in ends:
        return ()
    return late_work(graph, timelines(graph), queues, waits.windows)


def _extended(windows: Sequence[tuple[int, int]], late: Sequence[Late]) -> tuple[tuple[int, int], ...]:
    """Late work may be running until the next frame waits for it."""
    ends = {node: len(windows) + work.join for work in late for node in work.nodes}
    return tuple((begin, ends.get(node, end)) for node, (begin, end) in enumerate(windows))


def _renumbered(groups: tuple[Group, ...], order: list[int]) -> tuple[Group, ...]:
    places = {node: place for place, node in enumerate(order)}
    return tuple(
        Group(
            tuple(sorted(places[node] for node in group.befores)),
            tuple(sorted(places[node] for node in group.afters)),
            group.device,
        )
        for group in groups
    )
