"""Nodes at a rate of their own, which are skipped in some frames: what they keep meanwhile, and which run together.

A resource that such a node creates or modifies is *kept*: it has one copy for all frames, and memory of its own. A
frame that skips nodes has the whole frame's graph without them; memory stays where it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.resolved import BoundNode
from renderwright.render.graph.requests import EVERY_FRAME, NodeDeclaration, Request, Verb
from renderwright.render.types.resources import Blob, ResourceDesc
from renderwright.render.types.usages import READ_ONLY_USAGES, Usage


def is_rated(declaration: NodeDeclaration) -> bool:
    """Whether there may be frames that skip the node."""
    return declaration.rate != EVERY_FRAME


def writes(request: Request, desc: ResourceDesc) -> bool:
    """Whether the node may change the contents of the requested resource, which has the description ``desc``."""
    if request.usage is not None and request.usage not in READ_ONLY_USAGES:
        return True
    if request.verb is Verb.RENAME:
        return isinstance(desc, Blob)
    return request.verb in (Verb.CREATE, Verb.MODIFY)


# instances ----------------------------------------------------------------------------------------------------------


def resources_of_rated_nodes(graph: InstanceGraph) -> frozenset[str]:
    """The resources (by id) that rated nodes use."""
    return frozenset([name for node in graph.rated for use in node.uses for name in use.resources])


def kept_resources(graph: InstanceGraph) -> frozenset[str]:
    """The resources (by id) whose contents last until the nodes that write them run again."""
    if not graph.rated:
        return frozenset()
    descs = {item.id: item.resource.desc for item in graph.resources if not item.resource.external}
    return frozenset([name for node in graph.rated for name in _written(node, descs)])


def run_together(graph: InstanceGraph) -> tuple[tuple[str, ...], ...]:
    """The rated node instances in groups: all that write to one resource run in the same frames."""
    kept = kept_resources(graph)
    descs = {item.id: item.resource.desc for item in graph.resources if item.id in kept}
    group_of: dict[str, list[str]] = {}
    first_writer: dict[str, str] = {}
    for node in graph.rated:
        group_of[node.id] = [node.id]
        for name in _written(node, descs):
            group, own = group_of[first_writer.setdefault(name, node.id)], group_of[node.id]
            if group is not own:
                group += own
                group_of |= dict.fromkeys(own, group)
    return tuple(dict.fromkeys([tuple(group) for group in group_of.values()]))


def _written(node: NodeInstance, descs: Mapping[str, ResourceDesc]) -> Iterator[str]:
    """The resources (by id) with one of the ``descs`` that a node may write."""
    for use in node.uses:
        for name in use.resources:
            if name in descs and writes(use.request, descs[name]):
                yield name


def without(graph: InstanceGraph, skipped: Collection[str]) -> InstanceGraph:
    """The graph of a frame that skips some node instances (by id)."""
    return replace(graph, nodes=tuple([node for node in graph.nodes if node.id not in skipped]))


# conditions ---------------------------------------------------------------------------------------------------------


def makers_of_conditions(bound_nodes: Iterable[BoundNode]) -> dict[str, tuple[str, ...]]:
    """By the name of each node that runs when a blob changes, the names of all nodes that contribute to this blob.

    They run before the frame's commands are chosen.
    """
    nodes = {node.declaration.name: node for node in bound_nodes}
    conditions = {name: root for name, node in nodes.items() if (root := condition_root(node))}
    if not conditions:
        return {}
    writers = _writers_of_blobs(nodes.values())
    return {name: _contributors(root, name, nodes, writers) for name, root in conditions.items()}


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


def _writers_of_blobs(nodes: Collection[BoundNode]) -> Mapping[str, Sequence[str]]:
    """The names of the nodes that write each blob, by its root."""
    created = (Verb.CREATE, Verb.EXTERNAL)
    descs = {b.root: b.request.desc for node in nodes for b in node.requests if b.request.verb in created}
    writers: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        for bound in node.requests:
            desc = descs.get(bound.root)
            if isinstance(desc, Blob) and writes(bound.request, desc):
                writers[bound.root].append(node.declaration.name)
    return writers


def _contributors(
    root: str, reader: str, nodes: Mapping[str, BoundNode], writers: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """The nodes other than ``reader`` that write a blob, or a blob that these use, and so on."""
    found: dict[str, None] = {}
    work = [root]
    while work:
        for writer in writers.get(work.pop(), ()):
            if writer not in found and writer != reader:
                found[writer] = None
                work += [b.root for b in nodes[writer].requests if b.request.verb is not Verb.HISTORY]
    return tuple(found)
