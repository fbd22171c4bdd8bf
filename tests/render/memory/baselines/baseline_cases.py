"""Random problems for the baselines, and a judge of layouts that counts bytes and moments one by one."""

from __future__ import annotations

import random
from dataclasses import replace

from renderwright.render.memory.baselines import BaselineItem, BaselineProblem, Layout, outlives_frame


def copies(start: int, length: int, size: int, frame: int, *, name: str = "", number: int = 0) -> list[BaselineItem]:
    """Both copies of a resource that begins at ``start`` of its frame; ``number`` is the index of the first."""
    even = BaselineItem(
        start, start + length, size, 1, name, outlives_frame(start, start + length, 2 * frame, frame), number + 1
    )
    return [even, replace(even, start=frame + start, end=frame + start + length, twin=number)]


def random_problem(rng: random.Random, *, alignments: tuple[int, ...] = (1, 1, 8, 3, 256)) -> BaselineProblem:
    """Frames of up to 20 nodes with transient resources, histories, kept ones and odd arcs, some described alike."""
    frame = rng.choice([1, 2, 5, 20])
    items: list[BaselineItem] = []
    for _ in range(rng.choice([0, 1, 2, 5, 9])):
        size = rng.choice([1, rng.randint(1, 9), rng.randint(1, 20000)])
        alignment = rng.choice(alignments)
        start = rng.randrange(frame)
        longest = rng.choice([frame - start, frame - start, 2 * frame])
        name = rng.choice(["", "image"])
        if rng.random() < 0.1:
            items.append(BaselineItem(start, start, size, alignment, outlives=True))
            continue
        pair = copies(start, rng.randint(1, longest), size, frame, name=name and f"{name} {size}", number=len(items))
        items += [replace(item, alignment=alignment) for item in pair]
    return BaselineProblem(tuple(items), 2 * frame)


def moments(item: BaselineItem, period: int) -> set[int]:
    """Every moment of the item's life."""
    length = (item.end - item.start) % period or period
    return {(item.start + step) % period for step in range(length)}


def load_of(problem: BaselineProblem) -> int:
    """The most bytes that are in use at one moment."""
    lives = [moments(item, problem.period) for item in problem.items]
    sums = (
        sum(item.size for item, life in zip(problem.items, lives, strict=True) if moment in life)
        for moment in range(problem.period)
    )
    return max(sums, default=0)


def faults(problem: BaselineProblem, layout: Layout) -> list[str]:
    """What is wrong with the layout."""
    found = []
    lives = [moments(item, problem.period) for item in problem.items]
    if len(layout.offsets) != len(problem.items):
        return [f"{len(layout.offsets)} offsets for {len(problem.items)} items"]
    for number, (item, offset) in enumerate(zip(problem.items, layout.offsets, strict=True)):
        if offset < 0 or offset % item.alignment:
            found.append(f"{item} at {offset}")
        if offset + item.size > layout.total:
            found.append(f"{item} at {offset} goes beyond {layout.total}")
        for other in range(number):
            apart = offset >= layout.offsets[other] + problem.items[other].size or (
                offset + item.size <= layout.offsets[other]
            )
            if lives[number] & lives[other] and not apart:
                found.append(f"{item} at {offset} overlaps {problem.items[other]} at {layout.offsets[other]}")
    return found
