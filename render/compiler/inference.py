"""The modes of nodes that declare none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from render.compiler.stages import BoundNode
from render.graph.requests import Verb


def infer_modes(nodes: Iterable[BoundNode], creators: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    """The mode of every node: the declared one, else the dimensions of all that it uses other than by gather.

    ``creators`` gives the node that creates each root; a resource has its creator's mode. Where nodes wait for one
    another in a circle, modes are the smallest ones that fit.
    """
    modes: dict[str, frozenset[str]] = {}
    followers: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        name, declared = node.declaration.name, node.declaration.multiplex
        modes[name] = declared or frozenset()
        if declared is None:
            used = (bound.root for bound in node.requests if bound.root and bound.request.verb is not Verb.GATHER)
            for creator in {creators[root] for root in used} - {name}:
                followers[creator].append(name)
    work = [name for name, mode in modes.items() if mode]
    while work:
        name = work.pop()
        for follower in followers[name]:
            mode = modes[follower] | modes[name]
            if mode != modes[follower]:
                modes[follower] = mode
                work.append(follower)
    return modes
