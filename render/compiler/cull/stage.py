"""cull: removes broken nodes and nodes whose results reach no sink and no side effect, each with its reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from renderwright.render.compiler.cull.broken import Needs, find_broken
from renderwright.render.compiler.cull.reachability import CREATIONS, flow_of, reachable
from renderwright.render.compiler.cull.removals import broken_removals, dangling_removals, lost_sinks
from renderwright.render.compiler.diagnostics.removal_reasons import is_required
from renderwright.render.compiler.instances.connect import connect
from renderwright.render.compiler.instances.dependencies import explicit_pairs
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.graph.requests import NodeDeclaration, Verb


def cull(graph: InstanceGraph) -> InstanceGraph:
    """The graph without broken and dangling nodes and the resources that they create; the same graph if all are needed.

    An optional use of a resource that no remaining node makes becomes absent. Two nodes that are ordered by
    before/after through a removed node stay ordered.
    """
    # All instances of a node use the same names, so the rules are applied to one instance of each.
    nodes: dict[str, NodeInstance] = {}
    for node in graph.nodes:
        nodes.setdefault(node.declaration.name, node)
    missing = find_broken({name: _needs(node) for name, node in nodes.items()}, consequences=graph.consequences)
    flows = {name: flow_of(_without(node, missing.dead)) for name, node in nodes.items() if name not in missing.broken}
    side_effects = [name for name in flows if nodes[name].declaration.side_effects]
    needed = reachable(flows, side_effects, _sink_names(graph))
    if len(needed) == len(nodes):
        return graph
    explicit = remaining_pairs([node.declaration for node in nodes.values()], needed)
    removed = [
        *broken_removals(nodes, missing.broken, graph.lost_names, {*graph.aliases, *graph.consequences}),
        *dangling_removals(flows, needed),
    ]
    left = _restricted(graph, needed, missing.dead, explicit)
    return replace(
        left,
        removed=graph.removed + tuple(sorted(removed, key=lambda removal: removal.node)),
        problems=graph.problems + tuple(lost_sinks(graph, {item.id for item in left.resources})),
    )


def _sink_names(graph: InstanceGraph) -> set[str]:
    sinks = set(graph.sinks)
    return {name for item in graph.resources if item.id in sinks for name in item.resource.names}


def _restricted(
    graph: InstanceGraph, needed: Collection[str], dead: Collection[str], explicit: Iterable[tuple[str, str]]
) -> InstanceGraph:
    """The graph of the ``needed`` nodes (by name), whose uses of ``dead`` names are absent, and their resources.

    ``explicit`` are the (before, after) pairs of these nodes.
    """
    nodes = tuple([_without(node, dead) for node in graph.nodes if node.declaration.name in needed])
    ids = {node.id for node in nodes}
    resources = tuple([item for item in graph.resources if item.creator in ids])
    kept = {item.id for item in resources}
    groups, rows = connect(nodes, resources, explicit, graph.modifiers)
    sinks = tuple([sink for sink in graph.sinks if sink in kept])
    return replace(graph, nodes=nodes, resources=resources, groups=groups, rows=rows, sinks=sinks)


def remaining_pairs(nodes: Sequence[NodeDeclaration], kept: Collection[str]) -> list[tuple[str, str]]:
    """(before, after) pairs of kept nodes: as declared, or linked by declared pairs through removed nodes."""
    afters: dict[str, list[str]] = defaultdict(list)
    for before, after in sorted(explicit_pairs(nodes, [node.name for node in nodes])):
        afters[before].append(after)
    pairs = []
    for name in sorted(afters.keys() & kept):
        work, seen = list(afters[name]), set(afters[name])
        while work:
            other = work.pop()
            if other in kept:
                pairs.append((name, other))
                continue
            behind = [after for after in afters.get(other, ()) if after not in seen]
            seen.update(behind)
            work += behind
    return pairs


def _needs(node: NodeInstance) -> Needs:
    return Needs(
        required=tuple([use.name for use in node.uses if is_required(use.request)]),
        creates=tuple([use.name for use in node.uses if use.request.verb in CREATIONS]),
        renames=tuple([(use.name, use.to) for use in node.uses if use.request.verb is Verb.RENAME]),
    )


def _without(node: NodeInstance, dead: Collection[str]) -> NodeInstance:
    """The node with its uses of dead names absent."""
    if not any(use.present and use.name in dead for use in node.uses):
        return node
    return replace(node, uses=tuple([use._replace(resources=()) if use.name in dead else use for use in node.uses]))
