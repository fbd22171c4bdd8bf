"""Where the samples of a texel lie, and how many there can be."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from renderwright.engine.scene import Camera
from renderwright.engine.views import Rectangle, View
from renderwright.plugins.ssaa.samples import Samples, rotated_grid
from renderwright.plugins.ssaa.settings import SsaaSettings

COUNTS = [1, 4, 9, 16]


@pytest.mark.parametrize("count", COUNTS)
def test_each_row_and_each_column_of_a_texel_has_one_sample(count: int) -> None:
    even = pytest.approx([(number + 0.5) / count - 0.5 for number in range(count)])
    for axis in (0, 1):
        assert sorted(place[axis] for place in rotated_grid(count)) == even


def test_four_samples_are_the_rotated_grid_that_graphics_hardware_has() -> None:
    assert set(rotated_grid(4)) == {(-0.375, -0.125), (0.125, -0.375), (-0.125, 0.375), (0.375, 0.125)}


def test_samples_come_on_top_of_what_moves_the_view_already() -> None:
    view = View.of(Camera(), Rectangle(0, 0, 8, 8))
    moved = Samples(4).part(Samples(4).part(view, 0), 1)
    first, second = rotated_grid(4)[:2]
    assert moved.offset == (first[0] + second[0], first[1] + second[1])
    assert (moved.frustum, moved.rectangle) == (view.frustum, view.rectangle)


def test_counts_that_make_no_grid_are_refused() -> None:
    for count in COUNTS:
        assert SsaaSettings(samples=count).samples == count
    for count in (0, 2, 8, 25):
        with pytest.raises(ValidationError):
            SsaaSettings(samples=count)
