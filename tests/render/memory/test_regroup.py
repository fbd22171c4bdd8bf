"""Items of one kind follow one another at one place, where that moves nothing else."""

from __future__ import annotations

import random

import pytest
from validity import moments, wrong

from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.packing import pack
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.memory.regroup import regroup

ONE, OTHER = 0, 1


def followers(items: list[PackItem], period: int, offsets: tuple[int, ...]) -> int:
    """How many items find their bytes as one of their kind at the very place has left them, byte for byte."""
    lives = [moments(item, period) for item in items]

    def last_before(number: int, byte: int) -> tuple[int, int]:
        """Who had the byte last, as (kind, offset) of that item."""
        for back in range(1, period + 1):
            moment = (items[number].start - back) % period
            for other, item in enumerate(items):
                if moment in lives[other] and offsets[other] <= byte < offsets[other] + item.size:
                    return item.kind if item.kind >= 0 else -2 - other, offsets[other]
        raise AssertionError("the item itself had it")

    return sum(
        all(
            last_before(number, byte) == (item.kind, offsets[number])
            for byte in range(offsets[number], offsets[number] + item.size)
        )
        for number, item in enumerate(items)
        if item.kind >= 0
    )


def test_an_item_moves_to_where_its_like_has_just_been() -> None:
    items = [PackItem(0, 2, 4, kind=ONE), PackItem(0, 2, 4), PackItem(3, 5, 4, kind=ONE)]
    assert followers(items, 6, (0, 4, 4)) == 1
    assert regroup(items, 6, (0, 4, 4)) == (0, 4, 0)
    assert followers(items, 6, (0, 4, 0)) == 2


def test_where_its_like_still_is_it_cannot_move() -> None:
    items = [PackItem(0, 4, 4, kind=ONE), PackItem(3, 5, 4, kind=ONE), PackItem(1, 2, 4)]
    assert regroup(items, 8, (0, 4, 4)) == (0, 4, 4)


def test_what_has_no_kind_or_a_pin_stays() -> None:
    plain = [PackItem(0, 2, 4), PackItem(3, 5, 4), PackItem(0, 2, 4)]
    assert regroup(plain, 6, (0, 4, 4)) == (0, 4, 4)
    pinned = [PackItem(0, 2, 4, pin=0, kind=ONE), PackItem(3, 5, 4, pin=4, kind=ONE), PackItem(0, 2, 4)]
    assert regroup(pinned, 6, (0, 4, 4)) == (0, 4, 4)


def test_twins_move_together() -> None:
    items = [
        PackItem(0, 2, 4, kind=ONE, twin=1),
        PackItem(6, 8, 4, kind=ONE, twin=0),
        PackItem(3, 5, 4, kind=ONE, twin=3),
        PackItem(9, 11, 4, kind=ONE, twin=2),
        PackItem(0, 2, 4),
        PackItem(6, 8, 4),
    ]
    found = regroup(items, 12, (0, 0, 4, 4, 4, 4))
    assert found == (0, 0, 0, 0, 4, 4)


def test_more_than_a_thousand_items_stay_where_they_are() -> None:
    items = [PackItem(0, 2, 4), *(PackItem(2 * turn, 2 * turn + 1, 4, kind=ONE) for turn in range(1100))]
    offsets = tuple(4 * number for number in range(len(items)))
    assert regroup(items, 5000, offsets) == offsets


@pytest.mark.parametrize("seed", range(150))
def test_packings_stay_valid_and_no_item_loses_more_than_others_gain(seed: int) -> None:
    chance = random.Random(seed)
    period = chance.randrange(4, 16)
    sizes = {ONE: chance.randrange(1, 4), OTHER: chance.randrange(1, 4)}
    items = []
    for _ in range(chance.randrange(2, 12)):
        kind = chance.choice([-1, ONE, OTHER])
        start = chance.randrange(period)
        items.append(
            PackItem(start, start + chance.randrange(1, period), sizes.get(kind) or chance.randrange(1, 5), kind=kind)
        )
        if chance.random() < 0.5:  # its twin lives half a circle later
            other = items[-1]._replace(start=start + period // 2, end=items[-1].end + period // 2, twin=len(items) - 1)
            items[-1] = items[-1]._replace(twin=len(items))
            items.append(other)
    apart = pack([item._replace(kind=-1) for item in items], period, PackPolicy.BALANCED)
    together = pack(items, period, PackPolicy.BALANCED)
    assert not wrong(items, period, together)
    assert together.makespan <= apart.makespan
    assert followers(items, period, together.offsets) >= followers(items, period, apart.offsets)
