"""The exact search knows what is known, so that the fuzzing can trust it."""

from __future__ import annotations

import pytest
from exact_packing import exact_makespan

from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.packing import PackPolicy, pack

# Load and heaviest clique are both 6.
ABOVE_ITS_CLIQUE = [
    PackItem(start, end, size)
    for start, end, size in zip([1, 4, 0, 2, 3, 2, 1], [4, 1, 4, 1, 2, 3, 2], [1, 2, 2, 1, 1, 2, 2], strict=True)
]


def unit_arcs(length: int) -> tuple[list[PackItem], int]:
    """Any two of these arcs meet, but no moment has more than ``length`` of them."""
    period = 2 * length - 1
    return [PackItem(start, (start + length) % period, 1) for start in range(period)], period


def test_the_exact_search_on_known_problems() -> None:
    assert exact_makespan(ABOVE_ITS_CLIQUE, 6) == 7
    for length in (2, 3, 4):
        assert exact_makespan(*unit_arcs(length)) == 2 * length - 1
    assert exact_makespan([PackItem(0, 1, 5, 8), PackItem(0, 1, 5, 8), PackItem(1, 2, 14)], 2) == 14
    assert exact_makespan([PackItem(0, 1, 5, 8), PackItem(0, 1, 5, 8, pin=24)], 2) == 29
    assert (
        exact_makespan([PackItem(3, 7, 3000, 8), PackItem(9, 3, 1000, 8, pin=0), PackItem(9, 0, 1000, 8, pin=2000)], 10)
        == 3000
    )


@pytest.mark.parametrize("policy", [PackPolicy.FAST, PackPolicy.BALANCED])
def test_the_packer_claims_no_more_than_it_has(policy: PackPolicy) -> None:
    packing = pack(ABOVE_ITS_CLIQUE, 6, policy)
    assert (packing.load, packing.clique) == (6, 6)
    assert packing.makespan >= 7
    assert not packing.optimal
    for length in (2, 3, 4):
        packing = pack(*unit_arcs(length), policy)
        assert (packing.makespan, packing.load) == (2 * length - 1, length)
