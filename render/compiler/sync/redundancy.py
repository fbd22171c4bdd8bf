"""Transitive reduction: barriers that others, which are issued anyway, imply.

A barrier whose source scope holds a stage of an earlier one's destination scope goes on where that one ends: the chain
orders what the first one waits for before what the second one holds back. Source: the Vulkan specification, "Execution
and Memory Dependencies": dependency chains, and the availability and visibility of memory.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Generic, NamedTuple, TypeVar

from renderwright.render.sync.stage_order import with_earlier, with_later

T = TypeVar("T")


class Masks(NamedTuple):
    """The stages and accesses of a barrier as integers, since operations of flags take long."""

    src_stages: int
    src_access: int
    dst_stages: int
    dst_access: int


class Ordering(NamedTuple, Generic[T]):
    """A barrier at ``point`` that waits for what came before the point at which it ``begins``: the same one, unless it
    is split. Points are numbers in the order of execution; those of earlier frames are negative.

    ``waited`` and ``held`` are all stages whose execution it orders. ``group`` identifies a barrier of all memory for
    the caller; it is None for a barrier of one image, which makes no other memory available or visible.
    """

    begins: int
    point: int
    masks: Masks
    waited: int
    held: int
    group: T | None


class _Chain(NamedTuple, Generic[T]):
    """A barrier, and the chain that it goes on from."""

    last: Ordering[T]
    before: _Chain[T] | None

    def barriers(self) -> list[Ordering[T]]:
        """The barriers, first to last."""
        earlier = self.before.barriers() if self.before is not None else []
        return [*earlier, self.last]


def ordering_of(begins: int, point: int, masks: Masks, group: T | None) -> Ordering[T]:
    """What a barrier with these ``masks`` orders."""
    return Ordering(begins, point, masks, with_earlier(masks.src_stages), with_later(masks.dst_stages), group)


def implying(
    orderings: Sequence[Ordering[T]], wanted: Masks, since: int, point: int, excluded: T | None = None
) -> list[T] | None:
    """The barriers that together imply one with the ``wanted`` masks at ``point``, which waits for what is over behind
    the point ``since``; the last one in execution comes last. None if they do not imply it.

    The ``orderings`` are sorted by their points; those of the ``excluded`` group do not count.
    """
    near = orderings[bisect_right(orderings, since, key=_point) : bisect_right(orderings, point, key=_point)]
    later = [each for each in near if each.begins > since and (each.group is None or each.group is not excluded)]
    found: dict[int, Ordering[T]] = {}
    # One barrier has to make all writes available; execution may be ordered by one for each stage.
    for source in (wanted.src_stages,) if wanted.src_access else _bits(wanted.src_stages):
        chain = _shortest_chain(later, wanted, source)
        if chain is None:
            return None
        found.update((id(each), each) for each in chain.barriers())
    return [each.group for each in sorted(found.values(), key=_point) if each.group is not None]


_point = attrgetter("point")


def _shortest_chain(orderings: Iterable[Ordering[T]], wanted: Masks, source: int) -> _Chain[T] | None:
    """The chain that is soonest at the wanted destination."""
    chains: list[_Chain[T]] = []
    held = 0
    for ordering in orderings:
        if not (ordering.waited & source or ordering.masks.src_stages & held):
            continue
        chain = _Chain(ordering, None) if _starts_chain(ordering, wanted, source) else _extended(chains, ordering)
        if chain is None:
            continue
        if ordering.group is not None and _completes_chain(ordering, wanted):
            return chain
        # A chain that holds back nothing more is as late as an earlier one that does the same.
        if ordering.held & ~held:
            held |= ordering.held
            chains.append(chain)
    return None


def _starts_chain(ordering: Ordering[T], wanted: Masks, source: int) -> bool:
    """Whether the barrier waits for the ``source``: it makes available what was written there; of what was only read,
    the stages in front of its own are over, too."""
    if wanted.src_access:
        masks = ordering.masks
        available = not (source & ~masks.src_stages or wanted.src_access & ~masks.src_access)
        return ordering.group is not None and available
    return bool(source & ordering.waited)


def _extended(chains: Iterable[_Chain[T]], ordering: Ordering[T]) -> _Chain[T] | None:
    """One of the chains with the barrier behind it; barriers that are issued together do not go on from one another."""
    for chain in chains:
        if chain.last.held & ordering.masks.src_stages and chain.last.point < ordering.begins:
            return _Chain(ordering, chain)
    return None


def _completes_chain(ordering: Ordering[T], wanted: Masks) -> bool:
    """Whether the barrier holds back the wanted destination, and makes visible to it what has been made available."""
    if wanted.dst_access:
        masks = ordering.masks
        return not (wanted.dst_stages & ~masks.dst_stages or wanted.dst_access & ~masks.dst_access)
    return not wanted.dst_stages & ~ordering.held


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1
