"""Stage 5: choose one of the legal orders."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from renderwright.render.compiler.instances.precedence import schedule_groups
from renderwright.render.compiler.instances.toposort import Ready
from renderwright.render.compiler.order.declared import DeclaredOrder
from renderwright.render.compiler.order.random_order import RandomOrder
from renderwright.render.compiler.order.weighted import weighted_order
from renderwright.render.compiler.order.weights import WEIGHTS
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import UsageError
from renderwright.render.incremental.memo import Parts
from renderwright.render.suggest import did_you_mean

POLICIES = (*WEIGHTS, "declared", "random:SEED")
"""The names of the policies, as a person writes them."""


def order(graph: InstanceGraph, options: CompileOptions, parts: Parts | None = None) -> InstanceGraph:
    """The graph with its nodes in the order in which they run.

    ``balanced``, ``memory`` and ``overlap`` weigh what an order is good for (docs/ordering.md); ``options.costs`` are
    their node costs. ``declared``: larger priority, earlier declaration, smaller index, smaller name first; but a node
    with the same attachments as the one before is taken ahead of others, so that the two can become one render pass.
    ``random:SEED``: any node that may come next, with equal probability. All but the last put off a node that executes
    nothing until its result is wanted, so that what it creates lives no longer than it must. The result does not
    depend on the order of ``graph.nodes``. ``UsageError`` for another policy.
    """
    weights = WEIGHTS.get(options.order)
    if weights is not None:
        nodes = weighted_order(graph, weights, dict(options.costs), parts)
    else:
        by_id = {node.id: node for node in graph.nodes}
        ready = _ready(options.order, graph.nodes)
        nodes = [by_id[node] for node in schedule_groups(list(by_id), graph.precedences, ready)]
    assert len(nodes) == len(graph.nodes), "the edges have a cycle"
    return replace(graph, nodes=tuple(nodes), policy=options.order)


def _ready(policy: str, nodes: Iterable[NodeInstance]) -> Ready:
    kind, _, seed = policy.partition(":")
    if policy == "declared":
        return DeclaredOrder(nodes)
    if kind == "random" and seed.removeprefix("-").isdecimal():
        return RandomOrder(int(seed))
    raise UsageError(f'unknown order policy "{policy}"', hint=did_you_mean(policy, POLICIES))
