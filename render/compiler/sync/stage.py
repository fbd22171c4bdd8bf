"""sync: the barriers of even and odd frames.

``barrier_steps`` derives the pending barriers of each resource and collects them into batches. ``sync`` fills in the
source scopes of first-use barriers, which depend on the placement, and coalesces the barriers of each batch.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence, Set
from dataclasses import dataclass

from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.compiler.resources.requirements import Requirements
from renderwright.render.compiler.sync.aliasing import FrameMemory, alias, frame_memory
from renderwright.render.compiler.sync.batching import Batches, batched
from renderwright.render.compiler.sync.byte_ranges import ByteOverlaps
from renderwright.render.compiler.sync.cases import UsedResource, clears_of, pending_barriers, used_resources
from renderwright.render.compiler.sync.coalescing import coalesce
from renderwright.render.compiler.sync.pass_accesses import accesses_by_pass
from renderwright.render.compiler.sync.pending import PendingBarrier
from renderwright.render.compiler.sync.program_points import ProgramPoints
from renderwright.render.compiler.sync.semaphore_coverage import SemaphoreCoverage, not_covered
from renderwright.render.compiler.sync.splitting import GpuWork
from renderwright.render.compiler.sync.steady_state import SteadyStates, steady_states
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.passes import PassPlan
from renderwright.render.steps import all_of
from renderwright.render.sync.barriers import Splitting, SyncPlan
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.images import ImageReuse
from renderwright.render.sync.layouts import SEPARATE, Layouts
from renderwright.render.types.resources import Texture

RESOURCES_AT_ONCE = 32
"""The resources whose barriers are derived in a step, which takes a millisecond or two."""


@dataclass(frozen=True)
class DerivedBarriers:
    """The barriers of even and odd frames in batches, first-use barriers without source scopes, and how frames use the
    ``memory`` that these depend on. ``queues`` are those of the passes. The other fields are ``SyncPlan``'s."""

    batches: Batches
    memory: FrameMemory
    queues: tuple[str, ...]
    layouts_left: tuple[tuple[str, Layout], ...]
    concurrent: frozenset[str]
    splitting: Splitting
    layouts: Layouts


def derive_barriers(
    graph: InstanceGraph,
    histories: Mapping[str, AccessHistory],
    requirements: Requirements,
    pass_plan: PassPlan,
    coverage: SemaphoreCoverage | None,
    splitting: Splitting,
    steady: SteadyStates | None,
    layouts: Layouts,
    between: Callable[[], None] = lambda: None,
) -> DerivedBarriers:
    """``barrier_steps`` at once; ``between`` is called between them."""
    return all_of(
        barrier_steps(graph, histories, requirements, pass_plan, coverage, splitting, steady, layouts), between
    )


def barrier_steps(
    graph: InstanceGraph,
    histories: Mapping[str, AccessHistory],
    requirements: Requirements,
    pass_plan: PassPlan,
    coverage: SemaphoreCoverage | None,
    splitting: Splitting,
    steady: SteadyStates | None,
    layouts: Layouts,
) -> Generator[None, None, DerivedBarriers]:
    """Derives all about the barriers of a frame except the source scopes of first-use barriers, in short steps.

    If some nodes are skipped in this frame, ``graph`` is without them; ``steady`` and ``requirements`` are those of the
    whole graph; ``steady`` is None if all nodes run. ``coverage`` is None where there is only one queue.
    """
    points = ProgramPoints(pass_plan)
    accesses = accesses_by_pass(
        graph, histories, points, layouts, steady.steady_accesses if steady is not None else None
    )
    yield
    periodic = layouts.unified and steady is None and not graph.rated
    steady = steady or steady_states(graph, requirements.carried_over, accesses)
    resources = used_resources(graph, accesses, steady)
    owned = {required.item.id for required in requirements.resources if required.owned}
    batches = yield from _batches(resources, points, coverage, GpuWork(graph.nodes, pass_plan, splitting))
    yield
    return DerivedBarriers(
        batches,
        frame_memory(steady, owned, coverage, points, periodic=periodic),
        tuple([item.queue for item in pass_plan.passes]),
        _layouts_left(resources, owned),
        frozenset([each.name for each in resources if each.accesses.concurrent] if points.several_queues else ()),
        splitting,
        layouts,
    )


def _batches(
    resources: Sequence[UsedResource],
    points: ProgramPoints,
    coverage: SemaphoreCoverage | None,
    work: GpuWork,
) -> Generator[None, None, Batches]:
    """The barriers and clear commands of all resources, without barriers that semaphores cover."""
    pending: list[PendingBarrier] = []
    for number, resource in enumerate(resources):
        if number % RESOURCES_AT_ONCE == 0:
            yield
        pending += pending_barriers(resource, points)
    yield
    if coverage is not None:
        pending = not_covered(pending, coverage)
    clears = [clear for resource in resources for clear in clears_of(resource)]
    return batched(pending, clears, points, work)


def _layouts_left(resources: Sequence[UsedResource], owned: Set[str]) -> tuple[tuple[str, Layout], ...]:
    """The layouts in which a frame leaves the textures that the graph owns."""
    textures = [each for each in resources if each.name in owned and isinstance(each.item.resource.desc, Texture)]
    return tuple([(each.name, each.layout_left) for each in textures])


def sync(derived: DerivedBarriers, overlaps: ByteOverlaps, image_reuse: ImageReuse) -> SyncPlan:
    """The barriers in front of passes and behind them; copies whose bytes overlap wait for one another."""
    coalesced = derived.layouts.unified
    frames = alias(derived.batches, derived.memory, overlaps, image_reuse, coalesced=coalesced)
    # Where each usage has its own layout nearly all barriers change one, and coalescing the few others saves none.
    if coalesced:
        frames = coalesce(frames, derived.queues, periodic=derived.memory.periodic)
    even, odd = frames
    return SyncPlan(
        even, odd, derived.layouts_left, derived.concurrent, derived.splitting, derived.layouts, image_reuse
    )


def layouts_of(graph: InstanceGraph, unified: bool) -> Layouts:
    """The layouts of a graph's textures, ``unified`` or not."""
    if not unified:
        return SEPARATE
    return Layouts(True, frozenset([item.id for item in graph.resources if item.resource.external]))
