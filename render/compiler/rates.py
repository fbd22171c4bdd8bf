"""Nodes at a rate of their own: what they keep between their runs, and which of them run together.

A resource that such a node creates or modifies is *kept*: it has one copy for all frames, and memory of its own. In a
frame in which some nodes rest, the graph is the frame's graph without them, and memory stays where it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace

from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.resolved import BoundNode
from renderwright.render.graph.requests import EVERY_FRAME, NodeDeclaration, Request, Verb
from renderwright.render.types.resources import Blob, ResourceDesc
from renderwright.render.types.usages import READ_ONLY_USAGES, Usage


def is_rated(declaration: NodeDeclaration) -> bool:
    """Whether there may be frames in which the node does not run."""
    rate = declaration.rate
    return rate is not EVERY_FRAME and rate != EVERY_FRAME


def writes(request: Request, desc: ResourceDesc) -> bool:
    """Whether the node may change the contents of what it requests, a resource of description ``desc``."""
    if request.usage is not None and request.usage not in READ_ONLY_USAGES:
        return True
    if request.verb is Verb.RENAME:
        return isinstance(desc, Blob)
    return request.verb in (Verb.CREATE, Verb.MODIFY)


def irregular_resources(graph: InstanceGraph) -> frozenset[str]:
    """Resources (by id) that nodes use which do not run in every frame."""
    return frozenset(name for node in graph.rated for use in node.uses for name in use.resources)


def kept_resources(graph: InstanceGraph) -> frozenset[str]:
    """The resources (by id) whose contents last until their makers run again."""
    rated = graph.rated
    if not rated:
        return frozenset()
    descs = {item.id: item.resource.desc for item in graph.resources if not item.resource.external}
    return frozenset(
        name
        for node in rated
        for use in node.uses
        for name in use.resources
        if name in descs and writes(use.request, descs[name])
    )


def run_together(graph: InstanceGraph) -> tuple[tuple[str, ...], ...]:
    """The rated node instances in groups: all that write to one resource run in the same frames."""
    kept = kept_resources(graph)
    descs = {item.id: item.resource.desc for item in graph.resources if item.id in kept}
    group_of: dict[str, list[str]] = {}
    owner: dict[str, str] = {}
    for node in graph.rated:
        group = group_of[node.id] = [node.id]
        for use in node.uses:
            for name in use.resources:
                if name not in kept or not writes(use.request, descs[name]):
                    continue
                other = group_of[owner.setdefault(name, node.id)]
                if other is not group:
                    other += group
                    for member in group:
                        group_of[member] = other
                    group = other
    return tuple(tuple(group) for group in {id(group): group for group in group_of.values()}.values())


def without(graph: InstanceGraph, resting: Collection[str]) -> InstanceGraph:
    """The graph of a frame in which the ``resting`` node instances do not run."""
    return replace(graph, nodes=tuple(node for node in graph.nodes if node.id not in resting))


def makers_of_conditions(bound_nodes: Iterable[BoundNode]) -> dict[str, tuple[str, ...]]:
    """By the name of each node that runs when a blob changes, the names of the nodes that have a part in that blob.

    They have to run before the frame's commands are chosen.
    """
    nodes = {node.declaration.name: node for node in bound_nodes}
    if not any(node.declaration.rate.when for node in nodes.values()):
        return {}
    created = (Verb.CREATE, Verb.EXTERNAL)
    descs = {b.root: b.request.desc for node in nodes.values() for b in node.requests if b.request.verb in created}
    writers: dict[str, list[str]] = defaultdict(list)
    for name, node in nodes.items():
        for bound in node.requests:
            desc = descs.get(bound.root)
            if isinstance(desc, Blob) and writes(bound.request, desc):
                writers[bound.root].append(name)
    result = {}
    for name, node in nodes.items():
        condition = condition_root(node)
        if condition:
            found: dict[str, None] = {}
            work = [condition]
            while work:
                for maker in writers[work.pop()]:
                    if maker not in found and maker != name:
                        found[maker] = None
                        work += [b.root for b in nodes[maker].requests if b.request.verb is not Verb.HISTORY]
            result[name] = tuple(found)
    return result


def condition_root(node: BoundNode) -> str:
    """The root of the blob whose change lets the node run, or ''."""
    when = node.declaration.rate.when
    if not when:
        return ""
    return next((b.root for b in node.requests if b.request.verb is Verb.READ and b.request.name == when), "")


def touches_device(node: BoundNode) -> bool:
    """Whether the node may record commands."""
    usages = {bound.request.usage for bound in node.requests} - {None, Usage.PRESENT}
    return bool(usages or node.declaration.pipelines)
