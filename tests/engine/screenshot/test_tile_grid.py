"""Tiles cover a picture once, and what is rendered of them covers their borders."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.engine.screenshot.grid import ALIGNMENT, TileGrid
from renderwright.render.errors import UsageError

GRIDS = [
    TileGrid((640, 360), 3, 2, 40),
    TileGrid((1000, 700), 4, 4, 128),
    TileGrid((15360, 8640), 4, 4, 128),
    TileGrid((50, 30), 1, 1, 128),
    TileGrid((7, 5), 7, 5, 0),
]


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_the_kept_parts_cover_each_texel_once_line_by_line(grid: TileGrid) -> None:
    step = max(1, grid.picture[0] // 700)  # large ones would take gigabytes
    covered = np.zeros((-(-grid.picture[1] // step), -(-grid.picture[0] // step)), np.uint8)
    bottom = 0
    for line in grid.lines():
        right = 0
        for kept, _ in line:
            assert (kept.x, kept.y) == (right, bottom)
            right += kept.width
            down, across = (slice(-(-at // step), -(-(at + size) // step)) for at, size in _sides(kept))
            covered[down, across] += 1
        assert right == grid.picture[0]
        bottom += line[0].kept.height
    assert bottom == grid.picture[1]
    assert np.all(covered == 1)


def _sides(one):
    return (one.y, one.height), (one.x, one.width)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_what_is_rendered_holds_the_border_and_lies_in_the_picture_at_multiples(grid: TileGrid) -> None:
    for line in grid.lines():
        for kept, rendered in line:
            assert rendered.within(grid.picture)
            for axis, length in enumerate(grid.picture):
                begin, size = [(rendered.x, rendered.width), (rendered.y, rendered.height)][axis]
                inner, inner_size = [(kept.x, kept.width), (kept.y, kept.height)][axis]
                assert begin <= max(0, inner - grid.border)
                assert begin + size >= min(length, inner + inner_size + grid.border)
                assert begin % ALIGNMENT == 0
                assert (begin + size) % ALIGNMENT == 0 or begin + size == length


@pytest.mark.parametrize("wrong", [(0, 1, 0), (1, 0, 0), (65, 1, 0), (1, 33, 0), (2, 2, -1)])
def test_grids_that_cannot_be_are_refused(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(UsageError):
        TileGrid((64, 32), *wrong)


def test_a_preview_has_the_picture_s_shape_and_is_no_larger_than_asked() -> None:
    assert TileGrid((15360, 8640), 4, 4).preview((1280, 720)) == (1280, 720)
    assert TileGrid((1000, 4000), 1, 1).preview((1280, 720)) == (180, 720)
    assert TileGrid((50, 30), 1, 1).preview((1280, 720)) == (50, 30)
