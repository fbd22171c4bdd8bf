"""When each resource is used, by node number: what lifetimes, passes and barriers are derived from."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from render.compiler.stages import InstanceGraph, NodeInstance, Use
from render.errors import CompileError
from render.graph.resources import Blob, Texture
from render.sync.merge import merge_scopes, without_layout
from render.sync.usages import Scope, Usage, scope_of


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
        for (name, before), access in _accesses(number, node, textures).items():
            (history if before else own)[name].append(access)
        for use in node.uses:
            for name in use.resources:
                if name in gpu and not use.history:
                    nodes[name].append(number)
                    if use.usage is Usage.PRESENT:
                        presented.add(name)
    return {
        name: Timeline(tuple(own[name]), tuple(history[name]), tuple(nodes[name]), name in presented) for name in gpu
    }


def touches_gpu(use: Use) -> bool:
    """Whether the device sees the use: no blob, no mere rename, no presentation."""
    return use.present and use.usage is not None and use.usage is not Usage.PRESENT


def records(node: NodeInstance) -> bool:
    """Whether the node may record commands; one that does not can stand anywhere, even inside a render pass."""
    return bool(node.declaration.pipelines) or any(touches_gpu(use) for use in node.uses)


def _accesses(number: int, node: NodeInstance, textures: Set[str]) -> dict[tuple[str, bool], NodeAccess]:
    """What the node touches, by (resource id, history?)."""
    accesses: dict[tuple[str, bool], NodeAccess] = {}
    for use in node.uses:
        if use.usage is None or not touches_gpu(use):
            continue
        for name in use.resources:
            scope = scope_of(use.usage, use.stage)
            if name not in textures:
                scope = without_layout(scope)
            usages = frozenset({use.usage})
            earlier = accesses.get((name, use.history))
            if earlier is not None:
                scope = _both(node, name, use.usage, earlier, scope)
                usages |= earlier.usages
            accesses[name, use.history] = NodeAccess(number, scope, usages)
    return accesses


def _both(node: NodeInstance, name: str, usage: Usage, earlier: NodeAccess, scope: Scope) -> Scope:
    try:
        return merge_scopes(earlier.scope, scope)
    except ValueError:
        others = ", ".join(sorted(earlier.usages))
        raise CompileError(
            f'node "{node.id}" uses "{name}" as {usage} and as {others} at once; no layout allows both',
            hint="let an earlier node copy what has to be read, or read it in a later node",
            where=node.declaration.source,
        ) from None
