"""When each resource is used, by node number: what lifetimes, passes and barriers are derived from."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache

from render.compiler.stages import InstanceGraph, NodeInstance, Use
from render.errors import CompileError
from render.graph.resources import Blob, Texture
from render.sync.merge import merge_scopes, without_layout
from render.sync.usages import Scope, ShaderStage, Usage, scope_of


@dataclass(frozen=True)
class NodeAccess:
    """All that one node does with one resource, as one scope (without a layout for buffers).

    The scope's layout is the one that a texture is in while the node runs.
    """

    node: int
    scope: Scope
    usages: frozenset[Usage]


@dataclass(frozen=True)
class Timeline:
    """The accesses to one GPU resource in the order of the nodes.

    ``own`` touch the frame's own copy, ``history`` the copy of the previous frame. ``nodes`` are all nodes that
    mention the own copy, also those that touch nothing (they rename or present it). ``presented`` says whether the
    resource is handed to the display.
    """

    own: tuple[NodeAccess, ...] = ()
    history: tuple[NodeAccess, ...] = ()
    nodes: tuple[int, ...] = ()
    presented: bool = False


def timelines(graph: InstanceGraph) -> Mapping[str, Timeline]:
    """The timeline of every texture and buffer, by resource id, in the graph's order of resources.

    Raises ``CompileError`` for a node that uses a texture in two ways that exclude each other.
    """
    gpu = {item.id: item.resource.desc for item in graph.resources if not isinstance(item.resource.desc, Blob)}
    textures = {name for name, desc in gpu.items() if isinstance(desc, Texture)}
    own: dict[str, list[NodeAccess]] = {name: [] for name in gpu}
    history: dict[str, list[NodeAccess]] = {name: [] for name in gpu}
    nodes: dict[str, list[int]] = {name: [] for name in gpu}
    presented = set()
    for number, node in enumerate(graph.nodes):
        for (name, before), (scope, usages) in _accesses(node, textures).items():
            (history if before else own)[name].append(NodeAccess(number, scope, usages))
        for use in node.uses:
            if use.history:
                continue
            for name in use.resources:
                if name in gpu:
                    nodes[name].append(number)
                    if use.usage is Usage.PRESENT:
                        presented.add(name)
    return {
        name: Timeline(tuple(own[name]), tuple(history[name]), tuple(nodes[name]), name in presented) for name in gpu
    }


def touches_gpu(use: Use) -> bool:
    """Whether the device sees the use: no blob, no mere rename, no presentation."""
    return use.usage is not None and use.usage is not Usage.PRESENT and bool(use.resources)


def records(node: NodeInstance) -> bool:
    """Whether the node may record commands; one that does not can stand anywhere, even inside a render pass."""
    return bool(node.declaration.pipelines) or any(touches_gpu(use) for use in node.uses)


@cache
def _single_use(usage: Usage, stage: ShaderStage, texture: bool) -> tuple[Scope, frozenset[Usage]]:
    scope = scope_of(usage, stage)
    return scope if texture else without_layout(scope), frozenset({usage})


def _accesses(node: NodeInstance, textures: Set[str]) -> dict[tuple[str, bool], tuple[Scope, frozenset[Usage]]]:
    """What the node touches, by (resource id, history?)."""
    accesses: dict[tuple[str, bool], tuple[Scope, frozenset[Usage]]] = {}
    for use in node.uses:
        usage = use.usage
        if usage is None or usage is Usage.PRESENT:
            continue
        for name in use.resources:
            key = (name, use.history)
            access = _single_use(usage, use.stage, name in textures)
            if key in accesses:
                scope, usages = accesses[key]
                access = _both(node, name, usage, scope, usages, access[0]), usages | {usage}
            accesses[key] = access
    return accesses


def _both(
    node: NodeInstance, name: str, usage: Usage, earlier: Scope, earlier_usages: Set[Usage], scope: Scope
) -> Scope:
    try:
        return merge_scopes(earlier, scope)
    except ValueError:
        others = ", ".join(sorted(earlier_usages))
        raise CompileError(
            f'node "{node.id}" uses "{name}" as {usage} and as {others} at once; no layout allows both',
            hint="let an earlier node copy what has to be read, or read it in a later node",
            where=node.declaration.source,
            node=node.declaration.name,
        ) from None
