"""Collects the barriers of one frame into batches, and splits those that other work can run in the middle of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from render.compiler.between import Work
from render.compiler.lives import Clock
from render.sync.barriers import Barrier, BarrierBatch, ClearOp, Split
from render.sync.derive import Dependency

Spot = tuple[int, int]
"""A pass, and where at it: 0 in front of it, 1 behind its clear commands, 2 behind it."""

_BEHIND = 2

_NOTHING: tuple[list[Any], list[Any]] = ([], [])

_place = itemgetter(0, 1)

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


Placed = tuple[int, int, Link, bool]
"""A link with the places on the clock that it stands at and waits for; whether it is the first one of a life.

What is waited for is -1 if that is not known, and another negative place if it is in the frame before.
"""


Row = tuple[Barrier, int]
"""A barrier, and the pass that it waits for (``BarrierBatch.since``)."""

Pair = tuple[list[Row], list[Row]]
"""What stands at one spot in an even frame, and in an odd one."""


_Standing = tuple[Pair, Copies, Spot, str, int]
"""Where the barriers of both copies stand, and at which spot; the queue, if a life is opened there; and the pass that
they wait for."""


class Batches:
    """The barriers and clear commands of even and odd frames by their spots.

    What one frame has of a resource's even copy, the other has of the odd one, so both have batches at the same spots.
    """

    def __init__(self, clock: Clock, work: Work) -> None:
        self._clock = clock
        self._work = work
        self._plain: dict[Spot, Pair] = {}
        self._halves: dict[tuple[Spot, Spot], Pair] = {}
        self._clears: dict[Spot, tuple[list[ClearOp], list[ClearOp]]] = {}
        self._opening: tuple[list[tuple[Spot, int, str]], list[tuple[Spot, int, str]]] = ([], [])

    def add(self, placed: Iterable[Placed]) -> None:
        """All barriers of a resource. In a frame the even copy comes first, in its own frame or in the one after."""
        clock, plain = self._clock, self._plain
        length, spots = clock.length, clock.spots
        own: list[_Standing] = []
        later: list[_Standing] = []
        for place, after, (_, _, behind, barriers, halves), opens in placed:
            spot = spots[place % length]
            begin = None
            if behind:
                spot = spot[0], _BEHIND
            elif halves is not None and clock.apart(after, place):
                begin, barriers = self._split(place, after, barriers, halves)
            if begin is None:
                pair = plain.get(spot)
                if pair is None:
                    pair = plain[spot] = ([], [])
            else:
                pair = self._halves.setdefault((begin, spot), ([], []))
            queue = clock.queue(place) if opens and begin is None and not behind else ""
            if after == -1 or opens:
                since = spot[0]
            else:
                since = spots[after % length][0] if after // length == place // length else -1
            (own if place // length % 2 == 0 else later).append((pair, barriers, spot, queue, since))
        self._stand(own, 0, 0)
        if later:
            self._stand(later, 0, 1)
            self._stand(later, 1, 0)
        self._stand(own, 1, 1)

    def _split(self, place: int, after: int, whole: Copies, halves: Copies) -> tuple[Spot | None, Copies]:
        """Where a barrier that may be split begins, if it is; and what it is then."""
        reason = self._work.why_whole(after, place)
        if reason is None:
            return (self._clock.spot(after)[0], _BEHIND), halves
        even, odd = whole
        return None, (even._replace(split=reason), odd._replace(split=reason))

    def _stand(self, those: Iterable[_Standing], copy: int, frame: int) -> None:
        for pair, barriers, spot, queue, since in those:
            here = pair[frame]
            if queue:
                self._opening[frame].append((spot, len(here), queue))
            here.append((barriers[copy], since))

    def clear(self, place: int, even: ClearOp, odd: ClearOp) -> None:
        """Clear commands behind the barriers of their spot."""
        clears = self._clears.setdefault(self._clock.spot(place), ([], []))
        clears[0].append(even)
        clears[1].append(odd)

    def finish(self) -> tuple[tuple[tuple[BarrierBatch, ...], tuple[BarrierBatch, ...]], tuple[FirstUse, ...]]:
        """The batches of an even and of an odd frame in the order of issue, of one spot first those that need no event;
        and where in them copies are opened."""
        found: list[tuple[Spot, int, BarrierBatch, BarrierBatch]] = []
        for spot in self._plain.keys() | self._clears.keys():
            even, odd = self._plain.get(spot, _NOTHING)
            clears, others = self._clears.get(spot, _NOTHING)
            number, behind = spot[0], spot[1] == _BEHIND
            first, second = _batch(number, even, tuple(clears), behind), _batch(number, odd, tuple(others), behind)
            found.append((spot, -1, first, second))
        for event, ends in enumerate(sorted(self._halves)):
            one, other = self._halves[ends]
            for spot, behind in zip(ends, (True, False), strict=True):
                first, second = _batch(spot[0], one, (), behind, event), _batch(spot[0], other, (), behind, event)
                found.append((spot, event, first, second))
        found.sort(key=_place)
        numbers = {spot: number for number, (spot, event, _, _) in enumerate(found) if event < 0}
        uses = [
            FirstUse(frame, numbers[spot], barrier, queue, 2 * spot[0] + spot[1])
            for frame in (0, 1)
            for spot, barrier, queue in self._opening[frame]
        ]
        return (tuple([even for _, _, even, _ in found]), tuple([odd for _, _, _, odd in found])), tuple(uses)


def _batch(
    number: int, rows: Sequence[Row], clears: tuple[ClearOp, ...], behind: bool, event: int = -1
) -> BarrierBatch:
    barriers, since = tuple([barrier for barrier, _ in rows]), tuple([since for _, since in rows])
    return BarrierBatch(number, barriers, clears, behind, event, since=since)
