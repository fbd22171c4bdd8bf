"""How each node accesses resources: one scope for all its uses of one copy."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache

from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.errors import CompileError
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.merge import merge_scopes, without_layout
from renderwright.render.sync.scopes import Scope, scope_of
from renderwright.render.types.resources import Buffer
from renderwright.render.types.usages import ShaderStages, Usage


@dataclass(frozen=True, slots=True)
class MergedUses:
    """All uses of one copy of a resource by one node, merged into one scope.

    Its layout is the one that a texture is in while the node runs; a buffer has none (UNDEFINED).
    """

    scope: Scope
    usages: frozenset[Usage]


@dataclass(frozen=True, slots=True)
class NodeAccesses:
    """The accesses of one node, by resource id.

    ``own`` are accesses to the frame's own copies, ``history_reads`` to the copies of the previous frame. ``mentions``
    are all own copies that its requests name, also those that it only renames or presents, and blobs. ``presented`` are
    the resources that it hands to the display.
    """

    own: Mapping[str, MergedUses]
    history_reads: Mapping[str, MergedUses]
    mentions: tuple[str, ...]
    presented: tuple[str, ...]


def node_accesses(graph: InstanceGraph) -> Mapping[str, NodeAccesses]:
    """The accesses of each node, by node id.

    Raises ``CompileError`` for a node that uses a texture in two ways that no layout allows at once.
    """
    buffers = frozenset(item.id for item in graph.resources if isinstance(item.resource.desc, Buffer))
    return {node.id: accesses_of_node(node, buffers) for node in graph.nodes}


def accesses_of_node(node: NodeInstance, buffers: Set[str]) -> NodeAccesses:
    """The accesses of a node; ``buffers`` are the ids of all buffers."""
    own: dict[str, MergedUses] = {}
    history_reads: dict[str, MergedUses] = {}
    mentions: list[str] = []
    presented: list[str] = []
    parted = {name for name, _ in node.parted}
    for use in node.uses:
        usage = use.usage
        if not use.reads_history:
            mentions += use.resources
            if usage is Usage.PRESENT:
                presented += use.resources
        if usage is None or usage is Usage.PRESENT:
            continue
        found = history_reads if use.reads_history else own
        for name in use.resources:
            access = single_use(usage, use.stages, texture=name not in buffers)
            earlier = found.get(name)
            if earlier is not None:
                access = (
                    in_any_layouts(earlier, access) if name in parted else in_one_layout(node, name, earlier, access)
                )
            found[name] = access
    return NodeAccesses(own, history_reads, tuple(dict.fromkeys(mentions)), tuple(presented))


@cache
def single_use(usage: Usage, stages: ShaderStages, *, texture: bool) -> MergedUses:
    """A single use of a texture or of a buffer."""
    scope = scope_of(usage, stages)
    return MergedUses(scope if texture else without_layout(scope), frozenset({usage}))


def in_any_layouts(first: MergedUses, second: MergedUses) -> MergedUses:
    """Both uses of a texture's parts, which need no common layout: GENERAL stands for different ones."""
    one, other = first.scope, second.scope
    layout = one.layout if one.layout == other.layout else Layout.GENERAL
    scope = Scope(one.stages | other.stages, one.access | other.access, layout)
    return MergedUses(scope, first.usages | second.usages)


def in_one_layout(node: NodeInstance, name: str, earlier: MergedUses, use: MergedUses) -> MergedUses:
    """A node's ``earlier`` uses of a resource and one more ``use``; ``CompileError`` if no layout allows both."""
    try:
        return MergedUses(merge_scopes(earlier.scope, use.scope), earlier.usages | use.usages)
    except ValueError:
        usage, others = (", ".join(sorted(access.usages)) for access in (use, earlier))
        raise CompileError(
            f'node "{node.id}" uses "{name}" as {usage} and as {others} at once; no layout allows both',
            hint="let an earlier node copy what has to be read, or read it in a later node",
            where=node.declaration.source,
            node=node.declaration.name,
        ) from None
