"""Random graphs of which many nodes can be drawn for several views at once, and what their plans must be like."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from feature_checks import compiled
from feature_graphs import feature_graph

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.views import Views
from renderwright.render.graph.requests import EVERY_FRAME
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.types.resources import Blob
from renderwright.render.types.usages import ATTACHMENTS, Usage

Touch = tuple[str, Usage | None, bool]
"""What a node of one view uses, by its id where each view is drawn by itself; how, and whether last frame's."""


def view_graph(seed: int, count: int) -> GraphSnapshot:
    """A random graph with all features, of ``count`` nodes, in two or three views that most nodes are repeated over."""
    rng = random.Random(f"views {seed} {count}")
    snapshot = feature_graph(seed, count)
    steady = rng.random() < 0.8  # nodes with rates, and what they share textures with, are drawn for single views
    nodes = []
    for node in snapshot.nodes:
        if steady and node.rate != EVERY_FRAME:
            node = replace(node, rate=EVERY_FRAME)
        mode = node.multiplex if node.multiplex is None or rng.random() < 0.1 else node.multiplex | {"eye"}
        willing = rng.choice(["eye", "eye", "eye", "view"]) if rng.random() < 0.8 else ""
        executes = node.executes and rng.random() < 0.9
        sink = node.side_effects or rng.random() < 0.3
        nodes.append(replace(node, multiplex=mode, multiview=willing, executes=executes, side_effects=sink))
    counts = (("view", rng.randint(1, 2)), ("eye", rng.choice([2, 2, 3])))
    return replace(snapshot, nodes=tuple(nodes), counts=counts, sinks=snapshot.sinks[:1])


def views_of(node: NodeInstance) -> int:
    """For how many views at once the node is drawn."""
    return node.views.count if node.views is not None else 1


def wrong_views(snapshot: GraphSnapshot, options: CompileOptions) -> Iterator[str]:
    """Where a plan with several views at once does other work than the plan of single views."""
    many, single = compiled(snapshot, options), compiled(snapshot, replace(options, views=1))
    if many.removed != single.removed:
        yield "other nodes are removed"
        return
    found, wanted = dict(_work(many)), dict(_work(single))
    for node in sorted(found.keys() ^ wanted.keys()):
        yield f"{node} is in one of the plans only"
    for node in sorted(found.keys() & wanted.keys()):
        if found[node] != wanted[node]:
            yield f"{node} does {sorted(found[node] - wanted[node])}, not {sorted(wanted[node] - found[node])}"
    for edge in single.graph.edges:
        if not _ordered(many, edge.before, edge.after):
            yield f"{edge.before} no longer comes before {edge.after}"
    yield from _shared_passes(many)


def _work(plan: Plan) -> Iterator[tuple[str, frozenset[Touch]]]:
    """What each node of one view touches."""
    blobs = {item.id for item in plan.graph.resources if isinstance(item.resource.desc, Blob)}
    for node in plan.graph.nodes:
        for view in range(views_of(node)):
            touches = set()
            for use in node.uses:
                layer = use.request.part.layers
                names = [_of_view(name, view) if node.views and layer is None else name for name in use.resources]
                if node.views and use.resources and _are_of_views(use.resources, node.views, blobs):
                    names = [names[view]]  # a value of each view
                for name in names:
                    if "*" in name:
                        assert layer is None or layer[1] == 1
                        number = layer[0] if layer is not None else 0  # a rename touches nothing
                        name = name.replace("*", str(number)) if use.usage is not None else _unnumbered(name)
                    elif use.usage is None and name not in blobs:
                        name = _unnumbered(name)
                    touches.add((name, use.usage, use.reads_history))
            yield _of_view(node.id, view), frozenset(touches)


def _are_of_views(names: Sequence[str], views: Views, blobs: Set[str]) -> bool:
    """Whether the names are values of one view each, in order; others may be as many."""
    ends = [f"{views.dimension}={number}" for number in range(views.count)]
    return names[0] in blobs and len(names) == len(ends) and all(map(str.__contains__, names, ends))


def _of_view(name: str, view: int) -> str:
    return name.replace("*", str(view))


def _unnumbered(name: str) -> str:
    return name.partition("@")[0]


def _ordered(plan: Plan, before: str, after: str) -> bool:
    places = {
        _of_view(node.id, view): number
        for number, node in enumerate(plan.graph.nodes)
        for view in range(views_of(node))
    }
    return places[before] <= places[after]  # instances of one node may have become one


def _shared_passes(plan: Plan) -> Iterator[str]:
    """Where nodes of several views share a pass with others, or render to a texture without a layer for each."""
    layers = {
        item.id: item.resource.desc.layers for item in plan.graph.resources if item.resource.desc.kind == "texture"
    }
    for item in plan.pass_plan.passes:
        for node in plan.graph.nodes[item.first : item.last + 1]:
            if node.records and views_of(node) != item.views:
                yield f"{node.id} of {views_of(node)} views is in a pass of {item.views}"
            for use in node.uses if node.views else ():
                if use.resources and use.usage in ATTACHMENTS and layers[use.resources[0]] != item.views:
                    yield f"{node.id} renders to {use.resources[0]}, which has {layers[use.resources[0]]} layers"
