"""Random packing problems on the circle, degenerate ones included."""

from __future__ import annotations

import random

from renderwright.render.memory.arcs import PackItem, arcs_meet

PERIODS = (1, 1, 2, 3, 7, 10, 24, 60)
COUNTS = (0, 1, 2, 3, 5, 8, 13, 21, 34)
LARGE = 8 * 2**30
ALIGNMENTS = (1, 2, 3, 8, 256, 4096, 65536, 4 * 2**20)


def random_problem(rng: random.Random) -> tuple[list[PackItem], int]:
    """Items and the moments of their circle."""
    period = rng.choice(PERIODS)
    alignments = rng.sample(ALIGNMENTS, rng.randint(1, 3))
    sizes = rng.choice((_bytes, _multiples, _extremes, _equal))
    arcs = rng.choice((_short, _any, _full, _same, _in_two_frames))
    items = [
        PackItem(*arcs(rng, period, number), sizes(rng, number), rng.choice(alignments))
        for number in range(rng.choice(COUNTS))
    ]
    if rng.random() < 0.3:
        items = with_twins(rng, items)
    if rng.random() < 0.3:
        items = with_pins(rng, items, period)
    return items, period


def small_problem(rng: random.Random, most: int = 9) -> tuple[list[PackItem], int]:
    """The same with few items, small sizes and mostly more conflicts than the load shows: for exact search."""
    period = rng.choice((1, 3, 5, 6, 7, 11, 20))
    longest = rng.choice((1, period // 3 + 1, period // 2 + 1, period))
    alignments = rng.choice(((1,), (1, 2), (1, 2, 4), (3, 8), (4, 8, 16)))
    items = []
    for _ in range(rng.randint(1, most)):
        start = rng.randrange(period)
        end = (start + rng.randint(1, min(longest, period))) % period
        items.append(PackItem(start, end, rng.randint(1, rng.choice((2, 5, 20))), rng.choice(alignments)))
    return (with_pins(rng, items, period) if rng.random() < 0.4 else items), period


def with_twins(rng: random.Random, items: list[PackItem]) -> list[PackItem]:
    """Some pairs of items would like the same offset, whether they can have it or not."""
    order = rng.sample(range(len(items)), len(items))
    twins = dict(zip(order[::2], order[1::2], strict=False))
    twins = {one: other for one, other in twins.items() if rng.random() < 0.7}
    twins |= {other: one for one, other in twins.items()}
    return [item._replace(twin=twins.get(number, -1)) for number, item in enumerate(items)]


def with_pins(rng: random.Random, items: list[PackItem], period: int) -> list[PackItem]:
    """Some items have an offset already, where they do not disturb each other."""
    result = list(items)
    for number in rng.sample(range(len(items)), len(items) // rng.randint(2, 5)):
        item = items[number]
        offset = rng.choice((0, rng.randint(0, 4), rng.randint(0, 40))) * item.alignment
        if all(_apart(item, offset, other, period) for other in result if other.pin is not None):
            result[number] = item._replace(pin=offset)
    return result


def _apart(item: PackItem, offset: int, other: PackItem, period: int) -> bool:
    assert other.pin is not None
    if offset + item.size <= other.pin or other.pin + other.size <= offset:
        return True
    return not arcs_meet((item.start, item.end), (other.start, other.end), period)


def _bytes(rng: random.Random, number: int) -> int:
    return rng.randint(1, 9)


def _multiples(rng: random.Random, number: int) -> int:
    return 65536 * rng.choice((1, 2, 8, 20, 32, 127, 508))


def _extremes(rng: random.Random, number: int) -> int:
    return rng.choice((1, 2, LARGE - 1, LARGE, rng.randint(1, LARGE)))


def _equal(rng: random.Random, number: int) -> int:
    return 4096


def _short(rng: random.Random, period: int, number: int) -> tuple[int, int]:
    start = rng.randrange(period)
    return start, start + rng.randint(1, period // 4 + 1)


def _any(rng: random.Random, period: int, number: int) -> tuple[int, int]:
    # Equal ends are a window of no moments as written, which means the whole circle.
    return rng.randrange(period), rng.randrange(period)


def _full(rng: random.Random, period: int, number: int) -> tuple[int, int]:
    start = rng.randrange(period)
    return rng.choice(((start, start), (start, start + period), (0, period), (start, start + 1)))


def _same(rng: random.Random, period: int, number: int) -> tuple[int, int]:
    return period // 2, period // 2 + 1 + (number % 3 == 0) * (period // 3)


def _in_two_frames(rng: random.Random, period: int, number: int) -> tuple[int, int]:
    """Odd numbers are the copy of the item before in the other frame."""
    frame = max(1, period // 2)
    of_pair = random.Random(f"{number // 2} {period}")
    start = of_pair.randrange(frame) + (number % 2) * (period - frame)
    return start, start + of_pair.randint(1, frame if of_pair.random() < 0.8 else period)
