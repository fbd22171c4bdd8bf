"""What a baseline is given and what it answers: lives on the circle of two frames, and a layout of memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from renderwright.render.memory.arcs import PackItem, arc_length


@dataclass(frozen=True)
class BaselineItem:
    """One copy of a resource: ``size`` bytes, in use on the half-open arc [start, end) of the circle.

    ``description`` is equal for what one image could serve, and '' for what never shares an image. ``outlives`` says
    that the copy is still in use when the next frame begins, as one with a history reader is. ``twin`` is the index of
    the resource's copy in the other frame, or -1 if it has only this one.
    """

    start: int
    end: int
    size: int
    alignment: int = 1
    description: str = ""
    outlives: bool = False
    twin: int = -1


@dataclass(frozen=True)
class BaselineProblem:
    """All copies of one heap, and the length of the circle of two frames."""

    items: tuple[BaselineItem, ...]
    period: int


@dataclass(frozen=True)
class Layout:
    """An offset in bytes for each item, and the bytes that all of them take together."""

    offsets: tuple[int, ...]
    total: int


@dataclass(frozen=True)
class Baseline:
    """A published way to lay resources out; ``origin`` is where it comes from. Call it with a problem."""

    name: str
    origin: str
    place: Callable[[BaselineProblem], Layout]

    def __call__(self, problem: BaselineProblem) -> Layout:
        """The layout that this method finds."""
        return self.place(problem)


def outlives_frame(start: int, end: int, period: int, frame: int) -> bool:
    """Whether the arc [start, end) goes past the end of the frame of ``frame`` moments in which it starts."""
    return start % frame + arc_length(start, end, period) > frame


def from_items(items: Sequence[PackItem], period: int) -> BaselineProblem:
    """A problem of bare arcs and sizes, for instances that say nothing of resources and frames.

    Two items of equal size and alignment whose arcs are half the circle apart are taken for the two copies of one
    resource, and half the circle for a frame; an item without such a partner has the whole circle for its frame. An arc
    that goes past the end of its frame outlives it: on the circle of two frames that is what a history reader does to
    an arc, and it is so for every arc longer than a frame. Equal size and alignment stand for equal descriptions, which
    makes the reuse of whole images look better than it is.
    """
    twins = _twins(items, period)
    return BaselineProblem(
        tuple(
            BaselineItem(
                item.start,
                item.end,
                item.size,
                item.alignment,
                f"{item.size}/{item.alignment}",
                outlives_frame(item.start, item.end, period, period if twin < 0 else period // 2),
                twin,
            )
            for item, twin in zip(items, twins, strict=True)
        ),
        period,
    )


def units(problem: BaselineProblem) -> tuple[tuple[int, ...], ...]:
    """Items that an engine with one texture for all frames makes as one: both copies of what stays in its frame.

    Two frames are never in use at once: they follow one another on one queue, however many the CPU has prepared.
    """
    return tuple(
        (number, item.twin) if _is_pair(item) else (number,)
        for number, item in enumerate(problem.items)
        if not (_is_pair(item) and item.twin < number)
    )


def in_frame(problem: BaselineProblem) -> list[int]:
    """The items that are gone when their frame ends."""
    return [number for number, item in enumerate(problem.items) if not item.outlives]


def lasting(problem: BaselineProblem) -> list[int]:
    """The items that outlive their frame, which methods that know only one frame keep apart from the rest."""
    return [number for number, item in enumerate(problem.items) if item.outlives]


def stack(problem: BaselineProblem, groups: Iterable[Sequence[int]], base: int = 0) -> tuple[dict[int, int], int]:
    """Puts the groups, each at one offset, on top of each other from ``base`` on: the offsets by item, and the end.

    The largest alignments come first, so that little or nothing is lost between them.
    """
    offsets: dict[int, int] = {}
    top = base
    members = [(math.lcm(*(problem.items[number].alignment for number in group)), group) for group in groups]
    for alignment, group in sorted(members, key=lambda member: -member[0]):
        top = aligned(top, alignment)
        offsets.update(dict.fromkeys(group, top))
        top += max(problem.items[number].size for number in group)
    return offsets, top


def layout(problem: BaselineProblem, offsets: dict[int, int], total: int) -> Layout:
    """The offsets in the order of the items."""
    return Layout(tuple(offsets[number] for number in range(len(problem.items))), total)


def aligned(offset: int, alignment: int) -> int:
    """The next multiple of ``alignment`` from ``offset`` on."""
    return -(-offset // alignment) * alignment


def _is_pair(item: BaselineItem) -> bool:
    return item.twin >= 0 and not item.outlives


def _twins(items: Sequence[PackItem], period: int) -> list[int]:
    twins = [-1] * len(items)
    if period % 2:
        return twins
    waiting: dict[tuple[int, int, int, int], list[int]] = {}
    for number, item in enumerate(items):
        start, length = item.start % period, arc_length(item.start, item.end, period)
        partners = waiting.get(((start + period // 2) % period, length, item.size, item.alignment))
        if partners:
            twins[number] = partners.pop(0)
            twins[twins[number]] = number
        else:
            waiting.setdefault((start, length, item.size, item.alignment), []).append(number)
    return twins
