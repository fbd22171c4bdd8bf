"""Stage 4: remove broken nodes and those whose results nobody needs, each with its reason.

All instances of a node have the same fate (what holds for one holds for the others with the numbers of the dimensions
exchanged), so the rules are applied to nodes and names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from renderwright.render.compiler.cull.broken import Needs, shortage
from renderwright.render.compiler.cull.reachability import CREATIONS, Flow, flow_of, numbers_needed
from renderwright.render.compiler.diagnostics.faults import error
from renderwright.render.compiler.diagnostics.findings import Problem, Removal
from renderwright.render.compiler.diagnostics.removal_reasons import broken, dangling, is_required
from renderwright.render.compiler.instances.connect import connect, crowds_of, user_of
from renderwright.render.compiler.instances.edges import explicit_pairs, kind_of
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.graph.requests import Verb
from renderwright.render.incremental.memo import Parts

_NEAR_MISSES = 20
"""How many missing names get a search for near ones, which is slow."""


def cull(graph: InstanceGraph, parts: Parts | None = None) -> InstanceGraph:
    """The graph without broken and dangling nodes, and without the resources that they created.

    An optional use of something that is gone becomes absent. Two nodes that were ordered by before/after through a
    removed one stay ordered.
    """
    if graph.needed:
        return graph
    parts = parts or Parts()
    # The first instance of each node.
    first: dict[str, NodeInstance] = {}
    for node in graph.nodes:
        first.setdefault(node.declaration.name, node)
    asks = dict(zip(first, parts.of(_asks).all(list(first), first.values()), strict=True))
    lack = shortage({name: asked.needs for name, asked in asks.items()})
    absent = parts.of(_without)

    def present(node: NodeInstance) -> NodeInstance:
        gone = lack.dead and frozenset([use.name for use in node.uses if use.resources and use.name in lack.dead])
        return absent(node.id, node, gone) if gone else node

    flows = {name: asked.flow for name, asked in asks.items() if name not in lack.broken}
    if lack.dead:
        flows |= {name: _flow(there) for name in flows if (there := present(first[name])) is not first[name]}
    left = list(flows)
    shown = {name for r in graph.resources if r.id in graph.sinks for name in r.resource.names}
    acting = [number for number, name in enumerate(left) if first[name].declaration.side_effects]
    needed = {left[number] for number in numbers_needed(list(flows.values()), acting, shown)}
    if len(needed) == len(first):
        return graph
    removed = list(_broken_removals(first, lack.broken, graph.lost)) if lack.broken else []
    removed += _dangling(flows, needed)
    instances: dict[str, list[NodeInstance]] = {}
    for node in graph.nodes:
        if node.declaration.name in needed:
            instances.setdefault(node.declaration.name, []).append(present(node))
    alive = {name: tuple(those) for name, those in instances.items()}
    alive_ids = {node.id for those in alive.values() for node in those}
    resources = [resource for resource in graph.resources if resource.creator in alive_ids]
    roots = {resource.id: resource.resource.root for resource in resources}
    users = parts.of(user_of).all(list(alive), alive, alive.values())
    groups, rows = connect(crowds_of(users, parts), roots, _bridged(first, needed), graph.modifiers, parts)
    return replace(
        graph,
        nodes=tuple(chain.from_iterable(alive.values())),
        resources=tuple(resources),
        groups=groups,
        rows=rows,
        sinks=tuple(sink for sink in graph.sinks if sink in roots),
        removed=graph.removed + tuple(sorted(removed, key=lambda removal: removal.node)),
        problems=graph.problems + tuple(_lost_sinks(graph, roots)),
    )


def _needs(node: NodeInstance) -> Needs:
    return Needs(
        tuple(use.name for use in node.uses if is_required(use.request)),
        tuple(use.name for use in node.uses if use.request.verb in CREATIONS),
        tuple((use.name, use.to) for use in node.uses if use.request.verb is Verb.RENAME),
    )


class _Asks(NamedTuple):
    """What a node needs, and what it does."""

    needs: Needs
    flow: Flow


def _asks(node: NodeInstance) -> _Asks:
    return _Asks(_needs(node), _flow(node))


def _without(node: NodeInstance, dead: Collection[str]) -> NodeInstance:
    """The node with its uses of dead names absent."""
    return replace(node, uses=tuple([use._replace(resources=()) if use.name in dead else use for use in node.uses]))


def _flow(node: NodeInstance) -> Flow:
    uses = [use for use in node.uses if use.resources]
    kinds = [kind_of(use.request) for use in uses]
    return flow_of(kinds, [use.name for use in uses], [use.to for use in uses])


def _dangling(flows: Mapping[str, Flow], needed: Collection[str]) -> Iterable[Removal]:
    readers: dict[str, list[str]] = defaultdict(list)
    for name, flow in flows.items():
        for read in flow.reads:
            readers[read].append(name)
    for name, flow in flows.items():
        if name not in needed:
            results = flow.writes
            yield dangling(name, results, sorted({reader for result in results for reader in readers[result]} - {name}))


def _broken_removals(
    first: Mapping[str, NodeInstance], missing: Mapping[str, str], lost: Iterable[tuple[str, str]]
) -> Iterable[Removal]:
    makers: dict[str, list[str]] = defaultdict(list)
    for name, instance in first.items():
        for result in (use.to or use.name for use in instance.uses if use.to or use.request.verb in CREATIONS):
            makers[result].append(name)
    known = sorted(makers)
    for result, name in lost:
        makers[result].append(name)
    searched: set[str] = set()
    for node, name in sorted(missing.items()):
        request = next(use.request for use in first[node].uses if use.name == name and is_required(use.request))
        if name not in makers and len(searched) < _NEAR_MISSES:
            searched.add(name)
        yield broken(node, request, sorted(makers.get(name, ())), known if name in searched else ())


def _bridged(first: Mapping[str, NodeInstance], needed: Collection[str]) -> list[tuple[str, str]]:
    """Declared (before, after) pairs of nodes that stay, directly or through nodes that leave."""
    after: dict[str, list[str]] = defaultdict(list)
    for before, then in sorted(explicit_pairs([node.declaration for node in first.values()], first)):
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
