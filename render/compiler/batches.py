"""Collects the barriers of one frame into batches, and splits those that other work can run in the middle of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from render.compiler.between import Work
from render.compiler.lives import Clock
from render.sync.barriers import Barrier, BarrierBatch, ClearOp, Split
from render.sync.derive import Dependency

Spot = tuple[int, int]
"""A pass, and where at it: 0 in front of it, 1 behind its clear commands, 2 behind it."""

_BEHIND = 2

Copies = tuple[Barrier, Barrier]
"""The barriers of an even and of an odd copy."""


class Link(NamedTuple):
    """One dependency of a resource as barriers; ``halves`` are those to issue if it is split, where it may be.

    ``place``, ``after`` and ``behind`` are those of the dependency.
    """

    place: int
    after: int
    behind: bool
    whole: Copies
    halves: Copies | None


def links_of(name: str, dependencies: Sequence[Dependency], split: Split) -> tuple[Link, ...]:
    """The dependencies of a resource as links; ``split`` says whether they may be split, or why not."""
    return tuple([_link(name, dependency, split) for dependency in dependencies])


def _link(name: str, dependency: Dependency, split: Split) -> Link:
    may = split is Split.SPLIT
    return Link(
        dependency.place,
        dependency.after,
        dependency.behind,
        _copies(name, dependency, Split.ADJACENT if may else split),
        _copies(name, dependency, Split.SPLIT) if may else None,
    )


def _copies(name: str, dependency: Dependency, split: Split) -> Copies:
    return _barrier(name, 0, dependency, split), _barrier(name, 1, dependency, split)


def _barrier(resource: str, copy: int, dependency: Dependency, split: Split) -> Barrier:
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
        split,
        dependency.owners,
    )


class FirstUse(NamedTuple):
    """Where in a frame (0 even, 1 odd) the barrier stands that opens a copy: number of the batch, number in it; and the
    queue and the place (``lives.Clock``) that it is at."""

    frame: int
    batch: int
    barrier: int
    queue: str
    place: int


class FrameBatches:
    """The barriers and clear commands of one frame by their spots."""

    def __init__(self, clock: Clock, work: Work) -> None:
        self._clock = clock
        self._work = work
        self._plain: dict[Spot, list[Barrier]] = {}
        self._halves: dict[tuple[Spot, Spot], list[Barrier]] = {}
        self._clears: dict[Spot, list[ClearOp]] = {}
        self._opening: list[tuple[Spot, int, str]] = []

    def add(self, place: int, after: int, link: Link, copy: int, opens: bool) -> None:
        """One copy's barriers; places are the clock's. ``opens`` marks the first one of a life."""
        spot = self._clock.spot(place)
        barrier = link.whole[copy]
        if link.behind:
            self._plain.setdefault((spot[0], _BEHIND), []).append(barrier)
            return
        if link.halves is not None and self._clock.apart(after, place):
            reason = self._work.why_whole(after, place)
            if reason is None:
                begin = self._clock.spot(after)[0], _BEHIND
                self._halves.setdefault((begin, spot), []).append(link.halves[copy])
                return
            barrier = barrier._replace(split=reason)
        barriers = self._plain.setdefault(spot, [])
        if opens:
            self._opening.append((spot, len(barriers), self._clock.queue(place)))
        barriers.append(barrier)

    def clear(self, place: int, clear: ClearOp) -> None:
        """A clear command behind the barriers of its spot."""
        self._clears.setdefault(self._clock.spot(place), []).append(clear)

    def finish(self, frame: int) -> tuple[tuple[BarrierBatch, ...], tuple[FirstUse, ...]]:
        """The batches in the order of issue, of one spot first those that need no event; and where in them copies
        are opened. ``frame`` is 0 for an even, 1 for an odd one."""
        found = [
            (spot, -1, BarrierBatch(spot[0], tuple(self._plain.get(spot, ())), tuple(clears), spot[1] == _BEHIND))
            for spot, clears in (dict.fromkeys(self._plain, ()) | self._clears).items()
        ]
        for event, (begin, end) in enumerate(sorted(self._halves)):
            both = tuple(self._halves[begin, end])
            found.append((begin, event, BarrierBatch(begin[0], both, behind=True, event=event)))
            found.append((end, event, BarrierBatch(end[0], both, event=event)))
        found.sort(key=lambda item: item[:2])
        numbers = {spot: number for number, (spot, event, _) in enumerate(found) if event < 0}
        uses = [
            FirstUse(frame, numbers[spot], barrier, queue, 2 * spot[0] + spot[1])
            for spot, barrier, queue in self._opening
        ]
        return tuple([batch for _, _, batch in found]), tuple(uses)
