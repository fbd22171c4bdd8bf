"""multiview: decides which nodes are drawn for several views at once.

A node declares by ``NodeDeclaration.multiview`` the dimension over which it can be drawn at once. Its instances become
one instance that renders to textures with a layer for each view, unless a rule forbids it (``view_rules``). The stage
comes after ``cull``, so only nodes of the frame count. ``layered`` carries the decision out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from renderwright.render.compiler.instances.layered import Layered, layered
from renderwright.render.compiler.instances.view_rules import ViewRules
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.views import Apart, Views


def multiview(graph: InstanceGraph, dimensions: Sequence[str], most: int) -> InstanceGraph:
    """The graph in which one instance draws at most ``most`` views at once; the same graph if no node declares it.

    All textures that such a node renders to or samples, and that repeat over its dimension, get layers; every other
    node then uses the layer of its own view. A texture gets layers over one dimension only: the first node in
    ``graph.nodes`` decides. Nodes that execute nothing are decided after the nodes that draw. ``dimensions`` are the
    graph's.
    """
    declaring: dict[str, list[NodeInstance]] = {}
    for node in graph.nodes:
        if node.declaration.multiview:
            declaring.setdefault(node.declaration.name, []).append(node)
    if not declaring:
        return graph
    rules = ViewRules(graph, dimensions, most)
    nodes: dict[str, Views] = {}
    textures: dict[str, Views] = {}
    apart: list[Apart] = []
    for name, instances in sorted(declaring.items(), key=lambda item: not item[1][0].declaration.executes):
        candidate = rules.candidate(instances)
        if candidate.views.count < 2:
            continue
        blocker = rules.blocker(candidate, textures)
        if blocker:
            apart.append(Apart(name, blocker.reason, blocker.message))
        else:
            nodes[name] = candidate.views
            textures |= dict.fromkeys(candidate.textures, candidate.views)
    if nodes:
        graph = layered(graph, Layered(nodes, textures))
    return replace(graph, apart=tuple(apart)) if apart else graph
