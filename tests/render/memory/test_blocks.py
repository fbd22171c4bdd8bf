from __future__ import annotations

import random

import pytest

from renderwright.render.memory.arcs import PackItem, arcs_meet
from renderwright.render.memory.blocks import Block, pack_blocks
from renderwright.render.memory.bound import load
from renderwright.render.memory.packing import pack


def random_items(rng: random.Random, period: int) -> list[PackItem]:
    items: list[PackItem] = []
    for _ in range(rng.randint(1, 30)):
        start = rng.randrange(period // 2)
        end = start + rng.randint(1, period // 2)
        size, alignment = rng.randint(1, 40) * 16, rng.choice((1, 16, 64))
        pair = rng.random() < 0.5
        items.append(PackItem(start, end, size, alignment, len(items) + 1 if pair else -1))
        if pair:
            half = period // 2
            items.append(PackItem(start + half, end + half, size, alignment, len(items) - 1))
    return items


def check(items: list[PackItem], blocks: tuple[Block, ...], period: int, limit: int) -> None:
    assert sorted(number for block in blocks for number in block.items) == list(range(len(items)))
    for block in blocks:
        placed = list(zip(block.items, block.packing.offsets, strict=True))
        ends = [offset + items[number].size for number, offset in placed]
        assert block.packing.makespan == max(ends)
        assert block.packing.makespan <= limit or len(placed) == 1
        assert block.packing.load == load([items[number] for number, _ in placed], period)
        assert block.packing.load <= block.packing.makespan
        for place, (one, offset) in enumerate(placed):
            assert offset >= 0
            assert offset % items[one].alignment == 0
            for other, start in placed[:place]:
                apart = offset >= start + items[other].size or start >= offset + items[one].size
                lives = (items[one].start, items[one].end), (items[other].start, items[other].end)
                assert apart or not arcs_meet(*lives, period)


@pytest.mark.parametrize("seed", range(150))
def test_blocks_hold_every_item_once_and_keep_those_that_meet_apart(seed: int) -> None:
    rng = random.Random(seed)
    period = 2 * rng.randint(2, 12)
    items = random_items(rng, period)
    limit = rng.choice((1, 64, 640, 1000, 4096, 1 << 40))
    blocks = pack_blocks(items, period, limit, pack)
    check(items, blocks, period, limit)
    assert len(blocks) * max(limit, max(item.size for item in items)) >= load(items, period)


def test_one_block_is_the_packing_itself() -> None:
    items = [PackItem(0, 4, 100, 1, 1), PackItem(4, 8, 100, 1, 0), PackItem(2, 6, 50)]
    (block,) = pack_blocks(items, 8, 150, pack)
    assert block.items == (0, 1, 2)
    assert block.packing == pack(items, 8)


def test_an_item_beyond_the_limit_has_a_block_of_its_own() -> None:
    items = [PackItem(0, 0, 500), PackItem(0, 0, 60), PackItem(0, 0, 40)]
    blocks = pack_blocks(items, 8, 100, pack)
    assert sorted((block.items, block.packing.makespan) for block in blocks) == [((0,), 500), ((1, 2), 100)]


def test_what_does_not_fit_fills_holes_before_it_opens_a_block() -> None:
    # The packing ends at 120; the last item alone goes elsewhere, and the small one finds room below 100.
    items = [PackItem(0, 0, 60), PackItem(0, 0, 50), PackItem(0, 0, 10)]
    blocks = pack_blocks(items, 8, 100, pack)
    assert [block.items for block in blocks] == [(0, 2), (1,)]
