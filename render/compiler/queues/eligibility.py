"""Which queues besides the graphics queue a node may run on, and what keeps it from others that it allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from renderwright.render.compiler.rates import irregular_resources
from renderwright.render.compiler.resources.access_history import Timeline, records
from renderwright.render.compiler.resources.clear_commands import needs_clear_command
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance, ResourceInstance
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import COMPUTE, COPY, GRAPHICS
from renderwright.render.types.usages import ATTACHMENTS, SHADER_USAGES, ShaderStage, Usage

_COPIES = frozenset({Usage.COPY_SRC, Usage.COPY_DST})
_COMPUTE = SHADER_USAGES | _COPIES | {Usage.INDIRECT, Usage.HOST_READ}


@dataclass(frozen=True)
class Ability:
    """The queues besides graphics that a node can run on, in the node's own order, and why not on others."""

    queues: tuple[str, ...]
    obstacle: str = ""


_NOWHERE_ELSE = Ability(())


def abilities(graph: InstanceGraph, times: Mapping[str, Timeline], available: Set[str]) -> tuple[Ability, ...]:
    """The ability of each node, in order."""
    mixed = _mixed_layouts(times)
    irregular = irregular_resources(graph)
    outside = {
        item.id
        for item in graph.resources
        if item.resource.external and item.id in times and not _is_asset(times[item.id])
    }
    cleared = {
        node: item.id
        for item in graph.resources
        if item.id in times and needs_clear_command(item, times[item.id])
        for node in _clearing(graph, item, times[item.id])
    }
    lasting = {name for name, time in times.items() if time.cells and (time.history or name in graph.sinks)}
    return tuple(
        _ability(node, _Circumstances(available, mixed, irregular, outside, lasting, cleared.get(node.id, "")))
        for node in graph.nodes
    )


def fits_compute_queue(graph: InstanceGraph) -> bool:
    """Whether a compute queue could run all nodes of a graph, which no other queue has a part in."""
    alone = _Circumstances(frozenset({COMPUTE}), {}, frozenset(), frozenset(), frozenset(), "")
    return not any(_obstacle(node, COMPUTE, alone) for node in graph.nodes if records(node))


@dataclass(frozen=True)
class _Circumstances:
    """What besides the node itself decides: the device's queues; textures that are read in different layouts, with how;
    resources of nodes that do not run in every frame; textures from outside that are no assets; textures used in parts
    that outlive the frame; a resource that is cleared in front of the node, or ''."""

    available: Set[str]
    mixed: Mapping[str, str]
    irregular: Set[str]
    outside: Set[str]
    lasting: Set[str]
    cleared: str


def _ability(node: NodeInstance, known: _Circumstances) -> Ability:
    wanted = [queue for queue in node.declaration.queues if queue != GRAPHICS]
    if not wanted or not records(node):
        return _NOWHERE_ELSE
    queues, obstacles = [], []
    for queue in wanted:
        obstacle = _obstacle(node, queue, known)
        if obstacle:
            obstacles.append(f"not on the {queue} queue: {obstacle}")
        else:
            queues.append(queue)
    return Ability(tuple(queues), "; ".join(obstacles))


def _obstacle(node: NodeInstance, queue: str, known: _Circumstances) -> str:
    """Why the node cannot run on the queue, or ''."""
    if queue not in known.available:
        return "the device has none"
    for pipeline in node.declaration.pipelines:
        if pipeline.kind != "compute" or queue == COPY:
            return f"it has a {pipeline.kind} pipeline"
    for use in node.uses:
        if use.usage is None or not use.resources:
            continue
        if use.usage in ATTACHMENTS:
            return f'it renders to "{use.name}"'
        shader = use.usage in SHADER_USAGES
        if use.usage not in (_COPIES if queue == COPY else _COMPUTE):
            return f'it uses "{use.name}" as {use.usage}'
        if shader and use.stage is not ShaderStage.COMPUTE:
            return f'its {use.stage} shader uses "{use.name}"'
        for name in use.resources:
            if name in known.mixed:
                return f'"{name}" is read as {known.mixed[name]}, in different layouts'
            if name in known.outside:
                return f'"{name}" comes from outside the frame, which hands it to the graphics queue'
            if name in known.irregular:
                return f'"{name}" is used by nodes that do not run in every frame'
            if name in known.lasting:
                return f'parts of "{name}" are brought together at the end of the frame, on the graphics queue'
    if known.cleared and queue == COPY:
        return f'"{known.cleared}" is cleared first'
    return ""


def _clearing(graph: InstanceGraph, item: ResourceInstance, time: Timeline) -> Sequence[str]:
    """The nodes in front of which a texture, or a part of it, may have to be cleared."""
    return [graph.nodes[node].id for node in time.nodes] if time.cells else [item.creator]


def _is_asset(time: Timeline) -> bool:
    """Whether the resource is but read, and a texture but sampled."""
    return all(
        not access.scope.writes and access.scope.layout in (Layout.SHADER_READ_ONLY, Layout.UNDEFINED)
        for access in time.own
    )


def _mixed_layouts(times: Mapping[str, Timeline]) -> Mapping[str, str]:
    """Textures that are read in several layouts, with the usages: nobody orders such reads, and no two can overlap."""
    result = {}
    for name, time in times.items():
        layouts: dict[Layout, str] = {}
        for access in (*time.own, *time.history):
            if not access.scope.writes:
                layouts.setdefault(access.scope.layout, " and ".join(sorted(access.usages)))
        if len(layouts) > 1:
            result[name] = " and ".join(layouts.values())
    return result
