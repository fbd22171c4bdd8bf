"""The modes of nodes that declare none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from render.compiler.stages import BoundNode
from render.graph.requests import Verb


def infer_modes(nodes: Sequence[BoundNode], creators: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    """The mode of every node: the declared one, else the dimensions of all that it uses other than by gather.

    ``creators`` gives the node that creates each root; a resource has its creator's mode. Where nodes wait for one
    another in a circle, modes are the smallest ones that fit.
    """
    declared = {node.declaration.name: node.declaration.multiplex for node in nodes}
    modes = {name: mode or frozenset() for name, mode in declared.items()}
    followers: dict[str, list[str]] = {}
    for node in [node for node in nodes if node.declaration.multiplex is None]:
        name = node.declaration.name
        used = (bound.root for bound in node.requests if bound.root and bound.request.verb is not Verb.GATHER)
        for creator in {creators[root] for root in used} - {name}:
            followers.setdefault(creator, []).append(name)
    work = [name for name in followers if modes[name]]
    while work:
        name = work.pop()
        for follower in followers.get(name, ()):
            mode = modes[follower] | modes[name]
            if mode != modes[follower]:
                modes[follower] = mode
                work.append(follower)
    return modes
