"""Comparisons of pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from renderwright.engine.testing import assert_alike

GREY = np.full((4, 6, 3), 100, np.uint8)


def with_a_texel(value: int) -> np.ndarray:
    picture = GREY.copy()
    picture[2, 3] = value
    return picture


def test_rounding_is_no_difference() -> None:
    assert_alike(with_a_texel(103), GREY)


def test_a_texel_that_differs_much_is_told_with_its_place() -> None:
    with pytest.raises(AssertionError, match=r"60 at most.*column 3, row 2"):
        assert_alike(with_a_texel(160), GREY, mean=100)


def test_a_small_difference_everywhere_is_one() -> None:
    with pytest.raises(AssertionError, match=r"2\.00 in the mean"):
        assert_alike(GREY + np.uint8(2), GREY)
    assert_alike(GREY + np.uint8(2), GREY, mean=2.0)


def test_pictures_of_other_sizes_are_not_alike() -> None:
    with pytest.raises(AssertionError, match="shape"):
        assert_alike(GREY[:2], GREY)


def test_a_file_is_written_when_asked_for_and_compared_after_that(tmp_path: Path) -> None:
    file = tmp_path / "pictures" / "grey.png"
    with pytest.raises(AssertionError, match="--update-pictures"):
        assert_alike(GREY, file)
    assert_alike(GREY, file, update=True)
    assert_alike(GREY, file)
    with pytest.raises(AssertionError, match=r"grey\.shown\.png is what was shown"):
        assert_alike(with_a_texel(255), file)
    assert file.with_suffix(".shown.png").exists()
