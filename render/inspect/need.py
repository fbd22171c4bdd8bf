"""The reason why a node is in the frame."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.graph.requests import Verb
from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.inspect.words import DOING


def why_needed(index: PlanIndex, name: str) -> str:
    """The shortest path of uses from a node to a sink or to a node with side effects, in words."""
    graph = index.plan.graph
    nodes = {node.declaration.name: node for node in reversed(index.nodes)}
    readers: dict[str, list[tuple[str, Verb]]] = defaultdict(list)
    for node in nodes.values():
        for wanted, verb in _inputs(node):
            readers[wanted].append((node.declaration.name, verb))
    shown = {shown for sink in graph.sinks for shown in index.resources[sink].resource.names}
    steps: dict[str, tuple[str, str]] = {name: ("", "")}
    queue = [name]
    for current in queue:
        goal = _goal(nodes[current], shown)
        if goal:
            return ", ".join([*_path(steps, current), goal])
        for result in _results(nodes[current]):
            for reader, verb in readers[result]:
                if reader not in steps:
                    steps[reader] = current, f"`{reader}` {DOING[verb]} `{result}`"
                    queue.append(reader)
    return "its results are needed"


def _goal(node: NodeInstance, shown: Collection[str]) -> str:
    if node.declaration.side_effects:
        return f"`{node.declaration.name}` has side effects"
    sink = next((result for result in _results(node) if result in shown), "")
    return f"the frame is made for `{sink}`" if sink else ""


def _inputs(node: NodeInstance) -> Iterator[tuple[str, Verb]]:
    for use in node.uses:
        if use.present and use.request.verb not in (Verb.CREATE, Verb.EXTERNAL):
            yield use.name, use.request.verb


def _results(node: NodeInstance) -> Iterator[str]:
    for use in node.uses:
        if use.present and use.request.verb in (Verb.CREATE, Verb.EXTERNAL, Verb.MODIFY, Verb.RENAME):
            yield use.to or use.name


def _path(steps: dict[str, tuple[str, str]], end: str) -> list[str]:
    words = []
    while steps[end][0]:
        end, word = steps[end]
        words.append(word)
    return words[::-1]
