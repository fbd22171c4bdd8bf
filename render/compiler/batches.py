"""Collects the barriers of one frame into batches, and splits those that other work can run in the middle of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, compress
from operator import itemgetter
from typing import NamedTuple

from render.columns import named, rows_of
from render.compiler.between import Work
from render.compiler.lives import Clock
from render.sync.barriers import Barrier, BarrierBatch, ClearOp, Split
from render.sync.derive import Dependency

Spot = int
"""Three times the number of a pass, and where at it: 0 in front of it, 1 behind its clear commands, 2 behind it."""

_BEHIND = 2

_NO_CLEARS: tuple[Clears, Clears] = ((), ())

_by_issue = itemgetter(0, 1)

_SPLIT = Barrier._fields.index("split")

Copies = tuple[Barrier, Barrier]
"""The barriers of an even and of an odd copy."""

Clears = tuple[ClearOp, ...]


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


Placed = tuple[int, int, Link, bool]
"""A link with the places on the clock that it stands at and waits for; whether it is the first one of a life.

What is waited for is -1 if that is not known, and another negative place if it is in the frame before.
"""


class FirstUse(NamedTuple):
    """A barrier that opens a copy: its number in the row of all, and the queue and the place (``lives.Clock``) that it
    is at."""

    at: int
    queue: str
    place: int


class Batched(NamedTuple):
    """The batches of even and odd frames by column: an odd frame has the same ones, of the other copies.

    ``numbers``, ``behind`` and ``events`` are ``BarrierBatch``'s. The ``barriers`` of all batches stand in one row, in
    the order of issue, each as it is in an even and in an odd frame; ``since`` has what they wait for. Those of a batch
    reach up to its number in ``ends``. ``clears`` are the clear commands of each batch, in an even frame and in an odd
    one. ``first_uses`` open copies.
    """

    numbers: tuple[int, ...] = ()
    behind: tuple[bool, ...] = ()
    events: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    clears: tuple[Sequence[Clears], Sequence[Clears]] = ((), ())
    barriers: tuple[Copies, ...] = ()
    since: tuple[int, ...] = ()
    first_uses: tuple[FirstUse, ...] = ()

    def batches(
        self, parity: int, barriers: Sequence[Barrier | None], since: Sequence[int]
    ) -> tuple[BarrierBatch, ...]:
        """Those of an even (0) or odd (1) frame with the ``barriers`` of that frame, without those that are None and
        without batches of which nothing is left."""
        spans = list(map(slice, (0, *self.ends), self.ends))
        row, waited = tuple(barriers), tuple(since)
        own = [row[span] for span in spans]
        ats = [waited[span] for span in spans]
        if None in row:
            ats = [tuple(compress(some, those)) for some, those in zip(ats, own, strict=True)]
            own = [tuple(filter(None, those)) for those in own]
        found = rows_of(BarrierBatch, self.numbers, own, self.clears[parity], self.behind, self.events, ats, own)
        return tuple(found if all(own) else [batch for batch in found if batch.barriers or batch.clears])


_Row = tuple[Copies, int]
"""A barrier in an even and in an odd frame, and what it waits for."""


class Batches:
    """The barriers and clear commands of both frames by their spots."""

    def __init__(self, clock: Clock, work: Work) -> None:
        self._clock = clock
        self._work = work
        self._plain: dict[Spot, list[_Row]] = {}
        self._halves: dict[tuple[Spot, Spot], list[_Row]] = {}
        self._clears: dict[Spot, tuple[Clears, Clears]] = {}
        self._opening: list[tuple[Spot, int, str, int]] = []

    def add(self, rows: Iterable[Placed]) -> None:
        """Barriers. Where a life goes on in the next frame, an even frame has the odd copy's."""
        length, plain = self._clock.length, self._plain
        for place, after, (_, _, behind, copies, halves), opens in rows:
            here = place % length
            number = here // 2
            spot = 3 * number + (_BEHIND if behind else here % 2)
            since = number
            if after != -1 and not opens:
                since = (after - place + here) // 2
            begin = None
            if halves is not None:
                begin, copies = self._split(since, number, copies, halves)
            if place >= length:
                copies = copies[1], copies[0]
            if begin is not None:
                self._halves.setdefault((begin, spot), []).append((copies, since))
                continue
            row = plain.get(spot)
            if row is None:
                row = plain[spot] = []
            if opens and not behind:
                self._opening.append((spot, len(row), self._clock.queue(place), here))
            row.append((copies, since))

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
        spot = 3 * self._clock.number(place) + place % 2
        evens, odds = self._clears.get(spot, _NO_CLEARS)
        self._clears[spot] = (*evens, even), (*odds, odd)

    def finish(self) -> Batched:
        """The batches in the order of issue, of one spot first those that need no event."""
        plain, clears, halves = self._plain, self._clears, self._halves
        found = [(spot, -1, plain.get(spot, [])) for spot in plain.keys() | clears.keys()]
        for event, between in enumerate(sorted(halves)):
            found += [(spot, event, halves[between]) for spot in between]
        if not found:
            return Batched()
        found.sort(key=_by_issue)
        spots, events, rows = zip(*found, strict=True)
        ends = tuple(accumulate(map(len, rows)))
        barriers, since = zip(*chain.from_iterable(rows), strict=True) if ends[-1] else ((), ())
        plainly = [event < 0 for event in events]
        cleared = [
            clears[spot] if own and spot in clears else _NO_CLEARS for spot, own in zip(spots, plainly, strict=True)
        ]
        begins = dict(compress(zip(spots, (0, *ends), strict=False), plainly))
        return Batched(
            tuple([spot // 3 for spot in spots]),
            tuple([spot % 3 == _BEHIND for spot in spots]),
            events,
            ends,
            (tuple([even for even, _ in cleared]), tuple([odd for _, odd in cleared])),
            barriers,
            since,
            tuple(
                named(FirstUse, [(begins[spot] + number, queue, place) for spot, number, queue, place in self._opening])
            ),
        )


def _whole(barrier: Barrier, why: Split) -> Barrier:
    return Barrier._make((*barrier[:_SPLIT], why, *barrier[_SPLIT + 1 :]))
