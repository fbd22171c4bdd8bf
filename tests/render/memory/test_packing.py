import random
import time
from collections.abc import Sequence

import pytest

from render.memory.arcs import arc_length, arcs_meet
from render.memory.bound import load
from render.memory.packing import Packing, PackItem, pack


def moments(item: PackItem, period: int) -> set[int]:
    """Every moment of the item's life, counted one by one."""
    length = (item.end - item.start) % period or period
    return {(item.start + step) % period for step in range(length)}


def check(items: Sequence[PackItem], packing: Packing, period: int) -> None:
    """The definition of a valid packing, byte for byte and moment for moment."""
    lives = [moments(item, period) for item in items]
    for number, item in enumerate(items):
        offset = packing.offsets[number]
        assert offset >= 0
        assert offset % item.alignment == 0
        for other in range(number):
            if lives[number] & lives[other]:
                above = offset >= packing.offsets[other] + items[other].size
                below = offset + item.size <= packing.offsets[other]
                assert above or below, (item, items[other])
    ends = [offset + item.size for offset, item in zip(packing.offsets, items, strict=True)]
    assert packing.makespan == max(ends, default=0)
    most = max(sum(item.size for item, life in zip(items, lives, strict=True) if t in life) for t in range(period))
    assert packing.load == most <= packing.makespan or not items


def random_items(rng: random.Random, period: int) -> list[PackItem]:
    count = rng.choice([1, 2, 3, 5, 8, 13])
    items = []
    for _ in range(count):
        start = rng.randrange(period)
        length = rng.choice([1, period, rng.randint(1, period), rng.randint(1, max(1, period // 3))])
        size = rng.choice([1, rng.randint(1, 9), rng.randint(1, 2**40)])
        items.append(PackItem(start, start + length, size, rng.choice([1, 1, 8, 3, 256, 2**30])))
    return items


def test_random_instances_are_packed_without_overlap() -> None:
    rng = random.Random(7)
    for _ in range(2500):
        period = rng.choice([1, 2, 3, 10, 40])
        items = random_items(rng, period)
        check(items, pack(items, period), period)


def frame_items(rng: random.Random, resources: int, nodes: int, history: float) -> list[PackItem]:
    items: list[PackItem] = []
    for _ in range(resources):
        first = rng.randrange(nodes)
        end = min(nodes, first + 1 + int(rng.expovariate(1 / 8)))
        size = 65536 * rng.choice([1, 2, 8, 20, 32, 127, 508])
        number = len(items)
        if rng.random() < history:
            end = nodes + 1 + rng.randrange(nodes)
            twins = (-1, -1)
        else:
            twins = (number + 1, number)
        items.append(PackItem(first, end, size, 65536, twins[0]))
        items.append(PackItem(nodes + first, nodes + end, size, 65536, twins[1]))
    return items


def test_frame_graphs_are_packed_well() -> None:
    rng = random.Random(3)
    ratios = []
    for _ in range(25):
        items = frame_items(rng, 30, 25, 0.1)
        packing = pack(items, 50)
        check(items, packing, 50)
        ratios.append(packing.makespan / packing.load)
    assert sum(ratios) / len(ratios) < 1.12


def test_twins_share_an_offset_without_history() -> None:
    rng = random.Random(5)
    for _ in range(20):
        items = frame_items(rng, 12, 10, 0.0)
        packing = pack(items, 20)
        untied = pack([PackItem(item.start, item.end, item.size, item.alignment) for item in items], 20)
        assert packing.makespan <= untied.makespan
        tied = sum(packing.offsets[number] == packing.offsets[item.twin] for number, item in enumerate(items))
        assert tied >= 0.8 * len(items)


def test_twins_do_not_make_the_heap_larger() -> None:
    # At one offset, the twins would need 3 bytes between them and the two long ones; apart, 2 are enough.
    items = [
        PackItem(0, 1, 1, 1, twin=1),
        PackItem(2, 3, 1, 1, twin=0),
        PackItem(0, 2, 1, 1),
        PackItem(1, 4, 1, 1),
    ]
    packing = pack(items, 4)
    check(items, packing, 4)
    assert packing.makespan == 2


def test_nothing_to_pack() -> None:
    assert pack([], 10) == Packing((), 0, 0)


EXACT = [
    (300, [PackItem(281, 100, 0x2000000, 1)], 0x2000000),
    (300, [PackItem(100, 200, 0x2000000, 8), PackItem(200, 100, 0x2000000, 8)], 0x2000000),
    (10, [PackItem(0, 0, 1, 1)] * 10, 10),
    (10, [PackItem(3, 7, 3000, 8), PackItem(9, 3, 1000, 8), PackItem(9, 0, 1000, 8)], 3000),
]


@pytest.mark.parametrize(("period", "items", "makespan"), EXACT)
def test_exact_cases(period: int, items: list[PackItem], makespan: int) -> None:
    packing = pack(items, period)
    check(items, packing, period)
    assert packing.makespan == makespan


def test_a_freed_block_is_used_only_until_its_owner_returns() -> None:
    # The item that crosses the cut frees its bytes at 2 and takes them back at 8; the second fits in between, the
    # third does not.
    crossing = PackItem(8, 12, 4)
    items = [crossing, PackItem(2, 8, 4), PackItem(2, 9, 4)]
    packing = pack(items, 10)
    check(items, packing, 10)
    assert packing.makespan == 8
    assert packing.offsets[0] == packing.offsets[1] != packing.offsets[2]


@pytest.mark.parametrize(
    "item", [PackItem(0, 1, 0), PackItem(0, 1, -5), PackItem(0, 1, 1, 0), PackItem(0, 12, 1), PackItem(0, 1, 1, 1, 0)]
)
def test_impossible_items_are_refused(item: PackItem) -> None:
    with pytest.raises(ValueError, match="item"):
        pack([PackItem(0, 1, 1), item], 10)


def test_packing_is_deterministic() -> None:
    items = frame_items(random.Random(1), 40, 30, 0.2)
    assert pack(items, 60) == pack(list(items), 60)


def test_three_hundred_resources_are_packed_quickly() -> None:
    items = frame_items(random.Random(2), 300, 300, 0.1)
    pack(items, 600)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        pack(items, 600)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.1  # 20 ms on an idle machine


def test_arcs() -> None:
    assert arc_length(8, 12, 10) == arc_length(8, 2, 10) == 4
    assert arc_length(3, 3, 10) == arc_length(3, 13, 10) == 10
    assert not arcs_meet((0, 5), (5, 10), 10)
    assert arcs_meet((8, 12), (1, 2), 10)
    assert not arcs_meet((8, 12), (2, 8), 10)


def test_load_of_wrapping_and_full_arcs() -> None:
    items = [PackItem(0, 10, 1), PackItem(8, 12, 2), PackItem(2, 8, 4)]
    assert load(items, 10) == 5
    assert load([PackItem(8, 12, 2), PackItem(1, 2, 3)], 10) == 5
