"""List scheduling by a weighted score: of the nodes that may come next, the one with the best score comes.

docs/ordering.md describes the terms. List scheduling: R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM
J. Appl. Math. 17, 1969; the terms are those of the frame-graph literature that the document names.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter

from render.compiler.memo import Parts
from render.compiler.ordering.crowds import asked
from render.compiler.ordering.facts import FactsOf, NodeFacts, resource_bytes
from render.compiler.ordering.gates import Gates, critical_paths, nested_ranks, waits_of
from render.compiler.ordering.live_bytes import LiveBytes
from render.compiler.ordering.open_pass import OpenPass
from render.compiler.ordering.partners import Partners, shared_targets
from render.compiler.ordering.put_off import PutOff
from render.compiler.ordering.ready_bins import Rank, ReadyBins
from render.compiler.ordering.runs import runs_of
from render.compiler.ordering.trail import Trail
from render.compiler.ordering.weights import Weights
from render.compiler.stages import InstanceGraph, NodeInstance

MANY = 8
"""So many consumers count as the most that there can be."""

NEST = 32
"""So many nodes further on in the nested order count 1."""

CANDIDATES = 8
"""So many ready nodes with the targets of the open pass are tried for it."""

_FREE = 1000.0  # above any sum of terms: who records nothing costs no GPU time, and others wait for it


def weighted_order(
    graph: InstanceGraph,
    weightings: Sequence[Weights],
    measured: Mapping[str, float] | None = None,
    parts: Parts | None = None,
) -> list[NodeInstance]:
    """The graph's nodes in a legal order; ``measured`` is GPU time in microseconds by node name.

    With several weightings there are several orders; the first of those that need least memory at a time is taken.
    """
    parts = parts or Parts()
    known = FactsOf(graph, measured or {}, parts)
    wanted = asked(graph.groups, graph.rows, known.alike, parts)
    others = set(chain.from_iterable([crowd[1:] for crowd in wanted.crowds]))
    facts = known.facts([node.id for node in graph.nodes if node.id not in others], wanted.crowds)
    facts.sort(key=attrgetter("key"))
    numbers = {fact.id: number for number, fact in enumerate(facts)}
    runs = runs_of(facts, waits_of(numbers, wanted))
    found = list_schedule(runs.facts, runs.gates, resource_bytes(graph, parts), frozenset(graph.sinks), weightings)
    members: list[tuple[str, ...]] = [(fact.id,) for fact in facts]
    for crowd in wanted.crowds:
        members[numbers[crowd[0]]] = crowd
    return known.nodes(chain.from_iterable([members[number] for run in found for number in runs.members[run]]))


def list_schedule(
    facts: Sequence[NodeFacts],
    gates: Gates,
    sizes: Mapping[str, float],
    sinks: Collection[str],
    weightings: Sequence[Weights],
) -> list[int]:
    """Nodes by number, as ``weighted_order`` would have them without runs; ``sizes`` are bytes by resource id."""
    best: list[int] = []
    least = math.inf
    for weights in weightings:
        live = LiveBytes(facts, sizes, sinks)
        found = _Schedule(facts, gates, live, weights).run()
        if live.peak < least:
            best, least = found, live.peak
    return best


def static_scores(facts: Sequence[NodeFacts], gates: Gates, weights: Weights) -> list[float]:
    """The part of each node's score that the order does not change: nest, chain, spread and patience."""
    costs = [fact.cost for fact in facts]
    paths = critical_paths(gates, costs)
    longest = max(paths.behind, default=0.0) or 1.0
    costliest = max(costs, default=0.0) or 1.0
    ranks = nested_ranks(gates, paths.before)
    nest, chain, spread, patience = weights.nest, weights.chain, weights.spread, weights.patience
    return [
        -nest * rank / NEST
        + chain * behind / longest
        + spread * (cost / costliest) * (min(MANY, consumers) / MANY)
        - patience * before / longest
        + (0.0 if fact.records else _FREE)
        for fact, cost, rank, behind, before, consumers in zip(
            facts, costs, ranks, paths.behind, paths.before, gates.consumers(), strict=True
        )
    ]


class _Schedule:
    """The scheduler at work, once; nodes (or runs of them) are numbers in the order of ``declared_key``."""

    def __init__(self, facts: Sequence[NodeFacts], gates: Gates, live: LiveBytes, weights: Weights) -> None:
        self._facts = facts
        self._gates = gates
        self._live = live
        self._weights = weights
        self._static = static_scores(facts, gates, weights)
        self._targets = shared_targets(facts)
        self._partners = Partners(facts, gates, self._targets)
        self._waiting = list(map(len, gates.arriving))
        self._pending = list(map(len, gates.befores))
        self._ready = ReadyBins(len(facts))
        self._put_off = PutOff(facts, gates)
        self._order: list[int] = []
        self._trail = Trail(facts, weights)
        self._pass = OpenPass()
        self._rendering = 0

    def run(self) -> list[int]:
        """All nodes in order."""
        ready, put_off = self._ready, self._put_off
        self._free([node for node, count in enumerate(self._waiting) if not count])
        while ready.count:
            node = self._next()
            ready.take(node)
            for creator in put_off.wanted_by(node):
                self._append(creator)
            self._append(node)
            if freed := self._open(node):
                self._free(freed)
        for node in put_off.rest():
            self._append(node)
        return self._order

    # choosing -------------------------------------------------------------------------------------------------------

    def _next(self) -> int:
        best = self._ready.best(self._trail.offset, self._trail.oldest)
        joins = None
        if self._rendering:
            joins = self._ready.first_with(self._rendering, self._joins, CANDIDATES)
        if joins is None:
            return best[2]
        priority, score, node = joins
        gain = self._weights.merge - self._weights.state * self._trail.switches(self._facts[node].state)
        return min(best, (priority, score - gain, node))[2]

    def _joins(self, node: int) -> bool:
        return self._pass.takes(self._facts[node])

    def _rank(self, node: int) -> Rank:
        score = self._static[node] + self._weights.memory * self._live.relief(node)
        target = self._targets[node]
        if target and self._partners.wait(target):
            score -= self._weights.gather
        return -self._facts[node].priority, -score, node

    def _rank_again(self, nodes: Iterable[int]) -> None:
        ready = self._ready
        for node in nodes:
            # Only of those that are ready does anybody want to know.
            if ready.ranks[node] is not None:
                ready.change(node, self._rank(node), self._targets[node])

    # going on -------------------------------------------------------------------------------------------------------

    def _free(self, nodes: Sequence[int]) -> None:
        """These nodes wait for nothing any more. One that executes nothing holds nobody up either."""
        idle: list[int] = []
        while True:
            for node in nodes:
                if self._facts[node].executes:
                    self._ready.put(node, self._rank(node), self._trail.bin_of(node), self._targets[node])
                else:
                    heapq.heappush(idle, node)
            if not idle:
                return
            node = heapq.heappop(idle)
            self._put_off.add(node)
            nodes = self._open(node)

    def _open(self, node: int) -> list[int]:
        """The node holds up nobody from now on; the nodes that have waited for it last."""
        freed = []
        pending, waiting, several = self._pending, self._waiting, self._partners.several
        for gate in self._gates.leaving[node]:
            pending[gate] -= 1
            if pending[gate]:
                continue
            if several and (complete := self._partners.open(gate)):
                self._rank_again(complete)
            for other in self._gates.afters[gate]:
                waiting[other] -= 1
                if not waiting[other]:
                    freed.append(other)
        return freed

    def _append(self, node: int) -> None:
        """The node comes next."""
        fact = self._facts[node]
        self._order.append(node)
        if fact.records:
            target = self._targets[node]
            if target:
                if target != self._rendering:
                    self._pass = OpenPass()
                self._pass.add(fact)
            self._rendering = target
        self._trail.lead_to(node)
        changed = self._live.run(node) if fact.executes else self._live.begin(node)
        if changed:
            self._rank_again(changed)
