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

from renderwright.render.compiler.order.crowds import asked
from renderwright.render.compiler.order.facts import FactsOf, NodeFacts, resource_bytes
from renderwright.render.compiler.order.gates import Gates, waits_of
from renderwright.render.compiler.order.live_bytes import LiveBytes
from renderwright.render.compiler.order.merits import Merits, merits_of
from renderwright.render.compiler.order.open_pass import OpenPass
from renderwright.render.compiler.order.partners import Partners, shared_targets
from renderwright.render.compiler.order.put_off import PutOff
from renderwright.render.compiler.order.ready_bins import Rank, ReadyBins
from renderwright.render.compiler.order.runs import runs_of
from renderwright.render.compiler.order.weights import Weights
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.incremental.memo import Parts

CANDIDATES = 8
"""So many ready nodes with the targets of the open pass are tried for it."""


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
    crowds = {crowd[0]: known.nodes(crowd) for crowd in wanted.crowds}
    facts = known.facts([each for each in known.by_id if each not in wanted.others], crowds)
    facts.sort(key=attrgetter("key"))
    numbers = {fact.id: number for number, fact in enumerate(facts)}
    runs = runs_of(facts, waits_of(numbers, wanted))
    found = list_schedule(runs.facts, runs.gates, resource_bytes(graph, parts), frozenset(graph.sinks), weightings)
    members: list[Sequence[NodeInstance]] = list(zip(known.nodes(numbers)))
    for first, crowd in crowds.items():
        members[numbers[first]] = crowd
    order = chain.from_iterable(map(runs.members.__getitem__, found))
    return list(chain.from_iterable(map(members.__getitem__, order)))


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
    merits = merits_of(facts, gates)
    for weights in weightings:
        live = LiveBytes(facts, sizes, sinks)
        found = _Schedule(merits, gates, live, weights).run()
        if live.peak < least:
            best, least = found, live.peak
    return best


class _Schedule:
    """The scheduler at work, once; nodes (or runs of them) are numbers in the order of ``declared_key``."""

    def __init__(self, merits: Merits, gates: Gates, live: LiveBytes, weights: Weights) -> None:
        facts = self._facts = merits.facts
        self._gates = gates
        self._live = live
        self._weights = weights
        self._static = merits.scores(weights)
        self._targets = shared_targets(facts)
        self._partners = Partners(facts, gates, self._targets)
        self._waiting = list(map(len, gates.befores))
        self._ready = ReadyBins(facts, weights)
        self._put_off = PutOff(facts, gates)
        self._pass = OpenPass()
        self._rendering = 0
        self._order: list[int] = []

    def run(self) -> list[int]:
        """All nodes in order."""
        self._free([node for node, count in enumerate(self._waiting) if not count])
        while best := self._ready.best():
            node = self._joining(best) if self._rendering else best[2]
            if self._put_off.ages:
                for creator in self._put_off.wanted_by(node):
                    self._append(creator)
            self._append(node)
            if freed := self._open(node):
                self._free(freed)
        for node in self._put_off.rest():
            self._append(node)
        return self._order

    # choosing -------------------------------------------------------------------------------------------------------

    def _joining(self, best: Rank) -> int:
        """The best node, where it counts for some to join the open pass."""
        joins = self._ready.first_with(self._rendering, self._joins, CANDIDATES)
        if joins is None:
            return best[2]
        priority, score, node = joins
        gain = self._weights.merge - self._ready.switching(self._facts[node].state)
        return min(best, (priority, score - gain, node))[2]

    def _joins(self, node: int) -> bool:
        return self._pass.takes(self._facts[node])

    def _rank(self, node: int) -> None:
        """The node is ready, and stands among the others by its own score."""
        score = self._static[node] + self._weights.memory * self._live.relief(node)
        target = self._targets[node]
        if target and self._partners.wait(target):
            score -= self._weights.gather
        self._ready.put((-self._facts[node].priority, -score, node), target)

    def _rank_again(self, nodes: Iterable[int]) -> None:
        ranks = self._ready.ranks
        for node in nodes:
            # Only of those that are ready does anybody want to know.
            if ranks[node] is not None:
                self._rank(node)

    # going on -------------------------------------------------------------------------------------------------------

    def _free(self, nodes: Iterable[int]) -> None:
        """These nodes wait for nothing any more. One that executes nothing holds nobody up either."""
        idle: list[int] = []
        while True:
            for node in nodes:
                if self._facts[node].executes:
                    self._rank(node)
                else:
                    heapq.heappush(idle, node)
            if not idle:
                return
            node = heapq.heappop(idle)
            self._put_off.add(node)
            nodes = self._open(node)

    def _open(self, node: int) -> list[int]:
        """The node or gate holds up nobody from now on; the nodes that have waited for it last."""
        freed: list[int] = []
        waiting, partners, count = self._waiting, self._partners, self._gates.count
        if partners.several and (complete := partners.open(node)):
            self._rank_again(complete)
        for other in self._gates.afters[node]:
            waiting[other] -= 1
            if waiting[other]:
                continue
            if other < count:
                freed.append(other)
            else:
                freed += self._open(other)
        return freed

    def _append(self, node: int) -> None:
        """The node comes next."""
        self._order.append(node)
        fact = self._facts[node]
        if fact.records:
            target = self._targets[node]
            if target:
                if target != self._rendering:
                    self._pass = OpenPass()
                self._pass.add(fact)
            self._rendering = target
        self._ready.come(node)
        self._rank_again(self._live.come(node))
