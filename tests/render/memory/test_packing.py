from __future__ import annotations

import random

import pytest
from validity import wrong

from renderwright.render.memory.arcs import PackItem, arc_length, arcs_meet
from renderwright.render.memory.bound import load
from renderwright.render.memory.packing import Packing, PackPolicy, pack

POLICIES = [PackPolicy.FAST, PackPolicy.BALANCED]


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


@pytest.mark.parametrize(("policy", "most"), [(PackPolicy.FAST, 1.05), (PackPolicy.BALANCED, 1.01)])
def test_frame_graphs_are_packed_well(policy: PackPolicy, most: float) -> None:
    rng = random.Random(3)
    ratios = []
    for _ in range(12):
        items = frame_items(rng, 25, 25, 0.1)
        packing = pack(items, 50, policy)
        assert wrong(items, 50, packing) == []
        ratios.append(packing.makespan / packing.clique)
    assert sum(ratios) / len(ratios) < most


def test_more_work_never_makes_a_larger_heap() -> None:
    for seed in range(4):
        items = frame_items(random.Random(seed), 25, 15, 0.3)
        fast, balanced = (pack(items, 30, policy) for policy in POLICIES)
        thorough = pack(items, 30, PackPolicy.THOROUGH, steps=4000)
        assert thorough.makespan <= balanced.makespan <= fast.makespan
        assert wrong(items, 30, thorough) == []


def test_no_time_is_enough_time() -> None:
    items = frame_items(random.Random(1), 25, 15, 0.3)
    packing = pack(items, 30, PackPolicy.THOROUGH, seconds=0.0)
    assert wrong(items, 30, packing) == []


@pytest.mark.parametrize("policy", POLICIES)
def test_twins_share_an_offset_without_history(policy: PackPolicy) -> None:
    rng = random.Random(5)
    for _ in range(6):
        items = frame_items(rng, 12, 10, 0.0)
        packing = pack(items, 20, policy)
        untied = pack([PackItem(item.start, item.end, item.size, item.alignment) for item in items], 20, policy)
        assert packing.makespan <= untied.makespan
        tied = sum(packing.offsets[number] == packing.offsets[item.twin] for number, item in enumerate(items))
        assert tied >= 0.8 * len(items)


@pytest.mark.parametrize("policy", POLICIES)
def test_twins_do_not_make_the_heap_larger(policy: PackPolicy) -> None:
    # At one offset, the twins would need 3 bytes between them and the two long ones; apart, 2 are enough.
    items = [
        PackItem(0, 1, 1, 1, twin=1),
        PackItem(2, 3, 1, 1, twin=0),
        PackItem(0, 2, 1, 1),
        PackItem(1, 4, 1, 1),
    ]
    packing = pack(items, 4, policy)
    assert wrong(items, 4, packing) == []
    assert packing.makespan == 2


def test_twins_that_can_are_tied_where_others_cannot() -> None:
    # The twins of the test above and, at other times, two that no one is in the way of.
    items = [
        PackItem(0, 1, 1, 1, twin=1),
        PackItem(2, 3, 1, 1, twin=0),
        PackItem(0, 2, 1, 1),
        PackItem(1, 4, 1, 1),
        PackItem(4, 5, 2, 1, twin=5),
        PackItem(6, 7, 2, 1, twin=4),
    ]
    packing = pack(items, 8, PackPolicy.BALANCED)
    assert wrong(items, 8, packing) == []
    assert packing.makespan == 2
    assert packing.offsets[4] == packing.offsets[5]


@pytest.mark.parametrize("policy", list(PackPolicy))
def test_nothing_to_pack(policy: PackPolicy) -> None:
    assert pack([], 10, policy) == Packing((), 0, 0, 0, True)


GIANT = 8 << 30
EXACT = [
    (300, [PackItem(281, 100, 0x2000000, 1)], 0x2000000),
    (300, [PackItem(100, 200, 0x2000000, 8), PackItem(200, 100, 0x2000000, 8)], 0x2000000),
    (10, [PackItem(0, 0, 1, 1)] * 10, 10),
    (10, [PackItem(3, 7, 3000, 8), PackItem(9, 3, 1000, 8), PackItem(9, 0, 1000, 8)], 3000),
    (10, [PackItem(3, 7, 3000, 8), PackItem(9, 3, 1000, 8, pin=0), PackItem(9, 0, 1000, 8, pin=2000)], 3000),
    (1, [PackItem(0, 0, GIANT, 4 << 20), PackItem(0, 1, 1, 1), *[PackItem(5, 5, GIANT, 1)] * 300], 301 * GIANT + 1),
]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("period", "items", "makespan"), EXACT)
def test_exact_cases(period: int, items: list[PackItem], makespan: int, policy: PackPolicy) -> None:
    packing = pack(items, period, policy)
    assert wrong(items, period, packing) == []
    assert packing.makespan == makespan
    assert packing.optimal


def test_a_freed_block_is_used_only_until_its_owner_returns() -> None:
    # The item that crosses the cut frees its bytes at 2 and takes them back at 8; the second fits in between, the
    # third does not.
    items = [PackItem(8, 12, 4), PackItem(2, 8, 4), PackItem(2, 9, 4)]
    packing = pack(items, 10)
    assert wrong(items, 10, packing) == []
    assert packing.makespan == 8
    assert packing.offsets[1] != packing.offsets[2] != packing.offsets[0]


@pytest.mark.parametrize("policy", POLICIES)
def test_pins_hold_and_the_rest_goes_around(policy: PackPolicy) -> None:
    for seed in range(5):
        rng = random.Random(seed)
        free = frame_items(rng, 12, 10, 0.3)
        before = pack(free, 20)
        items = [
            PackItem(item.start, item.end, item.size, item.alignment, item.twin, offset if rng.random() < 0.4 else None)
            for item, offset in zip(free, before.offsets, strict=True)
        ]
        packing = pack(items, 20, policy)
        assert wrong(items, 20, packing) == []


def test_a_pin_above_all_else_is_the_bound() -> None:
    packing = pack([PackItem(0, 1, 8, 8, pin=64), PackItem(0, 1, 8, 8)], 2, PackPolicy.BALANCED)
    assert packing.offsets == (64, 0)
    assert (packing.makespan, packing.clique, packing.optimal) == (72, 16, True)


def test_pinned_twins_are_tied_only_where_they_can_be() -> None:
    items = [PackItem(0, 1, 8, 8, twin=1, pin=16), PackItem(1, 2, 8, 8, twin=0), PackItem(1, 2, 16, 8)]
    assert pack(items, 2).offsets == (16, 16, 0)
    apart = [PackItem(0, 1, 8, 8, twin=1, pin=16), PackItem(1, 2, 8, 8, twin=0, pin=0)]
    assert pack(apart, 2).offsets == (16, 0)


IMPOSSIBLE = [
    PackItem(0, 1, 0),
    PackItem(0, 1, -5),
    PackItem(0, 1, 1, 0),
    PackItem(0, 12, 1),
    PackItem(0, 1, 1, 1, 0),
    PackItem(0, 1, 1, 8, pin=4),
    PackItem(0, 1, 1, 8, pin=-8),
    PackItem(0, 1, 1 << 61),
]


@pytest.mark.parametrize("item", IMPOSSIBLE)
def test_impossible_items_are_refused(item: PackItem) -> None:
    with pytest.raises(ValueError, match="item"):
        pack([PackItem(0, 1, 1), item], 10)


def test_pins_that_clash_are_refused() -> None:
    with pytest.raises(ValueError, match="items 0 and 2 conflict"):
        pack([PackItem(0, 2, 8, 8, pin=8), PackItem(5, 6, 8, 8, pin=8), PackItem(1, 3, 8, 8, pin=8)], 10)


def test_an_empty_circle_is_refused() -> None:
    with pytest.raises(ValueError, match="circle of 0"):
        pack([PackItem(0, 0, 1)], 0)


@pytest.mark.parametrize("policy", POLICIES)
def test_packing_is_deterministic(policy: PackPolicy) -> None:
    items = frame_items(random.Random(1), 20, 30, 0.2)
    assert pack(items, 60, policy, seed=5) == pack(list(items), 60, policy, seed=5)


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
