"""Stage 4: remove broken nodes and those whose results nobody needs, each with its reason.

All instances of a node have the same fate (what holds for one holds for the others with the numbers of the dimensions
exchanged), so the rules are applied to nodes and names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from render.compiler.connect import connect
from render.compiler.edges import explicit_pairs
from render.compiler.faults import error
from render.compiler.findings import Problem, Removal
from render.compiler.precedence import precedences, topological_groups
from render.compiler.reasons import broken, dangling, is_required
from render.compiler.stages import InstanceGraph, NodeInstance, Use
from render.compiler.supply import Needs, shortage
from render.graph.requests import Verb

_CREATIONS = (Verb.CREATE, Verb.EXTERNAL)
_NEAR_MISSES = 20
"""How many missing names get a search for near ones, which is slow."""


def cull(graph: InstanceGraph) -> InstanceGraph:
    """The graph without broken and dangling nodes, and without the resources that they created.

    An optional use of something that is gone becomes absent. Two nodes that were ordered by before/after through a
    removed one stay ordered.
    """
    first: dict[str, NodeInstance] = {}
    for node in graph.nodes:
        first.setdefault(node.declaration.name, node)
    lack = shortage(_needs(node) for node in first.values())
    sound = [_without(node, lack.dead) for name, node in first.items() if name not in lack.broken]
    users = _Users(sound)
    needed = _needed(sound, users, graph)
    removed = list(_broken_removals(first, lack.broken)) if lack.broken else []
    for node in sound:
        name = node.declaration.name
        if name not in needed:
            results = _results(node)
            readers = {reader for result in results for reader in users.readers[result]} - {name}
            removed.append(dangling(name, results, sorted(readers)))
    if not removed:
        return graph
    nodes = [_without(node, lack.dead) for node in graph.nodes if node.declaration.name in needed]
    alive = {node.id for node in nodes}
    resources = [resource for resource in graph.resources if resource.creator in alive]
    kept = {resource.id for resource in resources}
    return replace(
        graph,
        nodes=tuple(nodes),
        resources=tuple(resources),
        precedences=connect(nodes, resources, _bridged(first, needed), _ranks(graph, first)),
        sinks=tuple(sink for sink in graph.sinks if sink in kept),
        removed=graph.removed + tuple(sorted(removed, key=lambda removal: removal.node)),
        problems=graph.problems + tuple(_lost_sinks(graph, kept)),
    )


def _needs(node: NodeInstance) -> Needs:
    return Needs(
        node.declaration.name,
        tuple(use.name for use in node.uses if is_required(use.request)),
        tuple(use.name for use in node.uses if use.request.verb in _CREATIONS),
        tuple((use.name, use.to) for use in node.uses if use.request.verb is Verb.RENAME),
    )


def _without(node: NodeInstance, dead: Collection[str]) -> NodeInstance:
    """The node with its uses of dead names absent."""
    if not any(use.resources and use.name in dead for use in node.uses):
        return node
    return replace(node, uses=tuple(replace(u, resources=()) if u.name in dead else u for u in node.uses))


def _results(node: NodeInstance) -> list[str]:
    """The names that a node creates, modifies or renames to."""
    names = []
    for use in node.uses:
        if use.present and use.request.verb in (*_CREATIONS, Verb.MODIFY, Verb.RENAME):
            names.append(use.to or use.name)
    return list(dict.fromkeys(names))


class _Users:
    """Who writes (creates, renames to, or modifies) and who reads (or renames away) each name."""

    def __init__(self, nodes: Iterable[NodeInstance]) -> None:
        self.writers: dict[str, list[str]] = defaultdict(list)
        self.readers: dict[str, list[str]] = defaultdict(list)
        for node in nodes:
            name = node.declaration.name
            for use in node.uses:
                if not use.present:
                    continue
                match use.request.verb:
                    case Verb.CREATE | Verb.EXTERNAL:
                        self.writers[use.name].append(name)
                    case Verb.MODIFY:
                        self.writers[use.name].append(name)
                        self.readers[use.name].append(name)
                    case Verb.RENAME:
                        self.readers[use.name].append(name)
                        self.writers[use.to].append(name)
                    case Verb.READ | Verb.HISTORY | Verb.GATHER:
                        self.readers[use.name].append(name)


def _needed(nodes: Iterable[NodeInstance], users: _Users, graph: InstanceGraph) -> set[str]:
    """Nodes with side effects, whoever writes a sink under any of its names, and all that these depend on.

    A node depends on all writers of each name that it reads, modifies, renames, or reads the history of.
    """
    by_name = {node.declaration.name: node for node in nodes}
    sinks = set(graph.sinks)
    shown = {name for r in graph.resources if r.id in sinks for name in r.resource.names}
    work = [name for name, node in by_name.items() if node.declaration.side_effects]
    work += [writer for name in sorted(shown) for writer in users.writers[name]]
    needed: set[str] = set()
    asked: set[str] = set()
    while work:
        name = work.pop()
        if name in needed:
            continue
        needed.add(name)
        for use in by_name[name].uses:
            if _depends(use) and use.name not in asked:
                asked.add(use.name)
                work += users.writers[use.name]
    return needed


def _depends(use: Use) -> bool:
    return use.present and use.request.verb not in _CREATIONS


def _broken_removals(first: Mapping[str, NodeInstance], missing: Mapping[str, str]) -> Iterable[Removal]:
    makers: dict[str, list[str]] = defaultdict(list)
    for name, instance in first.items():
        for result in (use.to or use.name for use in instance.uses if use.to or use.request.verb in _CREATIONS):
            makers[result].append(name)
    known = sorted(makers)
    searched: set[str] = set()
    for node, name in sorted(missing.items()):
        request = next(use.request for use in first[node].uses if use.name == name and is_required(use.request))
        if name not in makers and len(searched) < _NEAR_MISSES:
            searched.add(name)
        yield broken(node, request, sorted(makers.get(name, ())), known if name in searched else ())


def _ranks(graph: InstanceGraph, names: Iterable[str]) -> dict[str, int]:
    """Positions of the nodes in one legal order."""
    owner = {node.id: node.declaration.name for node in graph.nodes}
    groups = {
        narrowed
        for group in graph.precedences
        for narrowed in precedences(_owners(group.befores, owner), _owners(group.afters, owner), group.reason)
    }
    order = topological_groups(sorted(names), groups)
    return {name: number for number, name in enumerate(order)}


def _owners(instances: Iterable[str], owner: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(owner[instance] for instance in instances))


def _bridged(first: Mapping[str, NodeInstance], needed: Collection[str]) -> list[tuple[str, str]]:
    """Declared (before, after) pairs of nodes that stay, directly or through nodes that leave."""
    after: dict[str, list[str]] = defaultdict(list)
    for before, then in sorted(explicit_pairs({name: node.declaration for name, node in first.items()})):
        after[before].append(then)
    pairs = []
    for name in sorted(after.keys() & needed):
        work, seen = list(after[name]), set(after[name])
        while work:
            other = work.pop()
            if other in needed:
                pairs.append((name, other))
                continue
            new = [further for further in after.get(other, ()) if further not in seen]
            seen.update(new)
            work += new
    return pairs


def _lost_sinks(graph: InstanceGraph, kept: Collection[str]) -> Iterable[Problem]:
    sinks = set(graph.sinks)
    lost = {r.resource.root: r for r in graph.resources if r.id in sinks and r.id not in kept}
    for root, instance in sorted(lost.items()):
        creator = instance.resource.creator
        message = f"the frame is made for `{root}`, but `{creator}`, which creates it, was removed"
        yield error("no-sink", message, f"see why `{creator}` was removed", [instance.resource.source])
