"""When the memory of long games counts as flat."""

from __future__ import annotations

import pytest
from fuzz_soak import MOST_GROWTH, is_flat

STEP = MOST_GROWTH


@pytest.mark.parametrize(
    "grown", [[STEP, 0], [STEP, STEP - 1, STEP - 1], [0, STEP, 0, 0], [0, STEP, 0, STEP, -STEP, 0], [0, 0, -STEP]]
)
def test_memory_may_grow_in_the_first_round_and_behind_a_step_stays(grown: list[int]) -> None:
    assert is_flat(_sums(grown))


@pytest.mark.parametrize("grown", [[0, STEP], [0, STEP, 0], [0, STEP, -STEP], [0, STEP, 0, STEP, 0], [STEP] * 5])
def test_what_grows_again_is_not_flat(grown: list[int]) -> None:
    assert not is_flat(_sums(grown))


def _sums(grown: list[int]) -> list[int]:
    held = [100 * STEP]
    for size in grown:
        held.append(held[-1] + size)
    return held
