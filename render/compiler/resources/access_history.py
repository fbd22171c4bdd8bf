"""The access history of each resource: which nodes access it, in order, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce

from renderwright.render.compiler.resources.accesses import (
    MergedUses,
    NodeAccesses,
    in_any_layouts,
    in_one_layout,
    node_accesses,
    single_use,
)
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.uses import meeting
from renderwright.render.sync.scopes import Scope
from renderwright.render.types.parts import Part, cells
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage


@dataclass(frozen=True, slots=True)
class NodeAccess:
    """All uses of one copy of a resource, or of a part of it, by node number ``node``, merged into one scope."""

    node: int
    scope: Scope
    usages: frozenset[Usage]


@dataclass(frozen=True, slots=True)
class Cell:
    """The accesses to one cell of a texture: a rectangle of mips and layers that no request cuts."""

    part: Part
    own: tuple[NodeAccess, ...]
    history_reads: tuple[NodeAccess, ...]


@dataclass(frozen=True, slots=True)
class AccessHistory:
    """The accesses to one texture or buffer in the order of the nodes.

    ``own`` are accesses to the frame's own copy, ``history_reads`` to the copy of the previous frame. ``nodes`` are the
    numbers of the nodes that mention the own copy: those that access it, and those that only rename or present it.
    ``presented`` says whether the resource is handed to the display. A texture that is used in parts has the same
    accesses for each of its ``cells``; the layouts of ``own`` and ``history_reads`` then mean nothing.
    """

    own: tuple[NodeAccess, ...] = ()
    history_reads: tuple[NodeAccess, ...] = ()
    nodes: tuple[int, ...] = ()
    presented: bool = False
    cells: tuple[Cell, ...] = ()


@dataclass(slots=True)
class _Lists:
    """An access history without its cells, while nodes are still added."""

    own: list[NodeAccess] = field(default_factory=list)
    history_reads: list[NodeAccess] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    presented: bool = False


def access_histories(
    graph: InstanceGraph, accesses: Mapping[str, NodeAccesses] | None = None, *, whole: InstanceGraph | None = None
) -> Mapping[str, AccessHistory]:
    """The access history of every texture and buffer, by resource id, in the graph's order of resources.

    ``accesses`` are the ``node_accesses`` of the graph, in case they are known. ``whole`` is the graph with the nodes
    that are skipped in this frame: their requests cut textures into cells, too.
    """
    lists = _listed(graph, node_accesses(graph) if accesses is None else accesses)
    cut = _cut_textures(whole or graph)
    return {
        name: AccessHistory(
            tuple(found.own),
            tuple(found.history_reads),
            tuple(found.nodes),
            found.presented,
            _cells(graph, name, cut[name], found) if name in cut else (),
        )
        for name, found in lists.items()
    }


def _listed(graph: InstanceGraph, accesses: Mapping[str, NodeAccesses]) -> Mapping[str, _Lists]:
    lists = {item.id: _Lists() for item in graph.resources if item.resource.desc.kind != "blob"}
    for number, node in enumerate(graph.nodes):
        found = accesses[node.id]
        for name, access in found.own.items():
            lists[name].own.append(NodeAccess(number, access.scope, access.usages))
        for name, access in found.history_reads.items():
            lists[name].history_reads.append(NodeAccess(number, access.scope, access.usages))
        for name in found.mentions:
            if name in lists:
                lists[name].nodes.append(number)
        for name in found.presented:
            lists[name].presented = True
    return lists


def _cut_textures(graph: InstanceGraph) -> Mapping[str, Sequence[Part]]:
    """The cells of each texture that requests cut, by id."""
    parts: dict[str, list[Part]] = {}
    for node in graph.nodes:
        for name, part in node.parted:
            parts.setdefault(name, []).append(part)
    if not parts:
        return {}
    descs = {item.id: item.resource.desc for item in graph.resources if item.id in parts}
    found = {
        name: cells(parts[name], desc.mips, desc.layers) for name, desc in descs.items() if isinstance(desc, Texture)
    }
    return {name: own for name, own in found.items() if len(own) > 1}


def _cells(graph: InstanceGraph, name: str, parts: Sequence[Part], found: _Lists) -> tuple[Cell, ...]:
    """The cells of a texture, which are these ``parts``, with their accesses."""
    own: dict[Part, list[NodeAccess]] = {part: [] for part in parts}
    history: dict[Part, list[NodeAccess]] = {part: [] for part in parts}
    for accesses, is_history, whole in ((own, False, found.own), (history, True, found.history_reads)):
        for number in [access.node for access in whole]:
            node = graph.nodes[number]
            for part in parts:
                access = _cell_access(node, name, part, history=is_history)
                if access is not None:
                    accesses[part].append(NodeAccess(number, access.scope, access.usages))
    return tuple(Cell(part, tuple(own[part]), tuple(history[part])) for part in parts)


def _cell_access(node: NodeInstance, name: str, cell: Part, *, history: bool) -> MergedUses | None:
    """A node's access to a cell of one copy of a texture, None if it has none.

    All uses whose parts overlap, directly or through others, have one layout in common.
    """
    overlapping = [
        (use.request.part, single_use(use.usage, use.stages, texture=True))
        for use in meeting(node.uses, name, history, cell)
        if use.usage is not None
    ]
    if not overlapping:
        return None
    layout = reduce(partial(in_one_layout, node, name), [access for _, access in overlapping]).scope.layout
    own = reduce(in_any_layouts, [access for part, access in overlapping if part.meets(cell)])
    return MergedUses(Scope(own.scope.stages, own.scope.access, layout), own.usages)
