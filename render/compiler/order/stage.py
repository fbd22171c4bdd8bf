"""The stage ``order``: choose one of the legal orders under a policy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from renderwright.render.compiler.instances.topological_sort import ReadyNodes, first_order, schedule_groups
from renderwright.render.compiler.order.list_scheduling import weighted_order
from renderwright.render.compiler.order.unscored_orders import DeclaredOrder, RandomOrder
from renderwright.render.compiler.order.weights import WEIGHTS
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.preferred_order import PreferredOrder
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean

POLICIES = (*WEIGHTS, "declared", "random:SEED")
"""The names of the policies, as users write them."""


def order(graph: InstanceGraph, options: CompileOptions) -> InstanceGraph:
    """The graph with its nodes in a legal order, which does not depend on the order of ``graph.nodes``.

    ``balanced``, ``memory`` and ``overlap`` are list scheduling by weighted scores (docs/ordering.md);
    ``options.costs`` are measured node costs. If all nodes are in ``options.preferred``, the first one there of those
    that are ready is next instead. Raises ``UsageError`` for an unknown policy.
    """
    weights = WEIGHTS.get(options.order)
    if options.preferred is not None:
        return _preferred(graph, options.preferred, options)
    if weights is not None:
        nodes = weighted_order(graph, weights, dict(options.costs))
    else:
        by_id = {node.id: node for node in graph.nodes}
        ready = _ready(options.order, graph.nodes)
        nodes = [by_id[node] for node in schedule_groups(list(by_id), graph.precedences, ready)]
    assert len(nodes) == len(graph.nodes), "the edges have a cycle"
    return replace(graph, nodes=tuple(nodes), policy=options.order)


def _preferred(graph: InstanceGraph, preferred: PreferredOrder, options: CompileOptions) -> InstanceGraph:
    """The graph with its nodes in the preferred order as far as that is legal."""
    by_id = {node.id: node for node in graph.nodes}
    known = [node for node in preferred.nodes if node in by_id]
    if len(known) < len(by_id):
        return order(graph, replace(options, preferred=None))
    nodes = [by_id[node] for node in first_order(known, graph.precedences)]
    return replace(graph, nodes=tuple(nodes), policy=options.order, preferred=preferred)


def _ready(policy: str, nodes: Iterable[NodeInstance]) -> ReadyNodes:
    kind, _, seed = policy.partition(":")
    if policy == "declared":
        return DeclaredOrder(nodes)
    if kind == "random" and seed.removeprefix("-").isdecimal():
        return RandomOrder(int(seed))
    raise UsageError(f'unknown order policy "{policy}"', hint=did_you_mean(policy, POLICIES))
