"""The accesses to each resource as the barriers see them: one step a pass, over its own frame and the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from render.compiler.outline import needs_clear_command
from render.compiler.stages import InstanceGraph, StatePlan
from render.compiler.timeline import NodeAccess, Timeline
from render.sync.derive import Step
from render.sync.flags import Access, Layout, Stage
from render.sync.merge import merge_scopes
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
        self._passes = [number for number, item in enumerate(state.passes) for _ in range(item.first, item.last + 1)]

    def before(self, node: int, frame: int = 0) -> int:
        """The place in front of the node's pass, ``frame`` frames on."""
        return frame * self.length + 2 * self._passes[node]

    def frame(self, place: int) -> int:
        """In which frame, counted from the resource's own, the place is."""
        return place // self.length

    def spot(self, place: int) -> tuple[int, int]:
        """The pass that the place is in front of, and 1 if it is behind that pass's clear commands, else 0."""
        return divmod(place % self.length, 2)


@dataclass(frozen=True)
class Life:
    """The steps of one copy: in its own frame, at that frame's end when it is presented, and in the next frame as
    history.

    ``cleared`` says that the first step is a clear command.
    """

    own: tuple[Step, ...]
    present: tuple[Step, ...]
    history: tuple[Step, ...]
    cleared: bool

    @property
    def steps(self) -> tuple[Step, ...]:
        """All of them in order."""
        return (*self.own, *self.present, *self.history)


def lives(graph: InstanceGraph, times: Mapping[str, Timeline], clock: Clock) -> Mapping[str, Life]:
    """The life of every texture and buffer, by resource id."""
    running = {node.id for node in graph.nodes}
    result = {}
    for item in graph.resources:
        time = times.get(item.id)
        if time is None:
            continue
        own = _steps(time.own, clock, 0)
        cleared = item.creator in running and needs_clear_command(item, time)
        if cleared:
            first = own[0]
            own = (Step(first.place, _CLEAR), Step(first.place + 1, first.scope), *own[1:])
        present = (Step(clock.end, _PRESENT),) if time.presented else ()
        result[item.id] = Life(own, present, _steps(time.history, clock, 1), cleared)
    return result


def _steps(accesses: Sequence[NodeAccess], clock: Clock, frame: int) -> tuple[Step, ...]:
    """One step for all accesses of a pass; only what needs no barrier in between shares a pass."""
    scopes: dict[int, Scope] = {}
    for access in accesses:
        place = clock.before(access.node, frame)
        scopes[place] = merge_scopes(scopes[place], access.scope) if place in scopes else access.scope
    return tuple(Step(place, scope) for place, scope in scopes.items())
