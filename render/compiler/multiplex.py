"""Stage 3: repeat nodes and resources over the dimensions of their modes.

Which modes may meet has been checked when names were bound (``modes``), so that chains close over a removed member.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from render.compiler.connect import agree, connect
from render.compiler.edges import explicit_pairs
from render.compiler.faults import near_miss, note
from render.compiler.findings import Problem
from render.compiler.precedence import topological_groups
from render.compiler.snapshot import Dimensions, GraphSnapshot
from render.compiler.stages import (
    BoundNode,
    BoundRequest,
    Index,
    InstanceGraph,
    NodeInstance,
    ResolvedGraph,
    ResourceInstance,
    Use,
)
from render.errors import CompileError
from render.graph.requests import Verb
from render.sync.usages import ATTACHMENTS, ShaderStage, Usage, default_stage


def multiplex(resolved: ResolvedGraph, snapshot: GraphSnapshot) -> InstanceGraph:
    """Instances of every node and resource, with edges between them; ``CompileError`` for a count below 1."""
    counts = _Counts(snapshot)
    resources: list[ResourceInstance] = []
    by_root: dict[str, list[ResourceInstance]] = {}
    for resource in resolved.resources:
        instances = [
            ResourceInstance(counts.id(resource.root, index), resource, index, counts.id(resource.creator, index))
            for index in counts.indices(resource.mode)
        ]
        by_root[resource.root] = instances
        resources += instances
    agreeing = _Agreeing(by_root)
    nodes = [
        NodeInstance(
            counts.id(node.declaration.name, index), node.declaration, index, tuple(_uses(node, index, agreeing))
        )
        for node in resolved.nodes
        for index in counts.indices(node.mode)
    ]
    names = [node.declaration.name for node in resolved.nodes]
    order = topological_groups(names, resolved.precedences)
    explicit = explicit_pairs({node.declaration.name: node.declaration for node in resolved.nodes})
    return InstanceGraph(
        nodes=tuple(nodes),
        resources=tuple(resources),
        precedences=connect(nodes, resources, explicit, {name: number for number, name in enumerate(order)}),
        sinks=tuple(instance.id for root in resolved.sinks for instance in by_root[root]),
        problems=tuple(counts.problems),
    )


class _Counts:
    """The indices of modes and the ids of instances, in the snapshot's order of dimensions."""

    def __init__(self, snapshot: GraphSnapshot) -> None:
        self._order = snapshot.dimensions
        self._dimensions = Dimensions(dict(snapshot.counts))
        self._known: dict[frozenset[str], list[Index]] = {}
        self.problems: list[Problem] = []
        for dimension, count in sorted(snapshot.counts):
            if count < 1:
                message = f"dimension `{dimension}` has {count} instances"
                raise CompileError(message, hint="a count is 1 or more; remove nodes to leave something out")
            if dimension not in self._order:
                message = f"there is a count for `{dimension}`, which is no dimension of this graph"
                self.problems.append(note("dimension", message, near_miss(dimension, self._order), ()))

    def indices(self, mode: frozenset[str]) -> Sequence[Index]:
        """Every index of a mode, the last dimension running fastest."""
        if mode not in self._known:
            axes = [
                [(dimension, number) for number in range(self._dimensions.count(dimension))]
                for dimension in self._order
                if dimension in mode
            ]
            self._known[mode] = list(product(*axes))
        return self._known[mode]

    def id(self, name: str, index: Index) -> str:
        """``name``, or ``name@view=1,eye=0`` with the dimensions that have more than one instance."""
        parts = [f"{dimension}={number}" for dimension, number in index if self._dimensions.count(dimension) > 1]
        return f"{name}@{','.join(parts)}" if parts else name


def _uses(node: BoundNode, index: Index, known: _Agreeing) -> list[Use]:
    raster = any(bound.request.usage in ATTACHMENTS for bound in node.requests)
    return [
        Use(
            number=bound.number,
            request=bound.request,
            resources=known.ids(bound.root, index),
            usage=bound.request.usage,
            stage=_stage(bound, raster),
            history=bound.request.verb is Verb.HISTORY,
            name=bound.name,
            to=bound.to,
        )
        for bound in node.requests
    ]


class _Agreeing:
    """The resource instances of a root that an index means; looked up once for all nodes that share them."""

    def __init__(self, by_root: Mapping[str, Sequence[ResourceInstance]]) -> None:
        self._by_root = by_root
        self._known: dict[tuple[str, Index], tuple[str, ...]] = {}

    def ids(self, root: str, index: Index) -> tuple[str, ...]:
        """The ids, in order of index."""
        found = self._known.get((root, index))
        if found is None:
            instances = self._by_root.get(root, ())
            # A single one has the numbers 0, and so has whoever shares a dimension with it.
            alone = len(instances) == 1
            found = tuple(instance.id for instance in instances if alone or agree(instance.index, index))
            self._known[root, index] = found
        return found


def _stage(bound: BoundRequest, raster: bool) -> ShaderStage:
    """The stage of a request; one without a usage has the stage that a sampled texture would have."""
    return bound.request.stage or default_stage(bound.request.usage or Usage.SAMPLED, raster=raster)
