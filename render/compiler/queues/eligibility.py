"""Which queues besides the graphics queue a node may run on, and the obstacle where its declaration allows one that it
cannot use.

A rule returns an obstacle in words, or '' if it has no objection. The first obstacle counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from renderwright.render.compiler.rates import is_rated, resources_of_rated_nodes
from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.compiler.resources.clear_commands import needs_clear_command
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.uses import Use
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import COMPUTE, COPY, GRAPHICS
from renderwright.render.types.usages import ATTACHMENTS, SHADER_USAGES, ShaderStage, Usage

_COPY_USAGES = frozenset({Usage.COPY_SRC, Usage.COPY_DST})
_COMPUTE_USAGES = SHADER_USAGES | _COPY_USAGES | {Usage.INDIRECT, Usage.HOST_READ}


@dataclass(frozen=True)
class Eligibility:
    """The queues besides graphics that a node can run on, in the order of its declaration, and the obstacle on others.

    ``must_leave_graphics`` says that the declaration does not allow the graphics queue, and another one is possible.
    """

    queues: tuple[str, ...]
    obstacle: str = ""
    must_leave_graphics: bool = False


@dataclass(frozen=True)
class FrameFacts:
    """What the rules know besides the node.

    ``available`` are the device's queues. ``graphics_only`` has the obstacle of each resource (by id) whose users all
    stay on the graphics queue, ``cleared`` a resource that may be cleared in front of a node, by node id.
    """

    available: Set[str]
    graphics_only: Mapping[str, str]
    cleared: Mapping[str, str]


def eligibilities(
    graph: InstanceGraph, histories: Mapping[str, AccessHistory], available: Set[str], *, unified: bool = False
) -> tuple[Eligibility, ...]:
    """The eligibility of each node, in order. If ``unified``, textures are in the general layout for all usages."""
    if not any(_allowed_queues(node) for node in graph.nodes):
        return (Eligibility(()),) * len(graph.nodes)
    facts = FrameFacts(
        available, _graphics_only_resources(graph, histories, unified=unified), _cleared_resources(graph, histories)
    )
    return tuple(_eligibility(node, facts) for node in graph.nodes)


def fits_compute_queue(graph: InstanceGraph) -> bool:
    """Whether a compute queue could run all nodes of a graph that runs on no other queue."""
    facts = FrameFacts(frozenset({COMPUTE}), {}, {})
    return not any(_obstacle(node, COMPUTE, facts) for node in graph.nodes if node.records)


def _eligibility(node: NodeInstance, facts: FrameFacts) -> Eligibility:
    found = [(queue, _obstacle(node, queue, facts)) for queue in _allowed_queues(node)]
    possible = tuple([queue for queue, obstacle in found if not obstacle])
    obstacles = "; ".join([f"not on the {queue} queue: {obstacle}" for queue, obstacle in found if obstacle])
    return Eligibility(possible, obstacles, bool(possible) and GRAPHICS not in node.declaration.queues)


def _allowed_queues(node: NodeInstance) -> Sequence[str]:
    """The queues besides graphics that the declaration allows; none for a node that records nothing."""
    return [queue for queue in node.declaration.queues if queue != GRAPHICS] if node.records else []


# rules ----------------------------------------------------------------------------------------------------------------


def _obstacle(node: NodeInstance, queue: str, facts: FrameFacts) -> str:
    """The reason why the node cannot run on the queue, or ''."""
    return _first(rule(node, queue, facts) for rule in NODE_RULES)


def _missing_queue(node: NodeInstance, queue: str, facts: FrameFacts) -> str:
    return "" if queue in facts.available else "the device has none"


def _pipeline(node: NodeInstance, queue: str, facts: FrameFacts) -> str:
    kinds = [pipeline.kind for pipeline in node.declaration.pipelines]
    return next((f"it has a {kind} pipeline" for kind in kinds if kind != "compute" or queue == COPY), "")


def _uses(node: NodeInstance, queue: str, facts: FrameFacts) -> str:
    for use in node.uses:
        if use.usage is not None and use.resources:
            obstacle = _first(rule(use, queue) for rule in USE_RULES)
            obstacle = obstacle or _first(facts.graphics_only.get(name, "") for name in use.resources)
            if obstacle:
                return obstacle
    return ""


def _clear(node: NodeInstance, queue: str, facts: FrameFacts) -> str:
    return f'"{facts.cleared[node.id]}" is cleared first' if queue == COPY and node.id in facts.cleared else ""


def _rate(node: NodeInstance, queue: str, facts: FrameFacts) -> str:
    return f"it runs {node.declaration.rate}" if is_rated(node.declaration) else ""


def _attachment(use: Use, queue: str) -> str:
    return f'it renders to "{use.name}"' if use.usage in ATTACHMENTS else ""


def _usage(use: Use, queue: str) -> str:
    allowed = _COPY_USAGES if queue == COPY else _COMPUTE_USAGES
    return "" if use.usage in allowed else f'it uses "{use.name}" as {use.usage}'


def _shader_stage(use: Use, queue: str) -> str:
    others = [stage for stage in use.stages if stage is not ShaderStage.COMPUTE] if use.usage in SHADER_USAGES else []
    return f'its {others[0]} shader uses "{use.name}"' if others else ""


NODE_RULES: Sequence[Callable[[NodeInstance, str, FrameFacts], str]] = (
    _missing_queue,
    _pipeline,
    _uses,
    _clear,
    _rate,
)
USE_RULES: Sequence[Callable[[Use, str], str]] = (_attachment, _usage, _shader_stage)


def _first(obstacles: Iterable[str]) -> str:
    return next(filter(None, obstacles), "")


# facts ----------------------------------------------------------------------------------------------------------------


def _graphics_only_resources(
    graph: InstanceGraph, histories: Mapping[str, AccessHistory], *, unified: bool
) -> Mapping[str, str]:
    """The resources whose users all stay on the graphics queue, with the first reason."""
    found: dict[str, str] = {}
    mixed = {} if unified else _usages_in_mixed_layouts(histories)
    for name, usages in mixed.items():
        # No semaphore orders two reads, yet reads in different layouts must not overlap.
        found.setdefault(name, f'"{name}" is read as {usages}, in different layouts')
    for item in graph.resources:
        if item.resource.external and item.id in histories and not _is_only_sampled(histories[item.id]):
            found.setdefault(item.id, f'"{item.id}" comes from outside the frame, which hands it to the graphics queue')
    for name in resources_of_rated_nodes(graph):
        found.setdefault(name, f'"{name}" is used by nodes that do not run in every frame')
    for name, accessed in histories.items():
        if accessed.cells and (accessed.history_reads or name in graph.sinks):
            why = f'parts of "{name}" are brought together at the end of the frame, on the graphics queue'
            found.setdefault(name, why)
    return found


def _cleared_resources(graph: InstanceGraph, histories: Mapping[str, AccessHistory]) -> Mapping[str, str]:
    """The nodes in front of which a texture, or a part of it, may be cleared, by id, with the texture."""
    found: dict[str, str] = {}
    for item in graph.resources:
        accessed = histories.get(item.id)
        if accessed is not None and needs_clear_command(item, accessed):
            nodes = [graph.nodes[node].id for node in accessed.nodes] if accessed.cells else [item.creator]
            found |= dict.fromkeys(nodes, item.id)
    return found


def _is_only_sampled(accessed: AccessHistory) -> bool:
    """Whether the resource is only read, and a texture only sampled."""
    layouts = (Layout.SHADER_READ_ONLY, Layout.UNDEFINED)
    return all(not access.scope.writes and access.scope.layout in layouts for access in accessed.own)


def _usages_in_mixed_layouts(histories: Mapping[str, AccessHistory]) -> Mapping[str, str]:
    """The usages of the textures that are read in several layouts, one for each layout."""
    result = {}
    for name, accessed in histories.items():
        layouts: dict[Layout, Set[Usage]] = {}
        for access in (*accessed.own, *accessed.history_reads):
            if not access.scope.writes:
                layouts.setdefault(access.scope.layout, access.usages)
        if len(layouts) > 1:
            result[name] = " and ".join(" and ".join(sorted(usages)) for usages in layouts.values())
    return result
