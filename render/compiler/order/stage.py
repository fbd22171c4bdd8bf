"""The stage ``order``: choose one of the legal orders under a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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


def order(graph: InstanceGraph, options: CompileOptions, between: Callable[[], None] = lambda: None) -> InstanceGraph:
    """The graph with its nodes in a legal order, which does not depend on the order of ``graph.nodes``.

    ``balanced``, ``memory`` and ``overlap`` are list scheduling by weighted scores (docs/ordering.md);
    ``options.costs`` are measured node costs. If all nodes are in ``options.preferred``, the first one there of those
    that are ready is next instead. ``between`` is called between steps of list scheduling. Raises ``UsageError`` for an
    unknown policy.
    """
    _require_policy(options.order)
    by_id = {node.id: node for node in graph.nodes}
    if options.preferred is not None and by_id.keys() <= set(options.preferred.nodes):
        return _preferred(graph, by_id, options.preferred, options.order)
    weights = WEIGHTS.get(options.order)
    if weights is not None:
        nodes = weighted_order(graph, weights, dict(options.costs), between)
    else:
        ready = _ready(options.order, graph.nodes)
        nodes = [by_id[node] for node in schedule_groups(list(by_id), graph.precedences, ready)]
    assert len(nodes) == len(graph.nodes), "the edges have a cycle"
    return replace(graph, nodes=tuple(nodes), policy=options.order)


def _preferred(
    graph: InstanceGraph, by_id: Mapping[str, NodeInstance], preferred: PreferredOrder, policy: str
) -> InstanceGraph:
    """The graph with its nodes, all of which are in the preferred order, in that order as far as it is legal."""
    known = [node for node in preferred.nodes if node in by_id]
    nodes = [by_id[node] for node in first_order(known, graph.precedences)]
    return replace(graph, nodes=tuple(nodes), policy=policy, preferred=preferred)


def _require_policy(policy: str) -> None:
    if policy not in WEIGHTS and policy != "declared" and _seed(policy) is None:
        raise UsageError(f'unknown order policy "{policy}"', hint=did_you_mean(policy, POLICIES))


def _seed(policy: str) -> int | None:
    """The seed of ``random:SEED``; None for other policies."""
    kind, _, seed = policy.partition(":")
    return int(seed) if kind == "random" and seed.removeprefix("-").isdecimal() else None


def _ready(policy: str, nodes: Iterable[NodeInstance]) -> ReadyNodes:
    """The order of a policy without weights."""
    seed = _seed(policy)
    return DeclaredOrder(nodes) if seed is None else RandomOrder(seed)
