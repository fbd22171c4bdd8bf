"""Random frames, some of whose nodes do not run in every frame."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass, replace

from ordered_frames import Compiled, compile_frame, without_nodes
from random_frames import random_frame

from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.graph.requests import Rate
from renderwright.render.types.usages import READ_ONLY_USAGES, Usage


@dataclass(frozen=True)
class RatedFrame:
    """A compiled frame and its rated nodes, in groups that run together."""

    whole: Compiled
    groups: tuple[frozenset[str], ...]

    def sequence(self, rng: random.Random, length: int, *, carried: bool) -> list[Compiled]:
        """Frames in each of which any groups run; all in the first one unless results are ``carried`` over to it."""
        frames = []
        for number in range(length):
            running = [group for group in self.groups if rng.random() < 0.4]
            if number == 0 and not carried:
                running = list(self.groups)
            resting = frozenset().union(*(group for group in self.groups if group not in running))
            frames.append(without_nodes(self.whole, resting) if resting else self.whole)
        return frames


def random_rated_frame(
    seed: int, *, alias: bool = True, unified: bool = False, keep: bool = False
) -> RatedFrame | None:
    """A random frame with rates, or None when no node of the seed's frame may have one."""
    rng = random.Random(seed)
    graph = random_frame(seed).graph()
    groups = [group for group in _groups(graph) if rng.random() < 0.6]
    if not groups:
        return None
    whole = compile_frame(rated(graph, frozenset().union(*groups)), alias=alias, unified=unified, keep=keep)
    return RatedFrame(whole, tuple(groups))


def rated(graph: InstanceGraph, names: Set[str]) -> InstanceGraph:
    """The graph with a rate for these nodes."""
    nodes = tuple(
        replace(node, declaration=replace(node.declaration, rate=Rate(every=3))) if node.id in names else node
        for node in graph.nodes
    )
    return replace(graph, nodes=nodes)


def _groups(graph: InstanceGraph) -> list[frozenset[str]]:
    """Nodes that write to common resources, unless these are external or have histories, or a node presents."""
    histories = {name for node in graph.nodes for use in node.uses if use.reads_history for name in use.resources}
    barred = histories | {item.id for item in graph.resources if item.resource.external}
    showing = {node.id for node in graph.nodes if any(use.usage is Usage.PRESENT for use in node.uses)}
    written: dict[str, set[str]] = defaultdict(set)
    for node in graph.nodes:
        for use in node.uses:
            if use.usage not in READ_ONLY_USAGES:
                written[node.id].update(use.resources)
    groups: list[tuple[set[str], set[str]]] = []
    for node in graph.nodes:
        nodes, names = {node.id}, set(written[node.id])
        for group in [group for group in groups if group[1] & names]:
            groups.remove(group)
            nodes |= group[0]
            names |= group[1]
        groups.append((nodes, names))
    return [frozenset(nodes) for nodes, names in groups if not (names & barred or nodes & showing)]
