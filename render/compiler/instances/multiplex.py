"""multiplex: repeats nodes and resources over the dimensions of their modes (views, eyes, samples, tiles).

``resolve`` has checked that modes which meet are compatible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from renderwright.render.compiler.instances.connect import connect
from renderwright.render.compiler.instances.indices import IndexSpace, Place, agree
from renderwright.render.compiler.values.instances import Index, InstanceGraph, NodeInstance, ResourceInstance
from renderwright.render.compiler.values.resolved import BoundNode, BoundRequest, LogicalResource, ResolvedGraph
from renderwright.render.compiler.values.uses import Use
from renderwright.render.graph.requests import Request, Verb
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import ResourceDesc, Texture
from renderwright.render.types.usages import (
    ATTACHMENTS,
    ONE_MIP_USAGES,
    READ_ONLY_USAGES,
    ShaderStages,
    Usage,
    default_stages,
)

Copies = Sequence[ResourceInstance]
"""All instances of one resource, in order of index."""

_COMMAND_READS = frozenset({None, *READ_ONLY_USAGES}) - {Usage.DEPTH_READ, Usage.PRESENT, Usage.HOST_READ}
"""How requests read that need a command for it; None is the usage of blobs and renames."""

_NOT_READS = frozenset({Verb.CREATE, Verb.HISTORY})
"""A creator brings a resource into the layout of its usage, and a history is kept for those who request it."""


def multiplex(resolved: ResolvedGraph, snapshot: GraphSnapshot) -> InstanceGraph:
    """Instances of every node and resource, and the dependencies between them; ``CompileError`` for a count below 1."""
    indices = IndexSpace(snapshot.dimensions, snapshot.counts)
    copies = {item.root: _resource_instances(item, indices.places(item.mode)) for item in resolved.resources}
    resources = tuple(chain.from_iterable(copies.values()))
    instances = [_node_instances(node, indices.places(node.mode), copies) for node in resolved.nodes]
    nodes = tuple(chain.from_iterable(instances))
    groups, rows = connect(nodes, resources, resolved.explicit, resolved.rows)
    return InstanceGraph(
        nodes=nodes,
        resources=resources,
        groups=groups,
        sinks=tuple([instance.id for root in resolved.sinks for instance in copies[root]]),
        problems=tuple(indices.problems),
        lost_names=resolved.lost_names,
        consequences=resolved.consequences,
        aliases=tuple(alias for alias, _ in resolved.aliases),
        rows=rows,
        modifiers=resolved.rows,
    )


def _resource_instances(resource: LogicalResource, places: Sequence[Place]) -> Copies:
    return [
        ResourceInstance(resource.root + place.suffix, resource, place.index, resource.creator + place.suffix)
        for place in places
    ]


def _node_instances(node: BoundNode, places: Sequence[Place], copies: Mapping[str, Copies]) -> list[NodeInstance]:
    name = node.declaration.name
    raster = any(bound.request.usage in ATTACHMENTS for bound in node.requests)
    used = [copies.get(bound.root, ()) for bound in node.requests]
    silent = _only_reads(node) and not node.declaration.executes
    templates = [(_template(bound, own, raster, silent), own) for bound, own in zip(node.requests, used, strict=True)]
    return [
        NodeInstance(
            name + place.suffix,
            node.declaration,
            place.index,
            tuple([_use(template, own, place.index) for template, own in templates]),
        )
        for place in places
    ]


def _only_reads(node: BoundNode) -> bool:
    requests = [bound.request for bound in node.requests]
    return all(request.usage in _COMMAND_READS and request.verb not in _NOT_READS for request in requests)


def _template(bound: BoundRequest, copies: Copies, raster: bool, silent: bool) -> Use:
    """The use of a request, of all instances of the resource. A ``silent`` node has no commands that read."""
    request = _in_one_mip(bound.request, copies[0].resource.desc) if copies else bound.request
    history, names = request.verb is Verb.HISTORY, tuple([copy.id for copy in copies])
    usage = None if silent else request.usage
    return Use(bound.number, request, names, usage, _stages(bound, raster), history, bound.name, bound.to)


def _stages(bound: BoundRequest, raster: bool) -> ShaderStages:
    """The stages of a request."""
    return bound.request.stages or default_stages(raster=raster)


def _use(template: Use, copies: Copies, index: Index) -> Use:
    """The use of the copies that a node's index refers to."""
    # A single copy has number 0 in every dimension, and so has any node that shares a dimension with it.
    return template if len(copies) <= 1 else template._replace(resources=_agreeing(copies, index))


def _agreeing(copies: Copies, index: Index) -> tuple[str, ...]:
    """The ids of the copies that an index refers to, in order of index."""
    for copy in copies:
        if copy.index == index:
            return (copy.id,)
    return tuple([copy.id for copy in copies if agree(copy.index, index)])


def _in_one_mip(request: Request, made: ResourceDesc) -> Request:
    """The request restricted to the first mip if it names no mips and its usage is for a single one."""
    if not isinstance(made, Texture) or made.mips == 1 or request.part.mips is not None:
        return request
    return replace(request, part=Part((0, 1), request.part.layers)) if request.usage in ONE_MIP_USAGES else request
