"""sync: the barriers of even and odd frames.

``derive_barriers`` derives the pending barriers of each resource and collects them into batches. ``sync`` fills in the
source scopes of aliasing barriers, which depend on the placement, and coalesces the barriers of each batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from renderwright.render.compiler.rates import is_rated
from renderwright.render.compiler.resources.access_history import Timeline
from renderwright.render.compiler.resources.requirements import Outline
from renderwright.render.compiler.sync.aliasing import FrameMemory, alias
from renderwright.render.compiler.sync.batching import Batches, batched
from renderwright.render.compiler.sync.byte_ranges import Sharing
from renderwright.render.compiler.sync.cases import UsedResource, clears_of, pending_barriers
from renderwright.render.compiler.sync.coalescing import coalesce
from renderwright.render.compiler.sync.external import asset_scope
from renderwright.render.compiler.sync.pass_accesses import CopyAccesses, accesses_of
from renderwright.render.compiler.sync.program_points import ProgramPoints
from renderwright.render.compiler.sync.semaphore_coverage import SemaphoreCoverage, not_covered
from renderwright.render.compiler.sync.source_scopes import memory_use
from renderwright.render.compiler.sync.splitting import GpuWork
from renderwright.render.compiler.sync.steady_state import SteadyStates, steady_states
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.passes import StatePlan
from renderwright.render.sync.barriers import Splitting, SyncPlan
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.images import APART, Images
from renderwright.render.sync.layouts import SEPARATE, Layouts
from renderwright.render.types.resources import Texture


@dataclass(frozen=True)
class DerivedBarriers:
    """The barriers of even and odd frames in batches, first uses without source scopes, and the ``memory`` uses that
    these depend on. ``queues`` are those of the passes. The other fields are ``SyncPlan``'s."""

    batches: Batches
    memory: FrameMemory
    queues: tuple[str, ...]
    rest: tuple[tuple[str, Layout], ...]
    shared: frozenset[str]
    splitting: Splitting
    layouts: Layouts


def derive_barriers(
    graph: InstanceGraph,
    times: Mapping[str, Timeline],
    outline: Outline,
    state: StatePlan,
    coverage: SemaphoreCoverage | None = None,
    splitting: Splitting | None = None,
    steady: SteadyStates | None = None,
    layouts: Layouts = SEPARATE,
) -> DerivedBarriers:
    """Everything about the barriers of a frame except the source scopes of aliasing barriers.

    ``steady`` is that of the whole graph if ``graph`` is without the nodes that are skipped in this frame; None if all
    nodes run. ``outline`` is that of the whole graph. ``coverage`` is None where there is only one queue.
    """
    points = ProgramPoints(state)
    splitting = splitting or Splitting()
    regular = layouts.unified and steady is None and coverage is None
    regular = regular and not any(is_rated(node.declaration) for node in graph.nodes)
    kept = {name: steady.accesses[name] for name in steady.scopes} if steady is not None else None
    accesses = accesses_of(graph, times, points, layouts, kept)
    steady = steady or steady_states(graph, outline.lasting, accesses)
    owned = {shape.item.id for shape in outline.resources if shape.owned}
    in_memory = {name: each for name, each in steady.accesses.items() if name in owned}

    resources = list(_used_resources(graph, accesses, steady))
    pending = [barrier for resource in resources for barrier in pending_barriers(resource, points)]
    if coverage is not None:
        pending = list(not_covered(pending, coverage))
    clears = [clear for resource in resources for clear in clears_of(resource)]
    return DerivedBarriers(
        batched(pending, clears, points, GpuWork(graph.nodes, state, splitting)),
        FrameMemory(
            {name: memory_use(each, any_last=steady.irregular) for name, each in in_memory.items()},
            coverage,
            {name: each.all[-1].point if each.all else 0 for name, each in in_memory.items()} if regular else {},
            points.length,
        ),
        tuple([item.queue for item in state.passes]),
        tuple(
            [
                (one.item.id, one.layout_left)
                for one in resources
                if one.item.id in owned and isinstance(one.item.resource.desc, Texture)
            ]
        ),
        frozenset([name for name, each in accesses.items() if each.shared] if points.several_queues else ()),
        splitting,
        layouts,
    )


def _used_resources(
    graph: InstanceGraph, accesses: Mapping[str, CopyAccesses], steady: SteadyStates
) -> Iterator[UsedResource]:
    running = {node.id for node in graph.nodes}
    for item in graph.resources:
        own = accesses.get(item.id)
        if own is not None:
            whole = steady.accesses[item.id]
            scope = steady.scopes.get(item.id) or asset_scope(item, whole)
            discarded = not item.resource.external and (scope is None or item.creator in running)
            yield UsedResource(item, own, whole, scope, discarded)


def sync(derived: DerivedBarriers, shared: Sharing, images: Images = APART) -> SyncPlan:
    """The barriers in front of passes and behind them; copies with ``shared`` bytes wait for one another."""
    frames = alias(derived.batches, derived.memory, shared, images)
    # Where each usage has its own layout nearly all barriers change one, and coalescing the few others saves none.
    if derived.layouts.unified:
        frames = coalesce(frames, derived.queues, regular=bool(derived.memory.last_points))
    even, odd = frames
    return SyncPlan(even, odd, derived.rest, derived.shared, derived.splitting, derived.layouts, images)


def whole_frame(
    graph: InstanceGraph, times: Mapping[str, Timeline], outline: Outline, state: StatePlan, layouts: Layouts
) -> SteadyStates:
    """The steady states that all frames of a plan share, derived from the frame in which all nodes run."""
    return steady_states(graph, outline.lasting, accesses_of(graph, times, ProgramPoints(state), layouts))


def layouts_of(graph: InstanceGraph, unified: bool) -> Layouts:
    """The layouts of a graph's textures, ``unified`` or not."""
    if not unified:
        return SEPARATE
    return Layouts(True, frozenset([item.id for item in graph.resources if item.resource.external]))
