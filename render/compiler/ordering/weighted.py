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
from typing import Any

from render.compiler.memo import Parts
from render.compiler.ordering.crowds import asked
from render.compiler.ordering.facts import Bottleneck, NodeFacts, State, node_facts, resource_bytes
from render.compiler.ordering.gates import Gates, critical_paths, nested_ranks, waits_of
from render.compiler.ordering.live_bytes import LiveBytes
from render.compiler.ordering.open_pass import OpenPass
from render.compiler.ordering.partners import Partners
from render.compiler.ordering.put_off import PutOff
from render.compiler.ordering.ready_bins import OLD, Bin, ReadyBins
from render.compiler.ordering.runs import runs_of
from render.compiler.ordering.weights import Weights
from render.compiler.stages import InstanceGraph, NodeInstance
from render.compiler.uses import Attached

DISTANCE = 4
"""With so many nodes between, a producer does not hold up its consumer any more."""

MANY = 8
"""So many consumers count as the most that there can be."""

NEST = 32
"""So many nodes further on in the nested order count 1."""

SWITCHES = 4
"""So many switches of state count as the most that there can be."""

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
    nodes = {node.id: node for node in graph.nodes}
    facts = dict(zip(nodes, node_facts(graph, graph.nodes, measured or {}, parts), strict=True))
    alike = dict(zip(nodes, map(attrgetter("alike"), facts.values()), strict=True))
    wanted = asked(graph.groups, graph.rows, alike, parts)
    crowds = {crowd[0]: crowd for crowd in wanted.crowds}
    others = set(chain.from_iterable([crowd[1:] for crowd in wanted.crowds]))
    names = sorted(facts.keys() - others, key=lambda name: facts[name].key)
    numbers = dict(zip(names, range(len(names)), strict=True))
    in_crowds = {numbers[first]: [facts[name] for name in crowd] for first, crowd in crowds.items()}
    runs = runs_of([facts[name] for name in names], waits_of(numbers, wanted), in_crowds)
    found = list_schedule(runs.facts, runs.gates, resource_bytes(graph, parts), frozenset(graph.sinks), weightings)
    firsts = [names[number] for run in found for number in runs.members[run]]
    return [nodes[name] for name in chain.from_iterable([crowds.get(first, (first,)) for first in firsts])]


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
    paths = critical_paths(gates, [fact.cost for fact in facts])
    longest = max(paths.behind, default=0.0) or 1.0
    costliest = max((fact.cost for fact in facts), default=0.0) or 1.0
    ranks = nested_ranks(gates, paths.before)
    consumers_of = [len(after) * times for after, times in zip(gates.afters, gates.times, strict=True)]
    nest, chain, spread, patience = weights.nest, weights.chain, weights.spread, weights.patience
    return [
        -nest * rank / NEST
        + chain * behind / longest
        + spread * (fact.cost / costliest) * (min(MANY, sum([consumers_of[gate] for gate in leaving])) / MANY)
        - patience * before / longest
        + (0.0 if fact.records else _FREE)
        for fact, rank, behind, before, leaving in zip(
            facts, ranks, paths.behind, paths.before, gates.leaving, strict=True
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
        targets: dict[tuple[Attached, ...], int] = {(): 0}
        self._target = [targets.setdefault(fact.targets, len(targets)) if fact.targets else 0 for fact in facts]
        states: dict[State, int] = {(): 0}
        self._state_of = [states.setdefault(fact.state, len(states)) if fact.state else 0 for fact in facts]
        self._states = list(states)
        self._partners = Partners(facts, gates, self._target)
        self._waiting = [len(arriving) for arriving in gates.arriving]
        self._pending = [len(nodes) for nodes in gates.befores]
        self._ready = ReadyBins(len(facts))
        self._put_off = PutOff(facts, gates)
        self._order: list[int] = []
        # What the nodes so far leave behind.
        self._pass = OpenPass()
        self._rendering = 0
        self._state: dict[str, Any] = {}
        self._bottleneck = Bottleneck.NONE
        self._place = 0
        self._written: dict[str, int] = {}

    def run(self) -> list[int]:
        """All nodes in order."""
        self._free([node for node, count in enumerate(self._waiting) if not count])
        while self._ready.count:
            node = self._next()
            self._ready.take(node)
            for creator in self._put_off.wanted_by(node):
                self._append(creator)
            self._append(node)
            if freed := self._open(node):
                self._free(freed)
        for node in self._put_off.rest():
            self._append(node)
        return self._order

    # choosing -------------------------------------------------------------------------------------------------------

    def _next(self) -> int:
        best = self._ready.best(self._offset)
        joins = None
        if self._rendering:
            joins = self._ready.first_with(self._rendering, self._joins, CANDIDATES)
        if joins is None:
            return best[2]
        priority, score, node = joins
        gain = self._weights.merge - self._weights.state * self._switches(self._state_of[node])
        return min(best, (priority, score - gain, node))[2]

    def _joins(self, node: int) -> bool:
        return self._pass.takes(self._facts[node])

    def _offset(self, where: Bin) -> float:
        """What the nodes so far add to the score of the nodes of a bin."""
        weights = self._weights
        bottleneck, state, place = where
        score = -weights.state * self._switches(state) if self._states[state] else 0.0
        if bottleneck == self._bottleneck and bottleneck:
            score -= weights.bottleneck
        if place != OLD:
            score -= weights.distance * (1.0 - (self._place - place - 1) / DISTANCE)
        return score

    def _switches(self, state: int) -> float:
        """How many switches a state costs now, as a part of the most that count."""
        wanted = self._states[state]
        if not wanted:
            return 0.0
        current = self._state
        differing = sum([key not in current or bool(current[key] != value) for key, value in wanted])
        return min(differing, SWITCHES) / SWITCHES

    def _score(self, node: int) -> float:
        score = self._static[node] + self._weights.memory * self._live.relief(node)
        target = self._target[node]
        return score - self._weights.gather if target and self._partners.wait(target) else score

    def _rescore(self, nodes: Iterable[int]) -> None:
        ready = self._ready
        for node in nodes:
            # Only of those that are ready does anybody want to know.
            if ready.ranks[node] is not None:
                ready.score(node, self._facts[node].priority, self._score(node), self._target[node])

    # going on -------------------------------------------------------------------------------------------------------

    def _free(self, nodes: list[int]) -> None:
        """These nodes wait for nothing any more. One that executes nothing holds nobody up either."""
        heapq.heapify(nodes)
        while nodes:
            node = heapq.heappop(nodes)
            fact = self._facts[node]
            if fact.executes:
                self._ready.put(node, fact.priority, self._score(node), self._bin(node), self._target[node])
                continue
            self._put_off.add(node)
            for other in self._open(node):
                heapq.heappush(nodes, other)

    def _open(self, node: int) -> list[int]:
        """The node holds up nobody from now on; the nodes that have waited for it last."""
        freed = []
        pending, waiting, several = self._pending, self._waiting, self._partners.several
        for gate in self._gates.leaving[node]:
            pending[gate] -= 1
            if pending[gate]:
                continue
            if several and (complete := self._partners.open(gate)):
                self._rescore(complete)
            for other in self._gates.afters[gate]:
                waiting[other] -= 1
                if not waiting[other]:
                    freed.append(other)
        return freed

    def _bin(self, node: int) -> Bin:
        fact = self._facts[node]
        place = OLD
        if self._weights.distance:
            written = self._written
            for name in fact.touched:
                if name in written and written[name] > place:
                    place = written[name]
            if self._place - place > DISTANCE:
                place = OLD
        return fact.bottleneck, self._state_of[node], place

    def _append(self, node: int) -> None:
        """The node comes next."""
        fact = self._facts[node]
        self._order.append(node)
        if fact.records:
            self._pass.add(fact)
            self._rendering = self._target[node]
        if fact.state:
            self._state.update(fact.state)
        if not fact.executes:
            self._rescore(self._live.begin(node))
            return
        self._rescore(self._live.run(node))
        if fact.records:
            for name in fact.written:
                self._written[name] = self._place
            self._bottleneck = fact.bottleneck
            self._place += 1
            if self._place > DISTANCE:
                self._ready.age(self._place - DISTANCE - 1)
