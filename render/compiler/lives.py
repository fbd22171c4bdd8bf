"""The accesses to each resource as the barriers see them: one step a pass, over its own frame and the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from render.compiler.outline import cells_to_clear, needs_clear_command
from render.compiler.stages import InstanceGraph, StatePlan
from render.compiler.timeline import StretchAccess, Timeline, as_stretches
from render.sync.derive import Step, is_shared
from render.sync.flags import Access, Layout, Stage
from render.sync.merge import merge_scopes
from render.sync.queues import COPY, GRAPHICS
from render.sync.ranges import Part
from render.sync.usages import Scope

_CLEAR = Scope(Stage.CLEAR, Access.TRANSFER_WRITE, Layout.TRANSFER_DST)

# Presentation waits for a semaphore. The stage is for an image without one: the next frame's first barrier waits there.
_PRESENT = Scope(Stage.COLOR_ATTACHMENT_OUTPUT, Access.NONE, Layout.PRESENT_SRC)


class Clock:
    """Numbers the places for barriers: two in front of each pass, since what waits for a clear command comes after it,
    and the same behind the last pass. The next frame goes on counting."""

    def __init__(self, state: StatePlan) -> None:
        self.end = 2 * len(state.passes)
        self.length = self.end + 2
        self._places = [
            2 * number for number, item in enumerate(state.passes) for _ in range(item.first, item.last + 1)
        ]
        self._next_places = [place + self.length for place in self._places]
        self._queues = [item.queue for item in state.passes]
        self.several = len(set(self._queues)) > 1
        counts = dict.fromkeys(self._queues, 0)
        self._ranks = []
        for queue in self._queues:
            self._ranks.append(counts[queue])
            counts[queue] += 1

    def places(self, frame: int) -> Sequence[int]:
        """The place in front of each node's pass, in this frame (0) or the next (1)."""
        return self._next_places if frame else self._places

    def frame(self, place: int) -> int:
        """In which frame, counted from the resource's own, the place is."""
        return place // self.length

    def queue(self, place: int) -> str:
        """The queue that the place is on; the end of a frame is on the graphics queue."""
        number = place % self.length // 2
        return self._queues[number] if number < len(self._queues) else GRAPHICS

    def apart(self, place: int, other: int) -> bool:
        """Whether a pass stands between those of two places in one frame, all on one queue that has events."""
        first, last = place % self.length // 2, other % self.length // 2
        if last >= len(self._ranks) or self._queues[last] == COPY:
            return False
        return self._ranks[last] - self._ranks[first] > 1

    def spot(self, place: int) -> tuple[int, int]:
        """The pass that the place is in front of, and 1 if it is behind that pass's clear commands, else 0."""
        return divmod(place % self.length, 2)


@dataclass(frozen=True)
class Life:
    """The steps of one copy: in its own frame, at that frame's end when it is presented, and in the next frame as
    history.

    ``cleared`` says that the first step is a clear command. Where parts of a texture are used, ``cells`` are the lives
    of those that its users tell apart, and the steps are all of theirs.

    The rest follows: all ``steps`` in order, their ``scopes`` and ``queues``, and whether no queue owns the resource
    (``shared``): several use it at once, or another one in the frame after.
    """

    own: tuple[Step, ...]
    present: tuple[Step, ...]
    history: tuple[Step, ...]
    cleared: bool
    cells: tuple[tuple[Part, Life], ...] = ()
    steps: tuple[Step, ...] = field(init=False, repr=False, compare=False)
    scopes: tuple[Scope, ...] = field(init=False, repr=False, compare=False)
    queues: tuple[str, ...] = field(init=False, repr=False, compare=False)
    shared: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # There are many lives, and each is asked for all of these: cached properties would take longer.
        steps = (*self.own, *self.present, *self.history)
        _, scopes, queues = zip(*steps, strict=True) if steps else ((), (), ())
        several = len(set(queues)) > 1
        shared = several and (bool(self.history) or is_shared(steps))
        if self.cells:
            shared = any(life.shared for _, life in self.cells)
        put = object.__setattr__
        put(self, "steps", steps)
        put(self, "scopes", scopes)
        put(self, "queues", queues)
        put(self, "shared", shared)


def lives(
    graph: InstanceGraph, times: Mapping[str, Timeline], clock: Clock, wholes: Mapping[str, Life] | None = None
) -> Mapping[str, Life]:
    """The life of every texture and buffer, by resource id.

    ``wholes`` are those of which parts are cleared for readers that may rest: their lives in a frame in which all run.
    """
    running = {node.id for node in graph.nodes}
    result = {}
    for item in graph.resources:
        time = times.get(item.id)
        if time is None:
            continue
        if time.cells:
            wanted = cells_to_clear(item, time) if item.creator in running else frozenset()
            if wholes and item.id in wholes and item.creator in running:
                cleared_parts = {part for part, life in wholes[item.id].cells if life.cleared}
                wanted |= {cell.part for cell in time.cells if not cell.own and cell.part in cleared_parts}
            result[item.id] = _cell_lives(
                time, clock, wanted, lasts=bool(time.history_stretches) or item.id in graph.sinks
            )
            continue
        own = _steps(time.own_stretches, clock, 0)
        cleared = item.creator in running and needs_clear_command(item, time)
        if cleared:
            own = _behind_clear(own)
        present = (Step(clock.end, _PRESENT),) if time.presented else ()
        result[item.id] = Life(own, present, _steps(time.history_stretches, clock, 1), cleared)
    return result


def _cell_lives(time: Timeline, clock: Clock, cleared: Set[Part], *, lasts: bool) -> Life:
    """The life of a texture of which parts are used; the ``cleared`` ones begin with a clear command.

    What nobody writes before it is read is cleared where the texture's life begins: all readers wait for that.
    What ``lasts`` ends in one layout, that of the next frame's readers if there are any: from outside, a texture has
    one layout.
    """
    found: list[tuple[Part, Life]] = []
    owns = [_steps(as_stretches(cell.own), clock, 0) for cell in time.cells]
    begin = min([own[0] for own in owns if own], key=lambda step: step.place, default=None)
    for cell, own in zip(time.cells, owns, strict=True):
        history = _steps(as_stretches(cell.history), clock, 1)
        if cell.part in cleared:
            if own and (own[0].scope.writes or begin is None or begin.place == own[0].place):
                own = _behind_clear(own)
            else:
                own = (Step(begin.place, _CLEAR, begin.queue) if begin else Step(clock.end, _CLEAR), *own)
        present = (Step(clock.end, _PRESENT),) if time.presented else ()
        found.append((cell.part, Life(own, present, history, cell.part in cleared)))
    used = any(life.own or life.history for _, life in found)  # in this frame, where its users may rest
    if lasts and not time.presented and used:
        end = _end(found)
        found = [(part, _ending_in(life, end, clock)) for part, life in found]

    def together(steps: Iterable[Sequence[Step]]) -> tuple[Step, ...]:
        return tuple(sorted([step for each in steps for step in each], key=lambda step: step.place))

    lives = [life for _, life in found]
    return Life(
        together(life.own for life in lives),
        together(life.present for life in lives),
        together(life.history for life in lives),
        bool(cleared),
        tuple(found),
    )


def _end(cells: Sequence[tuple[Part, Life]]) -> Scope:
    """How all of a texture is left: as its first history reader wants it, else as its last user of all left it."""
    history = [step for _, life in cells for step in life.history]
    own = [step for _, life in cells for step in life.own]
    step = min(history, key=lambda step: step.place) if history else max(own, key=lambda step: step.place)
    return step.scope


def _ending_in(life: Life, end: Scope, clock: Clock) -> Life:
    if life.own and life.own[-1].scope.layout == end.layout:
        return life
    place = max(clock.end, life.own[-1].place + 1) if life.own else clock.end
    return replace(life, present=(Step(place, end),))


def _behind_clear(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps with a clear command in front."""
    first = steps[0]
    return (Step(first.place, _CLEAR, first.queue), first._replace(place=first.place + 1), *steps[1:])


def _steps(accesses: Sequence[StretchAccess], clock: Clock, frame: int) -> tuple[Step, ...]:
    """One step for all accesses of a pass; only what needs no barrier in between shares a pass."""
    scopes: dict[int, Scope] = {}
    places = clock.places(frame)
    for first, last, scope, _ in accesses:
        # Alike neighbours mostly stand in one pass.
        for place in (places[first],) if places[first] == places[last] else dict.fromkeys(places[first : last + 1]):
            known = scopes.setdefault(place, scope)
            if known is not scope:
                scopes[place] = merge_scopes(known, scope)
    if clock.several:
        return tuple([Step(place, scope, clock.queue(place)) for place, scope in scopes.items()])
    return tuple([Step(place, scope) for place, scope in scopes.items()])
