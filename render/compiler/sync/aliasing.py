"""What the first use of each placed copy has to wait for: everything that ever touches the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, chain, count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from renderwright.render.compiler.sync.semaphore_coverage import Waited
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.sync.barriers import BarrierReason
from renderwright.render.sync.derive import Opening, Step
from renderwright.render.sync.flags import Access, Stage
from renderwright.render.sync.images import CopyKey
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.sync.scopes import Scope

Ints = NDArray[np.int64]

# Of what has no memory of the graph's, or where nobody on the queue had it.
_NOBODY = Opening(Stage.NONE, Access.NONE, BarrierReason.HANDOVER)


@dataclass(frozen=True)
class Sharing:
    """Which placed copies have bytes in common: all that barriers depend on in a placement. Those of one
    resource follow one another.

    ``ranges`` are the numbers of the byte ranges that the copies lie in: most are those of several copies. ``pairs``
    are those of ranges that overlap, each with itself among them, in order: one times the number of ranges plus the
    other, as 64-bit integers.
    """

    copies: tuple[CopyKey, ...]
    ranges: tuple[int, ...]
    pairs: bytes

    @cached_property
    def by_copy(self) -> tuple[Ints, Ints]:
        """For each copy a stretch of the second array, those that have bytes in common with it, itself among them; the
        first array says where each stretch begins."""
        ranges = np.array(self.ranges, np.int64)
        members, begins = self._members
        firsts, other = self._overlapping
        lengths = np.bincount(ranges)
        places, ends = _spelt(begins, lengths, other)
        begins, near = (ends - lengths[other])[firsts], members[places]
        lengths = np.diff(begins, append=len(near))
        places, ends = _spelt(begins, lengths, ranges)
        return ends - lengths[ranges], near[places]

    def gathered(self, unite: np.ufunc, values: Ints) -> Ints:
        """For each range the union of a value of each copy that has any of its bytes."""
        members, begins = self._members
        firsts, other = self._overlapping
        union: Ints = unite.reduceat(unite.reduceat(values[members], begins)[other], firsts)
        return union

    @cached_property
    def _members(self) -> tuple[Ints, Ints]:
        """The copies range by range, and where each range begins there."""
        ranges = np.array(self.ranges, np.int64)
        lengths = np.bincount(ranges)
        return ranges.argsort(kind="stable"), lengths.cumsum() - lengths

    @cached_property
    def _overlapping(self) -> tuple[Ints, Ints]:
        """For each range a stretch of the second array, the ranges that overlap with it; the first array says where
        each stretch begins."""
        number = max(self.ranges) + 1
        one, other = _divided(np.frombuffer(self.pairs, np.int64), number)
        return one.searchsorted(np.arange(number)), other


def _spelt(begins: Ints, lengths: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """The numbers in some stretches, one stretch behind the other, and where each of them ends there."""
    lengths = lengths[rows]
    ends = lengths.cumsum()
    return (begins[rows] + lengths - ends).repeat(lengths) + np.arange(ends[-1]), ends


def _divided(numbers: Ints, divisor: int) -> tuple[Ints, Ints]:
    """The same as numpy's ``divmod``, several times faster."""
    quotients = numbers // divisor
    return quotients, numbers - quotients * divisor


class Reach(NamedTuple):
    """What is to be waited for before memory passes on, by queue: stages, and writes that have to be made available
    (``Stage`` and ``Access`` as integers, which are quicker to unite)."""

    queues: tuple[tuple[str, int, int], ...]


def sharing(placement: Placement) -> Sharing:
    """Finds the copies whose byte ranges overlap."""
    placed = placement.resources
    copies = [(item.id, number) for item in placed for number in range(len(item.copies))]
    if not copies:
        return Sharing((), (), b"")
    # All heaps on one line, one behind the other.
    begins = [0, *accumulate([heap.size for heap in placement.heaps])]
    spans = [(begins[heap] + offset, item.size) for item in placed for heap, offset, _ in item.copies]
    # Most ranges are those of several copies.
    numbers: dict[tuple[int, int], int] = {}
    ranges = [numbers.setdefault(span, len(numbers)) for span in spans]
    starts, lengths = np.fromiter(chain.from_iterable(numbers), np.int64).reshape(-1, 2).T
    order = starts.argsort(kind="stable")
    starts = starts[order]
    # Each overlaps with itself and those right behind it that start before it ends.
    ranks = np.arange(len(order))
    reach = starts.searchsorted(starts + lengths[order]) - ranks
    one, other = order.repeat(reach), order[_spelt(ranks, reach, ranks)[0]]
    apart = one != other
    pairs = np.concatenate([one * len(order) + other, (other * len(order) + one)[apart]])
    pairs.sort()
    return Sharing(tuple(copies), tuple(ranges), pairs.tobytes())


CopyOnQueue = tuple[CopyKey, str]
"""A copy of a resource, and a queue."""


class Ends(NamedTuple):
    """What it takes to know whose last use of shared memory the semaphores between queues have waited for.

    ``spans`` are the places of the first step, the last and the last write on each queue, by resource id, in a frame
    in which all nodes run and on into the next one; -1 for no write.
    """

    waited: Waited
    spans: Mapping[str, Mapping[str, tuple[int, int, int]]]


def openings(
    shared: Sharing,
    reaches: Mapping[str, Reach],
    asked: Sequence[CopyOnQueue],
    ends: Ends | None = None,
    first: Mapping[CopyOnQueue, int] | None = None,
) -> list[Opening]:
    """For each copy and queue that is asked for, the reach on the queue of all copies whose bytes overlap with the
    copy's, its own previous life included.

    Frames run on a queue in turn, so a barrier reaches back to the previous frame as well as to earlier passes. Other
    queues have been waited for by then (``renderwright.render.compiler.queues``), and with ``ends`` what a queue gets
    back from these is left out; ``first`` then has the places at which copies are opened.
    """
    if not shared.copies:
        return [_NOBODY] * len(asked)
    names = [name for name, copy in shared.copies if copy == 0]
    owners = (np.array([copy for _, copy in shared.copies]) == 0).cumsum() - 1
    alone = shared.gathered(np.minimum, owners) == shared.gathered(np.maximum, owners)
    opened: dict[str, Mapping[CopyKey, Opening]] = {}
    for queue, found in _by_queue(reaches).items():
        columns = zip(*[found.get(name, (0, 0)) for name in names], strict=True)
        stages, writes = [np.array(column, np.int64)[owners] for column in columns]
        if ends is None:
            united = [shared.gathered(np.bitwise_or, column).tolist() for column in (stages, writes)]
            # All that lies in one range waits for the same.
            of_ranges = list(map(_opening, *united, alone.tolist()))
            opened[queue] = dict(zip(shared.copies, map(of_ranges.__getitem__, shared.ranges), strict=True))
        else:
            begins, near = shared.by_copy
            over = _over(shared, queue, ends, first or {}, owners, names)
            sources = [np.where(each, 0, column[near]) for each, column in zip(over, (stages, writes), strict=True)]
            united = [np.bitwise_or.reduceat(each, begins).tolist() for each in sources]
            unseen = np.logical_or.reduceat(~over[1], begins).tolist()
            of_copies = map(_opening, *united, alone[list(shared.ranges)].tolist(), unseen)
            opened[queue] = dict(zip(shared.copies, of_copies, strict=True))
    return [opened[queue].get(copy, _NOBODY) if queue in opened else _NOBODY for copy, queue in asked]


def _by_queue(reaches: Mapping[str, Reach]) -> Mapping[str, Mapping[str, tuple[int, int]]]:
    """The stages and writes of resources on each queue that any of them reaches, and on the graphics queue."""
    found: dict[str, dict[str, tuple[int, int]]] = {GRAPHICS: {}}
    for name, reach in reaches.items():
        for queue, stages, writes in reach.queues:
            if queue not in found:
                found[queue] = {}
            found[queue][name] = stages, writes
    return found


def last_before(
    shared: Sharing, lasts: Mapping[str, int], length: int, opened: Sequence[tuple[str, int, int, int]]
) -> list[int]:
    """The last place at which somebody has had the memory before it is ``opened``; those of earlier frames are
    negative.

    What is opened is given as resource id, copy, frame (0 even, 1 odd) and place. ``lasts`` are the places at which
    lives end, counted on into the next frame of ``length`` places. A life that shares memory ends in front of the place
    or begins behind it, since lives that share memory do not meet.
    """
    numbers = dict(zip(shared.copies, count()))
    found = [place for _, _, _, place in opened]
    placed = [at for at, (name, copy, _, _) in enumerate(opened) if (name, copy) in numbers]
    if not placed:
        return found
    rows = np.array([numbers[opened[at][:2]] for at in placed], np.int64)
    begins, near = shared.by_copy
    lengths = np.diff(begins, append=len(near))
    stretches, ends = _spelt(begins, lengths, rows)
    others = near[stretches]
    frames, places = np.array([opened[at][2:] for at in placed], np.int64).repeat(lengths[rows], axis=0).T
    last, parities = np.array([(lasts[name], copy) for name, copy in shared.copies], np.int64)[others].T
    # A copy has a life in every second frame.
    over = last - np.where(parities != frames, length, 0)
    over -= np.where(over < places, 0, 2 * length)
    for at, place in zip(placed, np.maximum.reduceat(over, ends - lengths[rows]).tolist(), strict=True):
        found[at] = place
    return found


# Equal ones are the same object, which is soonest compared.
@cache
def _opening(stages: int, writes: int, alone: bool, unseen: bool = True) -> Opening:
    reason = BarrierReason.ACTIVATE if alone else BarrierReason.HANDOVER
    return Opening(Stage(stages), Access(writes), reason, unseen)


def _over(
    shared: Sharing, queue: str, ends: Ends, first: Mapping[CopyOnQueue, int], owners: Ints, names: Sequence[str]
) -> NDArray[np.bool_]:
    """Of those that share with each copy (``Sharing.by_copy``) a row: whose last use on the queue is over by semaphores
    when the copy is opened; and one: whose last write."""
    waited = ends.waited
    newest, numbers = np.array(waited.newest, np.int64), np.array(waited.places, np.int64)
    begins, near = shared.by_copy
    mine = np.arange(len(shared.copies)).repeat(np.diff(begins, append=len(near)))
    parities = np.array([copy for _, copy in shared.copies], np.int64)
    places = np.array([first.get((copy, queue), -1) for copy in shared.copies], np.int64)[mine]
    spans = np.array([ends.spans[name].get(queue, (0, 0, -1)) for name in names], np.int64)[owners[near]]
    # The other copy belongs to every second frame, and its last use may come in the frame behind its own. It comes
    # wholly in front of the opening or wholly behind it, since lives that share memory do not meet.
    later, last = np.divmod(spans[:, 1:], len(numbers))
    before = (spans[:, 0] < np.array(waited.ends, np.int64)[places]) & (near != mine)
    odd = (parities[near] - parities[mine])[:, None] + later
    frames = np.where(odd % 2, 1, np.where(before[:, None] | (later > 0), 0, 2))
    begun = newest[numbers[np.array(waited.begins, np.int64)[places]]]
    over = (places >= 0)[:, None] & (begun[:, None] >= numbers[last] - frames * len(newest))
    result: NDArray[np.bool_] = over | (spans[:, 1:] < 0)
    return result.T


def _on(reach: Reach, queue: str) -> tuple[int, int]:
    for name, stages, writes in reach.queues:
        if name == queue:
            return stages, writes
    return 0, 0


def reach_of(scopes: Sequence[Scope], queues: Sequence[str]) -> Reach:
    """The reach of accesses, each with its queue."""
    found: dict[str, tuple[int, int]] = {}
    for scope, queue in set(zip(scopes, queues, strict=True)):
        stages, writes = found.get(queue, (0, 0))
        found[queue] = stages | int(scope.stages), writes | int(scope.write_access)
    return Reach(tuple([(queue, stages, writes) for queue, (stages, writes) in sorted(found.items())]))


def waiting_for(steps: tuple[Step, ...], opening: Opening) -> Opening:
    """An opening on the graphics queue that waits for the steps as well."""
    stages, writes = _on(reach_of([step.scope for step in steps], [step.queue for step in steps]), GRAPHICS)
    return Opening(opening.stages | Stage(stages), opening.access | Access(writes), opening.reason)
