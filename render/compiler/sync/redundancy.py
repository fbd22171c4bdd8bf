"""What barriers that are issued anyway order already, one behind another.

A barrier whose source holds a stage that an earlier one's destination holds goes on where that one ends: together they
order what the first waits for before what the second holds back. Source: the Vulkan specification, "Execution and
Memory Dependencies": dependency chains, and the availability and visibility of memory.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Generic, NamedTuple, TypeVar

from renderwright.render.sync.stage_order import with_earlier, with_later

T = TypeVar("T")


class Masks(NamedTuple):
    """Stages and accesses of a barrier's source, and those of its destination."""

    sources: int
    written: int
    targets: int
    read: int


class Link(NamedTuple, Generic[T]):
    """A barrier at ``place`` that waits for what came before the place at which it ``begins``: the same one, unless it
    is split. Places are numbers in the order of execution, those of earlier frames are negative.

    ``waited`` and ``held`` are all stages whose execution it orders. It is ``of`` all memory; None if it is of one
    image, so that it orders no more than that.
    """

    begins: int
    place: int
    masks: Masks
    waited: int
    held: int
    of: T | None


class _Step(NamedTuple, Generic[T]):
    """A link of a chain, and the one before it."""

    link: Link[T]
    before: _Step[T] | None


def link_of(begins: int, place: int, masks: Masks, of: T | None) -> Link[T]:
    """A barrier with these ``masks``."""
    return Link(begins, place, masks, with_earlier(masks.sources), with_later(masks.targets), of)


def chain(links: Sequence[Link[T]], wanted: Masks, since: int, place: int, but: T | None = None) -> list[T] | None:
    """Those of ``links`` that together do what a barrier with the ``wanted`` masks at ``place`` would do for what is
    over behind the place ``since``; the last one is at the end. None if there are none.

    The links are in the order of their places; ``but`` is left out.
    """
    near = links[bisect_right(links, since, key=_place) : bisect_right(links, place, key=_place)]
    later = [link for link in near if link.begins > since and (link.of is None or link.of is not but)]
    found: list[T] = []
    # All that is written is made available by one barrier; execution may be ordered by one for each stage.
    for source in (wanted.sources,) if wanted.written else _bits(wanted.sources):
        step = _last_step(later, wanted, source)
        if step is None:
            return None
        path = list(_path(step))
        found = [*[one for one in found if one not in path], *path[::-1]]
    return found


_place = attrgetter("place")


def _last_step(links: Iterable[Link[T]], wanted: Masks, source: int) -> _Step[T] | None:
    """The end of the chain that is soonest at the wanted destination."""
    steps: list[_Step[T]] = []
    held = 0
    for link in links:
        if not (link.waited & source or link.masks.sources & held):
            continue
        step = _Step(link, None) if _begins(link, wanted, source) else _next(steps, link)
        if step is None:
            continue
        if link.of is not None and _ends(link, wanted):
            return step
        if link.held & ~held:
            held |= link.held
            steps.append(step)
    return None


def _begins(link: Link[T], wanted: Masks, source: int) -> bool:
    """Whether the barrier waits for the ``source``: what was written it makes available, and of what was only read the
    stages in front of its own are over, too."""
    if wanted.written:
        return link.of is not None and not (source & ~link.masks.sources or wanted.written & ~link.masks.written)
    return bool(source & link.waited)


def _next(steps: Iterable[_Step[T]], link: Link[T]) -> _Step[T] | None:
    """The barrier behind one of the steps; what is issued together does not go on from one another."""
    for step in steps:
        if step.link.held & link.masks.sources and step.link.place < link.begins:
            return _Step(link, step)
    return None


def _ends(link: Link[T], wanted: Masks) -> bool:
    """Whether the barrier holds back the wanted destination, and makes visible to it what has been made available."""
    if wanted.read:
        return not (wanted.targets & ~link.masks.targets or wanted.read & ~link.masks.read)
    return not wanted.targets & ~link.held


def _path(step: _Step[T] | None) -> Iterator[T]:
    """From the last step to the first."""
    while step is not None:
        if step.link.of is not None:
            yield step.link.of
        step = step.before


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1
