"""The barriers of even and odd frames, but for what first uses of memory wait for: that depends on who shares it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from render.compiler.handover import Reach, reach_of, waiting_for
from render.compiler.lives import Clock, Life, lives
from render.compiler.outline import Outline
from render.compiler.rest import Rest, as_resting, rest_of, returning
from render.compiler.stages import (
    Barrier,
    BarrierBatch,
    BarrierReason,
    ClearOp,
    InstanceGraph,
    ResourceInstance,
    StatePlan,
)
from render.compiler.timeline import Timeline
from render.graph.resources import Texture
from render.sync.derive import Dependency, Opening, Step, derive, final_layout
from render.sync.flags import Access, Layout, Stage
from render.sync.usages import Scope

# The stage at which a frame waits until the display has let go of its image.
_ACQUIRED = Opening(Stage.COLOR_ATTACHMENT_OUTPUT, Access.NONE, BarrierReason.ACQUIRE)

# To be told by ``sync``.
_OPEN = Opening(Stage.NONE, Access.NONE, BarrierReason.ACTIVATE)


@dataclass(frozen=True)
class FirstUse:
    """Where in a frame (0 even, 1 odd) the barrier stands that opens a copy: number of the batch, number in it."""

    frame: int
    batch: int
    barrier: int


@dataclass(frozen=True)
class Flows:
    """The batches of even and odd frames. The barriers at ``first_uses`` have no source yet; those of one copy of a
    resource wait for the ``reaches`` (by id) of all that share its memory. ``rest`` is ``SyncPlan.rest``."""

    frames: tuple[tuple[BarrierBatch, ...], tuple[BarrierBatch, ...]]
    first_uses: tuple[FirstUse, ...]
    reaches: Mapping[str, Reach]
    rest: tuple[tuple[str, Layout], ...]


def flows(
    graph: InstanceGraph,
    times: Mapping[str, Timeline],
    outline: Outline,
    state: StatePlan,
    rest: Rest | None = None,
) -> Flows:
    """Each copy lives through its own frame's uses and then the next frame's history uses.

    ``rest`` is that of the whole graph when ``graph`` is without nodes that do not run in this frame; None when all of
    them run. ``outline`` is that of the whole graph.
    """
    clock = Clock(state)
    all_lives = lives(graph, times, clock)
    if rest is None:
        rest = rest_of(graph, outline.lasting, all_lives)
    owned = {shape.item.id for shape in outline.resources if shape.owned}
    running = {node.id for node in graph.nodes}
    frames = (_Frame(clock), _Frame(clock))
    layouts = []
    for item in graph.resources:
        life = all_lives.get(item.id)
        if life is None:
            continue
        scope = rest.scopes.get(item.id)
        if scope is None:
            dependencies = _dependencies(item, life, rest.lives[item.id], clock)
            opens = not item.resource.external
        else:
            opens = not item.resource.external and item.creator in running
            dependencies = _resting(life, scope, clock, opens=opens)
        for copy in (0, 1):
            for number, dependency in enumerate(dependencies):
                frame = frames[(copy + clock.frame(dependency.place)) % 2]
                frame.add(dependency.place, _barrier(item.id, copy, dependency), opens and number == 0)
            if life.cleared and item.resource.clear is not None:
                frames[copy].clear(life.own[0].place, ClearOp(item.id, copy, item.resource.clear))
        if isinstance(item.resource.desc, Texture) and item.id in owned:
            layouts.append((item.id, scope.layout if scope else final_layout((*life.own, *life.present))))
    return Flows(
        (frames[0].batches(), frames[1].batches()),
        tuple(FirstUse(number, *place) for number, frame in enumerate(frames) for place in frame.first_uses()),
        {name: reach_of(life.steps) for name, life in rest.lives.items() if name in owned},
        tuple(layouts),
    )


def _resting(life: Life, rest: Scope, clock: Clock, *, opens: bool) -> Sequence[Dependency]:
    """Those of a resource that is the same at the end of every frame; ``opens`` says that each frame makes it anew."""
    own = returning((*life.own, *life.present), rest, clock.end)
    if not opens:
        return derive(own, rest=rest)
    return (*derive(own, _OPEN), *derive(as_resting(life.history, rest), rest=rest))


def _dependencies(item: ResourceInstance, life: Life, whole: Life, clock: Clock) -> Sequence[Dependency]:
    """Those of both copies alike; ``whole`` is the life in a frame in which all nodes run."""
    if not item.resource.external:
        return derive(life.steps, _OPEN)
    if isinstance(item.resource.desc, Texture):
        return _outside_texture(life, whole)
    return _outside_buffer(life.own, clock)


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
        self._opening: list[tuple[tuple[int, int], int]] = []

    def add(self, place: int, barrier: Barrier, opens: bool) -> None:
        spot = self._clock.spot(place)
        barriers = self._barriers.setdefault(spot, [])
        if opens:
            self._opening.append((spot, len(barriers)))
        barriers.append(barrier)

    def clear(self, place: int, clear: ClearOp) -> None:
        self._clears.setdefault(self._clock.spot(place), []).append(clear)

    def batches(self) -> tuple[BarrierBatch, ...]:
        return tuple(
            BarrierBatch(spot[0], tuple(self._barriers[spot]), tuple(self._clears.get(spot, ())))
            for spot in sorted(self._barriers)
        )

    def first_uses(self) -> list[tuple[int, int]]:
        """(number of the batch, number in it) of the barriers that open a copy."""
        numbers = {spot: number for number, spot in enumerate(sorted(self._barriers))}
        return [(numbers[spot], barrier) for spot, barrier in self._opening]
