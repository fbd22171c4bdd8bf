"""The reason why a node is in the frame."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.graph.requests import Verb
from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.inspect.words import DOING


class _Step(NamedTuple):
    """A node that does something (``verb``) with the ``result`` of another one."""

    reader: str
    verb: Verb
    result: str


class Needs:
    """The reasons of all nodes of a plan."""

    def __init__(self, index: PlanIndex) -> None:
        graph = index.plan.graph
        nodes = {node.declaration.name: node for node in reversed(index.nodes)}
        readers: dict[str, list[tuple[str, Verb]]] = defaultdict(list)
        for node in nodes.values():
            for wanted, verb in _inputs(node):
                readers[wanted].append((node.declaration.name, verb))
        self._shown = {shown for sink in graph.sinks for shown in index.resources[sink].resource.names}
        self._goals = {name: self._goal(node) for name, node in nodes.items()}
        self._steps = {
            name: [_Step(*reader, result) for result in _results(node) for reader in readers[result]]
            for name, node in nodes.items()
        }
        self._distances = self._measured()

    def why(self, name: str, most: int = sys.maxsize) -> str:
        """The shortest path of uses from a node to a sink or to a node with side effects, in words: ``most`` steps."""
        if name not in self._distances:
            return "its results are needed"
        words: list[str] = []
        left = self._distances[name]
        while left and len(words) < most:
            left -= 1
            step = next(step for step in self._steps[name] if self._distances.get(step.reader) == left)
            name = step.reader
            words.append(f"`{name}` {DOING[step.verb]} `{step.result}`")
        return ", ".join([*words, f"and {left} more" if left else self._goals[name]])

    def _measured(self) -> Mapping[str, int]:
        """The steps from each node to the nearest goal."""
        makers = defaultdict(list)
        for name, steps in self._steps.items():
            for step in steps:
                makers[step.reader].append(name)
        found = {name: 0 for name, goal in self._goals.items() if goal}
        queue = list(found)
        for name in queue:
            for maker in makers[name]:
                if maker not in found:
                    found[maker] = found[name] + 1
                    queue.append(maker)
        return found

    def _goal(self, node: NodeInstance) -> str:
        if node.declaration.side_effects:
            return f"`{node.declaration.name}` has side effects"
        sink = next((result for result in _results(node) if result in self._shown), "")
        return f"the frame is made for `{sink}`" if sink else ""


def why_needed(index: PlanIndex, name: str) -> str:
    """The reason of one node; see ``Needs``."""
    return Needs(index).why(name)


def _inputs(node: NodeInstance) -> Iterator[tuple[str, Verb]]:
    for use in node.uses:
        if use.present and use.request.verb not in (Verb.CREATE, Verb.EXTERNAL):
            yield use.name, use.request.verb


def _results(node: NodeInstance) -> Iterator[str]:
    for use in node.uses:
        if use.present and use.request.verb in (Verb.CREATE, Verb.EXTERNAL, Verb.MODIFY, Verb.RENAME):
            yield use.to or use.name
