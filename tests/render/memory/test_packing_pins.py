"""Pins together with what else the packer looks after."""

from __future__ import annotations

import pytest
from validity import wrong

from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.packing import PackPolicy, pack


@pytest.mark.parametrize("policy", [PackPolicy.FAST, PackPolicy.BALANCED])
def test_a_pinned_twin_that_would_lift_a_large_one_is_left_alone(policy: PackPolicy) -> None:
    # At one offset they would end at 8309355708; the search for such a packing must see that there is none and end.
    items = [PackItem(0, 3, 8309355699, twin=1), PackItem(5, 8, 2, twin=0, pin=9)]
    packing = pack(items, 10, policy, steps=40)
    assert wrong(items, 10, packing) == []
    assert (packing.offsets, packing.makespan, packing.optimal) == ((0, 9), 8309355699, True)
