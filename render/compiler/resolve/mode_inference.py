"""The modes of nodes that declare none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from renderwright.render.compiler.values.resolved import BoundNode
from renderwright.render.graph.requests import NodeDeclaration, Verb


def infer_modes(nodes: Sequence[BoundNode], creators: Mapping[str, NodeDeclaration]) -> Mapping[str, frozenset[str]]:
    """The modes of the nodes that declare none: the dimensions of all that they use other than by gather.

    ``creators`` gives the node that creates each root; a resource has its creator's mode. Where nodes wait for one
    another in a circle, modes are the smallest ones that fit.
    """
    modes: dict[str, frozenset[str]] = {}
    followers: dict[str, list[str]] = {}
    for node in [node for node in nodes if node.declaration.multiplex is None]:
        name = node.declaration.name
        used = {bound.root for bound in node.requests if bound.root and bound.request.verb is not Verb.GATHER}
        makers = [creators[root] for root in used]
        modes[name] = frozenset().union(*[maker.multiplex or () for maker in makers])
        for maker in makers:
            if maker.multiplex is None and maker.name != name:
                followers.setdefault(maker.name, []).append(name)
    work = [name for name in followers if modes[name]]
    while work:
        name = work.pop()
        for follower in followers.get(name, ()):
            mode = modes[follower] | modes[name]
            if mode != modes[follower]:
                modes[follower] = mode
                work.append(follower)
    return modes
