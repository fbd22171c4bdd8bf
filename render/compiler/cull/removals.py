"""The report of a cull: why each node was removed, and which sinks are lost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from renderwright.render.compiler.cull.reachability import CREATIONS, Flow
from renderwright.render.compiler.diagnostics.faults import error
from renderwright.render.compiler.diagnostics.findings import Problem, Removal
from renderwright.render.compiler.diagnostics.removal_reasons import broken, dangling, is_required
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance

_NEAR_MISSES = 20
"""How many missing names get a search for similar names, which is slow."""


def broken_removals(
    nodes: Mapping[str, NodeInstance],
    missing: Mapping[str, str],
    lost_names: Iterable[tuple[str, str]],
    aliases: Collection[str] = (),
) -> Iterator[Removal]:
    """The removals of broken nodes, each given with the name that it misses.

    ``lost_names`` are (name, node) pairs: the names that nodes which were removed before would have made.
    ``aliases`` are further names that a node can mean.
    """
    makers = _makers(nodes)
    known = tuple(sorted({*makers, *aliases}))
    for name, node in lost_names:
        makers[name].append(node)
    unknown = [name for _, name in sorted(missing.items()) if name not in makers]
    searched = list(dict.fromkeys(unknown))[:_NEAR_MISSES]
    aliases_of = _aliases(nodes.values()) if searched else {}
    for node, name in sorted(missing.items()):
        request = next(use.request for use in nodes[node].uses if use.name == name and is_required(use.request))
        meant = tuple([word for word in known if word not in aliases_of[name]]) if name in searched else ()
        yield broken(node, request, name, sorted(makers.get(name, ())), meant)


def _makers(nodes: Mapping[str, NodeInstance]) -> dict[str, list[str]]:
    """The nodes that create each name, or rename a resource to it."""
    makers: dict[str, list[str]] = defaultdict(list)
    for node, instance in nodes.items():
        for use in instance.uses:
            if use.to or use.request.verb in CREATIONS:
                makers[use.to or use.name].append(node)
    return makers


def _aliases(nodes: Iterable[NodeInstance]) -> Mapping[str, set[str]]:
    """The names by which nodes request each name. Those of a missing name are missing as well."""
    aliases: dict[str, set[str]] = defaultdict(set)
    for instance in nodes:
        for use in instance.uses:
            aliases[use.name].add(use.request.name)
    return aliases


def dangling_removals(flows: Mapping[str, Flow], needed: Collection[str]) -> Iterator[Removal]:
    """The removals of all nodes that are not needed."""
    readers: dict[str, list[str]] = defaultdict(list)
    for node, flow in flows.items():
        for name in flow.reads:
            readers[name].append(node)
    for node, flow in flows.items():
        if node not in needed:
            others = {reader for name in flow.writes for reader in readers[name]} - {node}
            yield dangling(node, flow.writes, sorted(others))


def lost_sinks(graph: InstanceGraph, kept: Collection[str]) -> Iterator[Problem]:
    """A problem for each sink whose resource instances (by id) were not kept."""
    sinks = set(graph.sinks)
    lost = {item.resource.root: item for item in graph.resources if item.id in sinks and item.id not in kept}
    for root, instance in sorted(lost.items()):
        creator = instance.resource.creator
        message = f"the frame is made for `{root}`, but `{creator}`, which creates it, was removed"
        yield error("no-sink", message, f"see why `{creator}` was removed", [instance.resource.source])
