"""Collects the barriers of one frame into batches, and splits those that other work can run in the middle of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, compress
from typing import NamedTuple

from renderwright.render.columns import rows_of
from renderwright.render.compiler.sync.gpu_work import Work
from renderwright.render.compiler.sync.program_points import Clock
from renderwright.render.sync.barriers import Barrier, BarrierBatch, ClearOp, Split
from renderwright.render.sync.derive import Dependency

Spot = int
"""Three times the number of a pass, and where at it: 0 in front of it, 1 behind its clear commands, 2 behind it."""

_BEHIND = 2

_NO_CLEARS: tuple[Clears, Clears] = ((), ())

Copies = tuple[Barrier, Barrier]
"""The barriers of an even and of an odd copy."""

Clears = tuple[ClearOp, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """One dependency of a resource as barriers: the ``whole`` ones, ``short`` ones if it could be split but too little
    work runs in between, and the ``halves`` to issue if it is split, where it may be.

    ``place``, ``after`` and ``behind`` are those of the dependency; ``opens`` says that a life begins with it.
    """

    place: int
    after: int
    behind: bool
    opens: bool
    whole: Copies
    short: Copies
    halves: Copies | None


def link_of(name: str, dependency: Dependency, split: Split, short: Split = Split.SHORT, *, opens: bool) -> Link:
    """A dependency of a resource as a link; ``split`` says whether it may be split, or why not, and ``short`` why it is
    not if it may."""
    place, after, behind = dependency.place, dependency.after, dependency.behind
    if split is not Split.SPLIT:
        whole = _copies(name, dependency, split)
        return Link(place, after, behind, opens, whole, whole, None)
    whole, less, halves = (_copies(name, dependency, each) for each in (Split.ADJACENT, short, split))
    return Link(place, after, behind, opens, whole, less, halves)


def _copies(name: str, dependency: Dependency, split: Split) -> Copies:
    _, stages, access, dst, before, reason, _, _, owners = dependency
    what = stages, access, dst.stages, dst.access, before, dst.layout, reason, split, owners
    return Barrier(name, 0, *what), Barrier(name, 1, *what)


Placed = tuple[Sequence[Link], Sequence[int]]
"""Links whose places are numbers, and the places on the clock that these numbers stand for.

What is waited for is -1 if that is not known, and another negative place if it is in the frame before.
"""


class FirstUses(NamedTuple):
    """The barriers that open copies by column: their numbers in the row of all, and the queues and the places
    (``clock.Clock``) that they are at."""

    numbers: Sequence[int] = ()
    queues: Sequence[str] = ()
    places: Sequence[int] = ()


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
    first_uses: FirstUses = FirstUses()

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
        self._opening: list[tuple[Spot, int, int]] = []

    def add(self, rows: Iterable[Placed]) -> None:
        """Barriers. Where a life goes on in the next frame, an even frame has the odd copy's."""
        length, plain = self._clock.length, self._plain
        ranks, begins, ends, above = self._work
        for links, places in rows:
            for link in links:
                place = places[link.place]
                after = places[link.after]
                here = place % length
                since = number = here // 2
                spot = 3 * number + (_BEHIND if link.behind else here % 2)
                copies = link.whole
                if after != -1 and not link.opens:
                    since = (after - place + here) // 2
                begin = -1
                if link.halves is not None and ranks[number] - ranks[since] > 1:
                    if begins[number] - ends[since] > above:
                        begin, copies = 3 * since + _BEHIND, link.halves
                    else:
                        copies = link.short
                if place >= length:
                    copies = copies[1], copies[0]
                if begin >= 0:
                    self._halves.setdefault((begin, spot), []).append((copies, since))
                    continue
                row = plain.get(spot)
                if row is None:
                    row = plain[spot] = []
                if link.opens and not link.behind:
                    self._opening.append((spot, len(row), here))
                row.append((copies, since))

    def clear(self, place: int, even: ClearOp, odd: ClearOp) -> None:
        """Clear commands behind the barriers of their spot."""
        spot = 3 * self._clock.number(place) + place % 2
        evens, odds = self._clears.get(spot, _NO_CLEARS)
        self._clears[spot] = (*evens, even), (*odds, odd)

    def finish(self) -> Batched:
        """The batches in the order of issue, of one spot first those that need no event."""
        plain, clears, halves = self._plain, self._clears, self._halves
        found = [(spot, -1, plain.get(spot, []), clears.get(spot, _NO_CLEARS)) for spot in plain.keys() | clears.keys()]
        for event, between in enumerate(sorted(halves)):
            begin, end = between
            row = halves[between]
            found += (begin, event, row, _NO_CLEARS), (end, event, row, _NO_CLEARS)
        if not found:
            return Batched()
        found.sort()
        spots, events, rows, cleared = zip(*found, strict=True)
        ends = tuple(accumulate(map(len, rows)))
        barriers, since = zip(*chain.from_iterable(rows), strict=True) if ends[-1] else ((), ())
        evens, odds = zip(*cleared, strict=True)
        begins = {spot: begin for spot, event, begin in zip(spots, events, (0, *ends), strict=False) if event < 0}
        return Batched(
            tuple([spot // 3 for spot in spots]),
            tuple([spot % 3 == _BEHIND for spot in spots]),
            events,
            ends,
            (evens, odds),
            barriers,
            since,
            self._first_uses(begins),
        )

    def _first_uses(self, begins: Mapping[Spot, int]) -> FirstUses:
        """The openings, the barriers of each spot beginning at these numbers."""
        places = [place for _, _, place in self._opening]
        numbers = [begins[spot] + number for spot, number, _ in self._opening]
        return FirstUses(numbers, tuple(map(self._clock.queue, places)), places)
