"""The benchmark of multiview: what it counts is there, and is half."""

from __future__ import annotations

import pytest

from benchmarks.multiview import COLUMNS, cells, measure


@pytest.mark.vulkan
def test_geometry_is_drawn_half_as_often() -> None:
    pair = measure("deferred", 30, frames=2)
    assert (pair.apart.draws, pair.at_once.draws) == (60, 30)
    assert min(pair.apart.cpu, pair.at_once.cpu, pair.apart.gpu, pair.at_once.gpu) > 0
    assert min(pair.apart.memory, pair.at_once.memory) > 0
    row = cells("deferred", 30, pair)
    assert len(row) == len(COLUMNS)
    assert row[:4] == ("deferred", "30", "60", "30")
