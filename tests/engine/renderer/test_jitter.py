"""Where temporal effects sample."""

from __future__ import annotations

import math

import pytest

from renderwright.engine.renderer.jitter import halton, offsets


def test_halton_is_the_published_sequence() -> None:
    assert [halton(number, 2) for number in range(1, 8)] == [1 / 2, 1 / 4, 3 / 4, 1 / 8, 5 / 8, 3 / 8, 7 / 8]
    assert [halton(number, 3) for number in range(1, 5)] == pytest.approx([1 / 3, 2 / 3, 1 / 9, 4 / 9])


@pytest.mark.parametrize("samples", [2, 8, 16, 64])
def test_points_differ_stay_near_and_are_centred(samples: int) -> None:
    points = offsets(samples)
    assert len(set(points)) == samples
    assert all(max(abs(x), abs(y)) < 0.75 for x, y in points)
    assert math.fsum(x for x, _ in points) == pytest.approx(0.0, abs=1e-12)
    assert math.fsum(y for _, y in points) == pytest.approx(0.0, abs=1e-12)


def test_every_quarter_of_the_texel_is_sampled_alike() -> None:
    counts = [0, 0, 0, 0]
    for x, y in offsets(16):
        counts[(x > 0) + 2 * (y > 0)] += 1
    assert max(counts) - min(counts) <= 2
