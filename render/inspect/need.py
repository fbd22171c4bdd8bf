"""The reason why a node is in the frame."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.graph.requests import Verb
from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.inspect.words import DOING


class _Step(NamedTuple):
    """From the node ``before`` to one that does something (``verb``) with its ``result``."""

    before: str
    verb: Verb
    result: str


class Needs:
    """The reasons of all nodes of a plan."""

    def __init__(self, index: PlanIndex) -> None:
        graph = index.plan.graph
        self._nodes = {node.declaration.name: node for node in reversed(index.nodes)}
        self._readers: dict[str, list[tuple[str, Verb]]] = defaultdict(list)
        for node in self._nodes.values():
            for wanted, verb in _inputs(node):
                self._readers[wanted].append((node.declaration.name, verb))
        self._shown = {shown for sink in graph.sinks for shown in index.resources[sink].resource.names}

    def why(self, name: str) -> str:
        """The shortest path of uses from a node to a sink or to a node with side effects, in words."""
        steps: dict[str, _Step | None] = {name: None}
        queue = [name]
        for current in queue:
            goal = self._goal(self._nodes[current])
            if goal:
                return ", ".join([*_path(steps, current), goal])
            for result in _results(self._nodes[current]):
                for reader, verb in self._readers[result]:
                    if reader not in steps:
                        steps[reader] = _Step(current, verb, result)
                        queue.append(reader)
        return "its results are needed"

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


def _path(steps: dict[str, _Step | None], end: str) -> list[str]:
    words = []
    while (step := steps[end]) is not None:
        words.append(f"`{end}` {DOING[step.verb]} `{step.result}`")
        end = step.before
    return words[::-1]
