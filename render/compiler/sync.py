"""sync: the barriers of even and odd frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from render.compiler.handover import openings, waiting_for
from render.compiler.lives import Clock, Life, lives
from render.compiler.rest import Rest, as_resting, rest_of, returning
from render.compiler.stages import (
    Barrier,
    BarrierBatch,
    BarrierReason,
    ClearOp,
    InstanceGraph,
    Placement,
    ResourceInstance,
    StatePlan,
    SyncPlan,
)
from render.graph.resources import Texture
from render.sync.derive import Dependency, Opening, Step, derive, final_layout, reopened
from render.sync.flags import Access, Layout, Stage
from render.sync.usages import Scope

# The stage at which a frame waits until the display has let go of its image.
_ACQUIRED = Opening(Stage.COLOR_ATTACHMENT_OUTPUT, Access.NONE, BarrierReason.ACQUIRE)


def sync(graph: InstanceGraph, placement: Placement, state: StatePlan, rest: Rest | None = None) -> SyncPlan:
    """Barriers in front of passes, one batch a place.

    Each copy lives through its own frame's uses and then the next frame's history uses; its first use starts from
    undefined contents and waits for everything that shares its memory. ``rest`` is that of the whole graph when
    ``graph`` is without nodes that do not run in this frame; None when all of them run.
    """
    clock = Clock(state)
    all_lives = lives(graph, clock)
    if rest is None:
        rest = rest_of(graph, placement, all_lives)
    sources = openings(placement, {name: life.steps for name, life in rest.lives.items()})
    running = {node.id for node in graph.nodes}
    frames = (_Frame(clock), _Frame(clock))
    layouts = []
    for item in graph.resources:
        life = all_lives.get(item.id)
        if life is None:
            continue
        scope = rest.scopes.get(item.id)
        if scope is None:
            both = _dependencies(item, life, rest.lives[item.id], sources, clock)
        else:
            both = _resting(item, life, scope, sources, clock, made=item.creator in running)
        for copy, dependencies in enumerate(both):
            for dependency in dependencies:
                frame = frames[(copy + clock.frame(dependency.place)) % 2]
                frame.add(dependency.place, _barrier(item.id, copy, dependency))
            if life.cleared and item.resource.clear is not None:
                frames[copy].clear(life.own[0].place, ClearOp(item.id, copy, item.resource.clear))
        if isinstance(item.resource.desc, Texture) and (item.id, 0) in sources:
            layouts.append((item.id, scope.layout if scope else final_layout((*life.own, *life.present))))
    return SyncPlan(frames[0].batches(), frames[1].batches(), tuple(layouts))


def _resting(
    item: ResourceInstance,
    life: Life,
    rest: Scope,
    sources: Mapping[tuple[str, int], Opening],
    clock: Clock,
    *,
    made: bool,
) -> tuple[Sequence[Dependency], Sequence[Dependency]]:
    """Those of a resource that is the same at the end of every frame; ``made`` says that its creator runs."""
    own = returning((*life.own, *life.present), rest, clock.end)
    if item.resource.external or not made:
        same = derive(own, rest=rest)
        return same, same
    history = derive(as_resting(life.history, rest), rest=rest)
    even = derive(own, sources[item.id, 0])
    return (*even, *history), (*reopened(even, sources[item.id, 1]), *history)


def _dependencies(
    item: ResourceInstance,
    life: Life,
    whole: Life,
    sources: Mapping[tuple[str, int], Opening],
    clock: Clock,
) -> tuple[Sequence[Dependency], Sequence[Dependency]]:
    """Those of the even and of the odd copy; ``whole`` is the life in a frame in which all nodes run."""
    if item.resource.external:
        if isinstance(item.resource.desc, Texture):
            outside = _outside_texture(life, whole)
        else:
            outside = _outside_buffer(life.own, clock)
        return outside, outside
    if not life.steps:
        return (), ()
    even = derive(life.steps, sources[item.id, 0])
    return even, reopened(even, sources[item.id, 1])


def _outside_texture(life: Life, whole: Life) -> Sequence[Dependency]:
    """An image that the frame draws to, perhaps for the display; or an asset, which stays readable for good."""
    if life.present:
        *dependencies, last = derive(life.steps, _ACQUIRED)
        return (*dependencies, replace(last, reason=BarrierReason.PRESENT))
    if all(step.scope.layout is Layout.SHADER_READ_ONLY for step in whole.own):
        return ()
    # No semaphore stands between this frame and the last one that used the image.
    return derive(life.own, waiting_for(whole.own, _ACQUIRED))


def _outside_buffer(steps: Sequence[Step], clock: Clock) -> Sequence[Dependency]:
    """The same buffer serves every frame: the barriers of the middle one of three, if anything writes it at all."""
    if not any(step.scope.writes for step in steps):
        return ()
    three = [Step(step.place + turn * clock.length, step.scope) for turn in range(3) for step in steps]
    return [
        replace(dependency, place=dependency.place - clock.length)
        for dependency in derive(three)
        if clock.frame(dependency.place) == 1
    ]


def _barrier(resource: str, copy: int, dependency: Dependency) -> Barrier:
    return Barrier(
        resource,
        copy,
        dependency.src_stages,
        dependency.src_access,
        dependency.dst.stages,
        dependency.dst.access,
        dependency.old_layout,
        dependency.dst.layout,
        dependency.reason,
    )


class _Frame:
    """Collects the barriers and clear commands of one frame by their places."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._barriers: dict[tuple[int, int], list[Barrier]] = {}
        self._clears: dict[tuple[int, int], list[ClearOp]] = {}

    def add(self, place: int, barrier: Barrier) -> None:
        self._barriers.setdefault(self._clock.spot(place), []).append(barrier)

    def clear(self, place: int, clear: ClearOp) -> None:
        self._clears.setdefault(self._clock.spot(place), []).append(clear)

    def batches(self) -> tuple[BarrierBatch, ...]:
        return tuple(
            BarrierBatch(spot[0], tuple(self._barriers[spot]), tuple(self._clears.get(spot, ())))
            for spot in sorted(self._barriers)
        )
