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


class Issue(NamedTuple):
    """A link where it belongs: in its resource's own frame (0) or the next (1), in front of or behind a pass.

    A split barrier has another spot to ``begin`` at. The first one of a life on a ``queue`` has this, others have ''.
    """

    frame: int
    spot: Spot
    barriers: Copies
    begin: Spot | None = None
    queue: str = ""


def issue_of(link: Link, place: int, after: int, clock: Clock, work: Work, *, opens: bool) -> Issue:
    """The link at a place of the clock's, waiting for another place; ``opens`` marks the first one of a life."""
    frame, spot = clock.frame(place), clock.spot(place)
    if link.behind:
        return Issue(frame, (spot[0], _BEHIND), link.whole)
    barriers = link.whole
    if link.halves is not None and clock.apart(after, place):
        reason = work.why_whole(after, place)
        if reason is None:
            return Issue(frame, spot, link.halves, (clock.spot(after)[0], _BEHIND))
        even, odd = barriers
        barriers = even._replace(split=reason), odd._replace(split=reason)
    return Issue(frame, spot, barriers, None, clock.queue(place) if opens else "")


class FrameBatches:
    """The barriers and clear commands of one frame by their spots."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._plain: dict[Spot, list[Barrier]] = {}
        self._halves: dict[tuple[Spot, Spot], list[Barrier]] = {}
        self._clears: dict[Spot, list[ClearOp]] = {}
        self._opening: list[tuple[Spot, int, str]] = []

    def add(self, issue: Issue, copy: int) -> None:
        """One copy's barrier."""
        if issue.begin is not None:
            self._halves.setdefault((issue.begin, issue.spot), []).append(issue.barriers[copy])
            return
        barriers = self._plain.setdefault(issue.spot, [])
        if issue.queue:
            self._opening.append((issue.spot, len(barriers), issue.queue))
        barriers.append(issue.barriers[copy])

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
