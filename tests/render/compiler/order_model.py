"""The rule of list scheduling, written down a second time: every score from nothing, at every step, for every node."""

from __future__ import annotations

from order_units import by_tie_break, hinted_facts

from renderwright.render.compiler.order.dependency_graph import dependency_graph, hyperedges
from renderwright.render.compiler.order.estimated_bytes import estimated_bytes
from renderwright.render.compiler.order.open_pass import OpenPass
from renderwright.render.compiler.order.recent_work import DISTANCE, MOST_SWITCHES
from renderwright.render.compiler.order.static_priority import StaticPriority
from renderwright.render.compiler.order.weights import Weights
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.types.usages import READ_ONLY_USAGES


class OrderModel:
    """What the score of each node is, after the nodes of ``done``."""

    def __init__(self, graph: InstanceGraph, weights: Weights) -> None:
        self.graph = by_tie_break(graph)
        self.nodes = {node.id: node for node in self.graph.nodes}
        self.weights = weights
        facts = hinted_facts(self.graph)
        self.facts = dict(zip(self.nodes, facts, strict=True))
        static = StaticPriority(facts, dependency_graph(hyperedges(self.graph), len(facts)))
        self.static = dict(zip(self.nodes, static.scores(weights), strict=True))
        self.size = {r.id: 0.0 if r.resource.external else estimated_bytes(r.resource.desc) for r in graph.resources}
        self.done: list[str] = []
        self.open = OpenPass()

    def add(self, name: str) -> None:
        self.done.append(name)
        if self.facts[name].records:
            self.open.add(self.facts[name])

    def executes(self, name: str) -> bool:
        return self.nodes[name].declaration.executes

    def priority(self, name: str) -> int:
        return self.nodes[name].declaration.priority

    def waits_for(self, name: str) -> set[str]:
        """Nodes that have to run before, and have not; what executes nothing counts for those that it waits for."""
        found: set[str] = set()
        for group in self.graph.precedences:
            if name in group.afters:
                for before in group.befores:
                    if not self.executes(before):
                        found |= self.waits_for(before)
                    elif before not in self.done:
                        found.add(before)
        return found

    def ready(self) -> list[str]:
        return [n for n in self.nodes if self.executes(n) and n not in self.done and not self.waits_for(n)]

    def items(self, name: str) -> set[tuple[str, bool]]:
        return {(r, use.reads_history) for use in self.nodes[name].uses for r in use.resources if self.size[r]}

    def relief(self, name: str) -> float:
        everywhere = {item for other in self.nodes for item in self.items(other)}
        change = 0.0
        for item in self.items(name):
            users = [n for n in self.nodes if item in self.items(n)]
            if not item[1] and not any(n in self.done for n in users):
                change -= self.size[item[0]]
            kept = not item[1] and (item[0] in self.graph.sinks or (item[0], True) in everywhere)
            if not kept and [n for n in users if self.executes(n) and n not in self.done] == [name]:
                change += self.size[item[0]]
        unit = max((self.size[item[0]] for item in everywhere), default=1.0)
        return max(-1.0, min(1.0, change / unit))

    def partners_wait(self, name: str) -> bool:
        target = self.nodes[name].attached
        if not target:
            return False
        partners = [n for n in self.nodes if self.executes(n) and self.nodes[n].attached == target]
        for group in self.graph.precedences:
            befores = {self.nodes[n].attached for n in group.befores if self.executes(n)}
            waiting = any(n not in self.done if self.executes(n) else bool(self.waits_for(n)) for n in group.befores)
            if waiting and befores != {target} and any(n in group.afters for n in partners):
                return True
        return False

    def closeness(self, name: str) -> float:
        recording = [n for n in self.done if self.executes(n) and self.nodes[n].records]
        mine = {r for use in self.nodes[name].uses if use.touches_gpu and not use.reads_history for r in use.resources}
        gaps = [
            len(recording) - place - 1
            for place, other in enumerate(recording)
            for use in self.nodes[other].uses
            if use.touches_gpu and not use.reads_history and use.usage not in READ_ONLY_USAGES
            if mine & set(use.resources)
        ]
        return max(0.0, 1.0 - min(gaps) / DISTANCE) if gaps else 0.0

    def switches(self, name: str) -> float:
        current: dict[str, object] = {}
        for other in self.done:
            current.update(self.nodes[other].declaration.state)
        wanted = self.nodes[name].declaration.state
        return (
            min(MOST_SWITCHES, sum(key not in current or current[key] != value for key, value in wanted))
            / MOST_SWITCHES
        )

    def score(self, name: str) -> float:
        weights = self.weights
        score = self.static[name] + weights.memory * self.relief(name) - weights.state * self.switches(name)
        score -= weights.gather * self.partners_wait(name)
        apart = score - weights.distance * self.closeness(name)
        recording = [n for n in self.done if self.executes(n) and self.nodes[n].records]
        mine = self.facts[name].bottleneck
        if recording and mine and mine == self.facts[recording[-1]].bottleneck:
            apart -= weights.bottleneck
        return max(apart, score + weights.merge) if self.open.takes(self.facts[name]) else apart
