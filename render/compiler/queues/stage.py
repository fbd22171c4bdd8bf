"""queues: spreads the ordered nodes over the device's queues where that makes the frame shorter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from renderwright.render.compiler.order.costs import node_costs
from renderwright.render.compiler.queues.assignment import assign_queues
from renderwright.render.compiler.queues.cross_frame import cross_frame_work, may_cross_frames
from renderwright.render.compiler.queues.dependencies import Hyperedge, dependencies
from renderwright.render.compiler.queues.eligibility import eligibilities
from renderwright.render.compiler.queues.issue_order import issue_order
from renderwright.render.compiler.queues.semaphore_waits import SemaphoreWaits, semaphore_waits
from renderwright.render.compiler.resources.access_history import AccessHistory, access_histories
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.queue_plan import CrossFrameWork, ExecutionInterval, QueuePlan, one_queue
from renderwright.render.sync.queues import GRAPHICS


@dataclass(frozen=True)
class Queued:
    """The graph with its nodes in the order of issue, and their queues."""

    graph: InstanceGraph
    plan: QueuePlan


def queues(graph: InstanceGraph, histories: Mapping[str, AccessHistory], options: CompileOptions) -> Queued:
    """The graph as ordered and all on the graphics queue, unless other queues make the frame shorter.

    ``histories`` are the access histories of the ordered graph; another order has others.
    """
    eligible = eligibilities(graph, histories, frozenset(options.queues), unified=bool(options.unified_layouts))
    if not any(node.queues for node in eligible):
        return Queued(graph, one_queue(len(graph.nodes), [node.obstacle for node in eligible]))
    edges = dependencies(graph, histories)
    costs = _recorded_costs(graph, options)
    assigned = assign_queues(eligible, costs, edges, may_cross_frames(graph, eligible, edges))
    if not assigned.worthwhile:
        return Queued(graph, one_queue(len(graph.nodes), assigned.reasons, assigned.time_on_one_queue))
    order = issue_order(assigned.queues, assigned.schedule.starts, edges)
    ordered = replace(graph, nodes=tuple([graph.nodes[node] for node in order]))
    queue_of = tuple([assigned.queues[node] for node in order])
    silent = {number for number, node in enumerate(ordered.nodes) if not node.records}
    waits = semaphore_waits(queue_of, _renumbered(edges, order), silent)
    works = _cross_frame_work(ordered, queue_of, waits)
    plan = QueuePlan(
        queue_of,
        waits.waits,
        _extended(waits.execution_intervals, works),
        tuple([assigned.reasons[node] for node in order]),
        assigned.time_on_one_queue,
        assigned.schedule.end,
        works,
    )
    return Queued(ordered, plan)


def _recorded_costs(graph: InstanceGraph, options: CompileOptions) -> list[float]:
    """The cost of each node; none for a node that records nothing."""
    costs = node_costs(graph.nodes, dict(options.costs))
    return [cost if node.records else 0.0 for node, cost in zip(graph.nodes, costs, strict=True)]


def _renumbered(edges: Sequence[Hyperedge], order: Sequence[int]) -> list[Hyperedge]:
    """The hyperedges with the numbers that the nodes have in the order of issue."""
    numbers = {node: number for number, node in enumerate(order)}
    return [
        Hyperedge(
            tuple(sorted([numbers[node] for node in edge.befores])),
            tuple(sorted([numbers[node] for node in edge.afters])),
            edge.on_device,
        )
        for edge in edges
    ]


def _cross_frame_work(
    graph: InstanceGraph, queue_of: Sequence[str], waits: SemaphoreWaits
) -> tuple[CrossFrameWork, ...]:
    """The cross-frame work of a graph whose nodes stand in the order of issue."""
    ends = [end for (_, end), queue in zip(waits.execution_intervals, queue_of, strict=True) if queue != GRAPHICS]
    if len(queue_of) not in ends:
        return ()
    return cross_frame_work(graph, access_histories(graph), queue_of, waits.execution_intervals)


def _extended(
    execution_intervals: Sequence[ExecutionInterval], works: Sequence[CrossFrameWork]
) -> tuple[ExecutionInterval, ...]:
    """The execution intervals, those of cross-frame work up to its wait point in the next frame."""
    ends = {node: len(execution_intervals) + work.wait_point for work in works for node in work.nodes}
    return tuple([(begin, ends.get(node, end)) for node, (begin, end) in enumerate(execution_intervals)])
