"""Input and output of a baseline: live ranges on the circle of two frames, and a layout of memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from renderwright.render.memory.arcs import PackItem, arc_length


@dataclass(frozen=True)
class BaselineItem:
    """One copy of a resource: ``size`` bytes, in use on the half-open arc [start, end) of the circle.

    ``description`` is equal for items that could share one image, and '' for items that never share one. ``outlives``
    says that the copy is still in use when the next frame begins, such as one with a history reader. ``twin`` is the
    index of the resource's copy in the other frame, or -1 for a single copy.
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
    """All copies of one heap, and the period of the circle of two frames."""

    items: tuple[BaselineItem, ...]
    period: int


@dataclass(frozen=True)
class Layout:
    """An offset in bytes for each item, and the total size in bytes."""

    offsets: tuple[int, ...]
    total: int


@dataclass(frozen=True)
class Baseline:
    """A published packing method; ``origin`` names its source. Call it with a problem."""

    name: str
    origin: str
    place: Callable[[BaselineProblem], Layout]

    def __call__(self, problem: BaselineProblem) -> Layout:
        """The layout of the problem by this method."""
        return self.place(problem)


def outlives_frame(start: int, end: int, period: int, frame: int) -> bool:
    """Whether the arc [start, end) exceeds the frame of ``frame`` moments in which it starts."""
    return start % frame + arc_length(start, end, period) > frame


def from_items(items: Sequence[PackItem], period: int) -> BaselineProblem:
    """A problem from arcs and sizes alone, for instances without resources and frames.

    Two items of equal size and alignment whose arcs are half the circle apart count as the two copies of one resource,
    and half the circle as a frame. For an item without such a partner the frame is the whole circle. An arc that
    exceeds its frame outlives it, as arcs with a history reader do, and every arc longer than a frame. Equal size and
    alignment count as equal descriptions, which flatters the reuse of whole images.
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
    """The items grouped by texture of an engine with one texture for all frames: both copies of a resource that does
    not outlive its frame are one unit.

    Two frames are never in use at once, because they follow one another on one queue.
    """
    return tuple(
        (number, item.twin) if _is_pair(item) else (number,)
        for number, item in enumerate(problem.items)
        if not (_is_pair(item) and item.twin < number)
    )


def in_frame(problem: BaselineProblem) -> list[int]:
    """The items that do not outlive their frame."""
    return [number for number, item in enumerate(problem.items) if not item.outlives]


def outliving(problem: BaselineProblem) -> list[int]:
    """The items that outlive their frame, which methods on one frame's timeline do not alias."""
    return [number for number, item in enumerate(problem.items) if item.outlives]


def stack(problem: BaselineProblem, groups: Iterable[Sequence[int]], base: int = 0) -> tuple[dict[int, int], int]:
    """Stacks the groups, each at one offset, from ``base`` on; returns the offsets by item, and the end.

    The largest alignments come first, which minimises padding.
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
    """A layout with the offsets in item order."""
    return Layout(tuple(offsets[number] for number in range(len(problem.items))), total)


def aligned(offset: int, alignment: int) -> int:
    """``offset`` rounded up to a multiple of ``alignment``."""
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
