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

_SPLIT = Barrier._fields.index("split")

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

    def add(self, rows: Sequence[Placed]) -> None:
        """All barriers of a resource. In a frame the even copy comes first, in its own frame or in the one after."""
        length = self._clock.length
        later = [row for row in rows if row[0] >= length]
        if later:
            self._stand(later, None, 0)
            rows = [row for row in rows if row[0] < length]
        self._stand(rows, 0, 1)
        if later:
            self._stand(later, 1, None)

    def _stand(self, rows: Iterable[Placed], in_even: int | None, in_odd: int | None) -> None:
        """Rows of one copy, which stand in an even frame, in an odd one, or in both; these say which copy's."""
        length, plain, opening = self._clock.length, self._plain, self._opening
        for place, after, (_, _, behind, barriers, halves), opens in rows:
            here = place % length
            number = here // 2
            spot = 3 * number + (_BEHIND if behind else here % 2)
            since = number
            if after != -1 and not opens:
                since = (after - place + here) // 2
            begin = None
            if halves is not None:
                begin, barriers = self._split(since, number, barriers, halves)
            if begin is None:
                pair = plain.get(spot)
                if pair is None:
                    pair = plain[spot] = ([], [])
            else:
                pair = self._halves.setdefault((begin, spot), ([], []))
            even, odd = pair
            if opens and begin is None and not behind:
                queue = self._clock.queue(place)
                if in_even is not None:
                    opening[0].append((spot, len(even) // 2, queue, here, barriers[in_even]))
                if in_odd is not None:
                    opening[1].append((spot, len(odd) // 2, queue, here, barriers[in_odd]))
            if in_even is not None:
                even += (barriers[in_even], since)
            if in_odd is not None:
                odd += (barriers[in_odd], since)

    def _split(self, first: int, last: int, whole: Copies, halves: Copies) -> tuple[Spot | None, Copies]:
        """Where a barrier that may be split begins, if it is; and what it is then."""
        split = self._work.split(first, last)
        if split is Split.ADJACENT:
            return None, whole
        if split is Split.SPLIT:
            return 3 * first + _BEHIND, halves
        even, odd = whole
        return None, (_whole(even, split), _whole(odd, split))

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
        return _batches(found), tuple(uses)

    def _first_uses(self, frame: int, numbers: Mapping[Spot, int]) -> Sequence[FirstUse]:
        opening = self._opening[frame]
        if not opening:
            return ()
        spots, *others = zip(*opening, strict=True)
        return rows_of(FirstUse, repeat(frame), map(numbers.__getitem__, spots), *others)


def _whole(barrier: Barrier, why: Split) -> Barrier:
    return Barrier._make((*barrier[:_SPLIT], why, *barrier[_SPLIT + 1 :]))


def _batches(found: Sequence[_Found]) -> tuple[tuple[BarrierBatch, ...], tuple[BarrierBatch, ...]]:
    """Those of an even and of an odd frame."""
    if not found:
        return (), ()
    spots, events, rows, clears = zip(*found, strict=True)
    numbers = [spot // 3 for spot in spots]
    behind = [spot % 3 == _BEHIND for spot in spots]
    even, odd = zip(*rows, strict=True)
    even_clears, odd_clears = zip(*clears, strict=True)
    frames = []
    for own, cleared in ((even, even_clears), (odd, odd_clears)):
        barriers = [tuple(each[::2]) for each in own]
        since = [tuple(each[1::2]) for each in own]
        frames.append(
            tuple(rows_of(BarrierBatch, numbers, barriers, map(tuple, cleared), behind, events, since, barriers))
        )
    return frames[0], frames[1]
