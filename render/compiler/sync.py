"""sync: the barriers of even and odd frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from render.compiler.handover import openings, waiting_for
from render.compiler.lives import Clock, Life, lives
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

# The stage at which a frame waits until the display has let go of its image.
_ACQUIRED = Opening(Stage.COLOR_ATTACHMENT_OUTPUT, Access.NONE, BarrierReason.ACQUIRE)


def sync(graph: InstanceGraph, placement: Placement, state: StatePlan) -> SyncPlan:
    """Barriers in front of passes, one batch a place.

    Each copy lives through its own frame's uses and then the next frame's history uses; its first use starts from
    undefined contents and waits for everything that shares its memory.
    """
    clock = Clock(state)
    all_lives = lives(graph, clock)
    sources = openings(placement, {name: life.steps for name, life in all_lives.items()})
    frames = (_Frame(clock), _Frame(clock))
    rest = []
    for item in graph.resources:
        life = all_lives.get(item.id)
        if life is None:
            continue
        for copy, dependencies in enumerate(_dependencies(item, life, sources, clock)):
            for dependency in dependencies:
                frame = frames[(copy + clock.frame(dependency.place)) % 2]
                frame.add(dependency.place, _barrier(item.id, copy, dependency))
            if life.cleared and item.resource.clear is not None:
                frames[copy].clear(life.own[0].place, ClearOp(item.id, copy, item.resource.clear))
        if isinstance(item.resource.desc, Texture) and (item.id, 0) in sources:
            rest.append((item.id, final_layout((*life.own, *life.present))))
    return SyncPlan(frames[0].batches(), frames[1].batches(), tuple(rest))


def _dependencies(
    item: ResourceInstance, life: Life, sources: Mapping[tuple[str, int], Opening], clock: Clock
) -> tuple[Sequence[Dependency], Sequence[Dependency]]:
    """Those of the even and of the odd copy."""
    if item.resource.external:
        if isinstance(item.resource.desc, Texture):
            outside = _outside_texture(life)
        else:
            outside = _outside_buffer(life.own, clock)
        return outside, outside
    if not life.steps:
        return (), ()
    even = derive(life.steps, sources[item.id, 0])
    return even, reopened(even, sources[item.id, 1])


def _outside_texture(life: Life) -> Sequence[Dependency]:
    """An image that the frame draws to, perhaps for the display; or an asset, which stays readable for good."""
    if life.present:
        *dependencies, last = derive(life.steps, _ACQUIRED)
        return (*dependencies, replace(last, reason=BarrierReason.PRESENT))
    if all(step.scope.layout is Layout.SHADER_READ_ONLY for step in life.own):
        return ()
    # No semaphore stands between this frame and the last one that used the image.
    return derive(life.own, waiting_for(life.own, _ACQUIRED))


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
