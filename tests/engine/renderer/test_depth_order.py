"""Depths sorted by digits: the order of numpy's stable sort, equal depths and both zeros included."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.engine.renderer.depth_order import far_first


@pytest.mark.parametrize("count", [0, 1, 2, 1000])
def test_depths_are_in_the_order_of_a_stable_sort(count: int) -> None:
    chance = np.random.default_rng(count)
    for scale in (1e-40, 1e-3, 1.0, 1e6):
        depths = (scale * chance.normal(size=count)).astype(np.float32)
        assert np.array_equal(far_first(depths), np.argsort(-depths, kind="stable"))
    ties = chance.integers(-2, 3, count).astype(np.float32)
    ties[chance.random(count) < 0.2] = -0.0
    assert np.array_equal(far_first(ties), np.argsort(-ties, kind="stable"))
