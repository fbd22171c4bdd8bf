"""Collects the barriers of one frame into batches, and splits those that other work can run in the middle of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from operator import itemgetter
from typing import Any, NamedTuple

from render.columns import rows_of
from render.compiler.between import Work
from render.compiler.lives import Clock
from render.sync.barriers import Barrier, BarrierBatch, ClearOp, Split
from render.sync.derive import Dependency

Spot = int
"""Three times the number of a pass, and where at it: 0 in front of it, 1 behind its clear commands, 2 behind it."""

_BEHIND = 2

_NOTHING: tuple[list[Any], list[Any]] = ([], [])

_by_issue = itemgetter(0, 1)

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
    """Where in a frame (0 even, 1 odd) the ``barrier`` stands that opens a copy: number of the batch, number in it; and
    the queue and the place (``lives.Clock``) that it is at."""

    frame: int
    batch: int
    number: int
    queue: str
    place: int
    barrier: Barrier


Placed = tuple[int, int, Link, bool]
"""A link with the places on the clock that it stands at and waits for; whether it is the first one of a life.

What is waited for is -1 if that is not known, and another negative place if it is in the frame before.
"""


Rows = list[Any]
"""Barriers, each with the pass that it waits for behind it (``BarrierBatch.since``)."""

Pair = tuple[Rows, Rows]
"""What stands at one spot in an even frame, and in an odd one."""

_Standing = tuple[Pair, Copies, int, Spot, str, int]
"""Where the barriers of both copies stand, and the pass that they wait for; the spot, the queue if a life is opened
there, and the place."""

_Opening = tuple[Spot, int, str, int, Barrier]
"""A spot, and the fields of a ``FirstUse`` behind its batch."""

_Found = tuple[Spot, int, Pair, tuple[Sequence[ClearOp], Sequence[ClearOp]]]
"""A spot with the barriers, of one event or of none, and the clear commands of both frames."""


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
        self._opening: tuple[list[_Opening], list[_Opening]] = ([], [])

    def add(self, placed: Iterable[Placed]) -> None:
        """All barriers of a resource. In a frame the even copy comes first, in its own frame or in the one after."""
        clock, plain, apart = self._clock, self._plain, self._clock.apart
        length = clock.length
        own: list[_Standing] = []
        later: list[_Standing] = []
        for place, after, (_, _, behind, barriers, halves), opens in placed:
            turn, here = divmod(place, length)
            number = here // 2
            spot = 3 * number + (_BEHIND if behind else here % 2)
            begin = None
            if halves is not None and not behind and apart(after, place):
                begin, barriers = self._split(place, after, barriers, halves)
            if begin is None:
                pair = plain.get(spot)
                if pair is None:
                    pair = plain[spot] = ([], [])
            else:
                pair = self._halves.setdefault((begin, spot), ([], []))
            queue = clock.queue(place) if opens and begin is None and not behind else ""
            since = number
            if after != -1 and not opens:
                since = after % length // 2 if after // length == turn else -1
            (later if turn % 2 else own).append((pair, barriers, since, spot, queue, here))
        self._stand(own, 0, 0)
        if later:
            self._stand(later, 0, 1)
            self._stand(later, 1, 0)
        self._stand(own, 1, 1)

    def _split(self, place: int, after: int, whole: Copies, halves: Copies) -> tuple[Spot | None, Copies]:
        """Where a barrier that may be split begins, if it is; and what it is then."""
        reason = self._work.why_whole(after, place)
        if reason is None:
            return 3 * self._clock.number(after) + _BEHIND, halves
        even, odd = whole
        return None, (even._replace(split=reason), odd._replace(split=reason))

    def _stand(self, those: Iterable[_Standing], copy: int, frame: int) -> None:
        for pair, barriers, since, spot, queue, here in those:
            rows, barrier = pair[frame], barriers[copy]
            if queue:
                self._opening[frame].append((spot, len(rows) // 2, queue, here, barrier))
            rows += (barrier, since)

    def clear(self, place: int, even: ClearOp, odd: ClearOp) -> None:
        """Clear commands behind the barriers of their spot."""
        clears = self._clears.setdefault(3 * self._clock.number(place) + place % 2, ([], []))
        clears[0].append(even)
        clears[1].append(odd)

    def finish(self) -> tuple[tuple[tuple[BarrierBatch, ...], tuple[BarrierBatch, ...]], tuple[FirstUse, ...]]:
        """The batches of an even and of an odd frame in the order of issue, of one spot first those that need no event;
        and where in them copies are opened."""
        plain, clears, halves = self._plain, self._clears, self._halves
        found: list[_Found] = [
            (spot, -1, plain.get(spot, _NOTHING), clears.get(spot, _NOTHING)) for spot in plain.keys() | clears.keys()
        ]
        for event, ends in enumerate(sorted(halves)):
            found += [(spot, event, halves[ends], _NOTHING) for spot in ends]
        found.sort(key=_by_issue)
        numbers = {spot: number for number, (spot, event, _, _) in enumerate(found) if event < 0}
        uses = [use for frame in (0, 1) for use in self._first_uses(frame, numbers)]
        return (_batches(found, 0), _batches(found, 1)), tuple(uses)

    def _first_uses(self, frame: int, numbers: Mapping[Spot, int]) -> Sequence[FirstUse]:
        opening = self._opening[frame]
        if not opening:
            return ()
        spots, *others = zip(*opening, strict=True)
        return rows_of(FirstUse, repeat(frame), map(numbers.__getitem__, spots), *others)


def _batches(found: Sequence[_Found], frame: int) -> tuple[BarrierBatch, ...]:
    barriers = [tuple(rows[frame][::2]) for _, _, rows, _ in found]
    return tuple(
        rows_of(
            BarrierBatch,
            [spot // 3 for spot, _, _, _ in found],
            barriers,
            [tuple(clears[frame]) for _, _, _, clears in found],
            [spot % 3 == _BEHIND for spot, _, _, _ in found],
            [event for _, event, _, _ in found],
            [tuple(rows[frame][1::2]) for _, _, rows, _ in found],
            barriers,
        )
    )
