"""What is good about taking a node early, whatever the nodes before it are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.render.compiler.order.facts import NodeFacts
from renderwright.render.compiler.order.gates import Gates, Paths, critical_paths, nested_ranks
from renderwright.render.compiler.order.weights import Weights

MANY = 8
"""So many consumers count as the most that there can be."""

NEST = 32
"""So many nodes further on in the nested order count 1."""

_FREE = 1000.0  # above any sum of terms: who records nothing costs no GPU time, and others wait for it


@dataclass(frozen=True)
class Merits:
    """By node: its place in the nested order, its cost, the costliest paths there and on, and how often it is waited
    for."""

    facts: Sequence[NodeFacts]
    ranks: Sequence[int]
    costs: Sequence[float]
    paths: Paths
    consumers: Sequence[int]

    def scores(self, weights: Weights) -> list[float]:
        """The part of each node's score that the order does not change: nest, chain, spread and patience."""
        longest = max(self.paths.behind, default=0.0) or 1.0
        costliest = max(self.costs, default=0.0) or 1.0
        nest, chain, spread, patience = weights.nest, weights.chain, weights.spread, weights.patience
        return [
            -nest * rank / NEST
            + chain * behind / longest
            + spread * (cost / costliest) * ((consumers if consumers < MANY else MANY) / MANY)
            - patience * before / longest
            + (0.0 if fact.records else _FREE)
            for fact, rank, cost, behind, before, consumers in zip(
                self.facts, self.ranks, self.costs, self.paths.behind, self.paths.before, self.consumers, strict=True
            )
        ]


def merits_of(facts: Sequence[NodeFacts], gates: Gates) -> Merits:
    """The merits of nodes between these gates."""
    costs = [fact.cost for fact in facts]
    paths = critical_paths(gates, costs)
    return Merits(facts, nested_ranks(gates, paths.before), costs, paths, gates.consumers)
