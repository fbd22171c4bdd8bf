"""Stage 3: repeat nodes and resources over the dimensions of their modes.

Which modes may meet has been checked when names were bound (``modes``), so that chains close over a removed member.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, product

from renderwright.render.compiler.alike import once_a_run
from renderwright.render.compiler.diagnostics.faults import near_miss, note
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.compiler.instances.connect import User, agree, connect, crowds_of, user_of
from renderwright.render.compiler.resolve.checks.parts import in_one_mip
from renderwright.render.compiler.values.instances import Index, InstanceGraph, NodeInstance, ResourceInstance
from renderwright.render.compiler.values.resolved import BoundNode, BoundRequest, LogicalResource, ResolvedGraph
from renderwright.render.compiler.values.uses import Use
from renderwright.render.errors import CompileError
from renderwright.render.graph.requests import Request, Verb
from renderwright.render.graph.snapshot import Dimensions, GraphSnapshot
from renderwright.render.incremental.lineup import Lookup
from renderwright.render.incremental.memo import Parts
from renderwright.render.types.usages import ATTACHMENTS, ShaderStage, Usage, default_stage

Place = tuple[Index, str]
"""An index, and what it adds to a name: ``@view=1,eye=0`` with the dimensions that have more than one instance."""


def multiplex(resolved: ResolvedGraph, snapshot: GraphSnapshot, parts: Parts | None = None) -> InstanceGraph:
    """Instances of every node and resource, with edges between them; ``CompileError`` for a count below 1."""
    parts = parts or Parts()
    # The same object as before gives the same places as before, which are compared with those.
    counts = parts.of(_Counts)("", snapshot.dimensions, snapshot.counts)
    roots_of = [resource.root for resource in resolved.resources]
    places = [counts.places(resource.mode) for resource in resolved.resources]
    copied = parts.of(_resource_instances).all(roots_of, resolved.resources, places)
    by_root = dict(zip(roots_of, copied, strict=True))
    names = [node.declaration.name for node in resolved.nodes]
    places = once_a_run(counts.places, [node.mode for node in resolved.nodes])
    used = Lookup(by_root, [node.roots for node in resolved.nodes])
    users = parts.of(_user).all(names, resolved.nodes, places, used)
    resources = tuple(chain.from_iterable(by_root.values()))
    roots = {item.id: item.resource.root for item in resources}
    crowds = crowds_of(users, parts)
    groups, rows = connect(crowds, roots, resolved.explicit, resolved.rows, parts)
    return InstanceGraph(
        nodes=tuple(chain.from_iterable([crowd.instances for crowd in crowds])),
        resources=resources,
        groups=groups,
        sinks=tuple(instance.id for root in resolved.sinks for instance in by_root[root]),
        problems=tuple(counts.problems),
        lost=resolved.lost,
        rows=rows,
        modifiers=resolved.rows,
        traits=resolved.traits,
        needed=resolved.needed,
    )


def _resource_instances(resource: LogicalResource, places: Sequence[Place]) -> tuple[ResourceInstance, ...]:
    return tuple(
        [
            ResourceInstance(resource.root + suffix, resource, index, resource.creator + suffix)
            for index, suffix in places
        ]
    )


def _user(node: BoundNode, places: Sequence[Place], used: Sequence[Sequence[ResourceInstance] | None]) -> User:
    """The instances of a node. ``used`` are all those of the resource of each request, None where there is none."""
    return user_of(node.declaration.name, _node_instances(node, places, used))


def _node_instances(
    node: BoundNode, places: Sequence[Place], used: Sequence[Sequence[ResourceInstance] | None]
) -> tuple[NodeInstance, ...]:
    name = node.declaration.name
    raster = any(bound.request.usage in ATTACHMENTS for bound in node.requests)
    asked = [
        (bound, _for_part(bound, instances), _stage(bound, raster), bound.request.verb is Verb.HISTORY, instances)
        for bound, instances in zip(node.requests, [own or () for own in used], strict=True)
    ]
    return tuple(
        [
            NodeInstance(
                name + suffix,
                node.declaration,
                index,
                tuple(
                    [
                        Use(
                            bound.number,
                            request,
                            _agreeing(instances, index),
                            request.usage,
                            stage,
                            history,
                            bound.name,
                            bound.to,
                        )
                        for bound, request, stage, history, instances in asked
                    ]
                ),
            )
            for index, suffix in places
        ]
    )


def _for_part(bound: BoundRequest, instances: Sequence[ResourceInstance]) -> Request:
    return in_one_mip(bound.request, instances[0].resource.desc) if instances else bound.request


def _agreeing(instances: Sequence[ResourceInstance], index: Index) -> tuple[str, ...]:
    """The ids of the instances that an index means, in order of index."""
    # A single one has the numbers 0, and so has whoever shares a dimension with it.
    if len(instances) == 1:
        return (instances[0].id,)
    for instance in instances:
        if instance.index == index:
            return (instance.id,)
    return tuple([instance.id for instance in instances if agree(instance.index, index)])


class _Counts:
    """The indices of modes, in the snapshot's order of dimensions."""

    def __init__(self, dimensions: Iterable[str], counts: Sequence[tuple[str, int]]) -> None:
        self._order = tuple(dict.fromkeys(dimensions))
        self._dimensions = Dimensions(dict(counts))
        self._known: dict[frozenset[str], tuple[Place, ...]] = {}
        self.problems: list[Problem] = []
        for dimension, count in sorted(counts):
            if count < 1:
                message = f"dimension `{dimension}` has {count} instances"
                raise CompileError(message, hint="a count is 1 or more; remove nodes to leave something out")
            if dimension not in self._order:
                message = f"there is a count for `{dimension}`, which is no dimension of this graph"
                self.problems.append(note("dimension", message, near_miss(dimension, self._order), ()))

    def places(self, mode: frozenset[str]) -> tuple[Place, ...]:
        """Every index of a mode, the last dimension running fastest."""
        if mode not in self._known:
            dimensions = [dimension for dimension in self._order if dimension in mode]
            axes = [[(dimension, n) for n in range(self._dimensions.count(dimension))] for dimension in dimensions]
            self._known[mode] = tuple((index, self._suffix(index)) for index in product(*axes))
        return self._known[mode]

    def _suffix(self, index: Index) -> str:
        parts = [f"{dimension}={number}" for dimension, number in index if self._dimensions.count(dimension) > 1]
        return f"@{','.join(parts)}" if parts else ""


def _stage(bound: BoundRequest, raster: bool) -> ShaderStage:
    """The stage of a request; one without a usage has the stage that a sampled texture would have."""
    return bound.request.stage or default_stage(bound.request.usage or Usage.SAMPLED, raster=raster)
