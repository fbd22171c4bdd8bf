"""Stage 4: remove broken nodes and those whose results nobody needs, each with its reason.

All instances of a node have the same fate (what holds for one holds for the others with the numbers of the dimensions
exchanged), so the rules are applied to nodes and names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from render.compiler.alike import runs
from render.compiler.connect import connect, crowds_of, user_of
from render.compiler.edges import explicit_pairs
from render.compiler.faults import error
from render.compiler.findings import Problem, Removal
from render.compiler.memo import Parts
from render.compiler.reasons import broken, dangling, is_required
from render.compiler.stages import InstanceGraph, NodeInstance
from render.compiler.supply import NOTHING_MISSING, Needs, shortage
from render.graph.requests import Verb

_CREATIONS = (Verb.CREATE, Verb.EXTERNAL)
_WRITES = (*_CREATIONS, Verb.MODIFY, Verb.RENAME)
_NEAR_MISSES = 20
"""How many missing names get a search for near ones, which is slow."""


def cull(graph: InstanceGraph, parts: Parts | None = None) -> InstanceGraph:
    """The graph without broken and dangling nodes, and without the resources that they created.

    An optional use of something that is gone becomes absent. Two nodes that were ordered by before/after through a
    removed one stay ordered.
    """
    parts = parts or Parts()
    # The first instance of each node.
    firsts = [graph.nodes[number] for number in runs([node.declaration for node in graph.nodes])[0]]
    names = [node.declaration.name for node in firsts]
    asks = parts.of(_asks, shared=True).all(names, firsts)
    different = [asks[number] for number in runs(asks)[0]]
    complete = all(map(attrgetter("complete"), different))
    if complete and len(_needed([asked.flow for asked in different], graph)) == len(different):
        return graph
    first = dict(zip(names, firsts, strict=True))
    lack = NOTHING_MISSING if complete else shortage({n: a.needs for n, a in zip(names, asks, strict=True)})
    absent = parts.of(_without)

    def present(node: NodeInstance) -> NodeInstance:
        gone = lack.dead and frozenset([use.name for use in node.uses if use.resources and use.name in lack.dead])
        return absent(node.id, node, gone) if gone else node

    flows = {name: asked.flow for name, asked in zip(names, asks, strict=True) if name not in lack.broken}
    if lack.dead:
        flows |= {name: _flow(there) for name in flows if (there := present(first[name])) is not first[name]}
    left = list(flows)
    needed = {left[number] for number in _needed(list(flows.values()), graph)}
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
        tuple(use.name for use in node.uses if use.request.verb in _CREATIONS),
        tuple((use.name, use.to) for use in node.uses if use.request.verb is Verb.RENAME),
    )


class _Asks(NamedTuple):
    """What a node needs, and what it does; it is ``complete`` if it has all that it uses."""

    needs: Needs
    flow: _Flow
    complete: bool


def _asks(node: NodeInstance) -> _Asks:
    return _Asks(_needs(node), _flow(node), all(use.resources for use in node.uses))


def _without(node: NodeInstance, dead: Collection[str]) -> NodeInstance:
    """The node with its uses of dead names absent."""
    return replace(node, uses=tuple([use._replace(resources=()) if use.name in dead else use for use in node.uses]))


class _Flow(NamedTuple):
    """The names that a node writes (creates, renames to, or modifies), and those that it depends on (reads, modifies,
    renames away, or reads the history of); whether it has side effects."""

    writes: tuple[str, ...]
    reads: tuple[str, ...]
    side_effects: bool


def _flow(node: NodeInstance) -> _Flow:
    uses = [use for use in node.uses if use.resources]
    writes = [use.to or use.name for use in uses if use.request.verb in _WRITES]
    reads = [use.name for use in uses if use.request.verb not in _CREATIONS]
    return _Flow(tuple(dict.fromkeys(writes)), tuple(dict.fromkeys(reads)), node.declaration.side_effects)


def _needed(flows: Sequence[_Flow], graph: InstanceGraph) -> set[int]:
    """The numbers of nodes with side effects, of whoever writes a sink under any of its names, and of all that these
    depend on.

    A node depends on all writers of each name that it depends on.
    """
    writers: dict[str, list[int]] = defaultdict(list)
    for number, flow in enumerate(flows):
        for written in flow.writes:
            writers[written].append(number)
    sinks = set(graph.sinks)
    shown = {name for r in graph.resources if r.id in sinks for name in r.resource.names}
    work = [number for number, flow in enumerate(flows) if flow.side_effects]
    work += [writer for name in shown for writer in writers[name]]
    found: set[int] = set()
    asked: set[str] = set()
    while work:
        number = work.pop()
        if number in found:
            continue
        found.add(number)
        for read in flows[number].reads:
            if read not in asked:
                asked.add(read)
                work += writers[read]
    return found


def _dangling(flows: Mapping[str, _Flow], needed: Collection[str]) -> Iterable[Removal]:
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
        for result in (use.to or use.name for use in instance.uses if use.to or use.request.verb in _CREATIONS):
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
