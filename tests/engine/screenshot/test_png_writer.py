"""PNG files that are written row by row."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from renderwright.engine.screenshot.png import PngWriter


def read(path: Path) -> np.ndarray:
    with PIL.Image.open(path) as image:
        image.load()
        assert image.mode == "RGB"
        return np.asarray(image)


def pictures() -> list[np.ndarray]:
    chance = np.random.default_rng(0)
    across, down = np.meshgrid(np.arange(61), np.arange(43))
    return [
        chance.integers(0, 256, (43, 61, 3), dtype=np.uint8),
        np.stack([across, down, across + down], axis=2).astype(np.uint8),
        np.full((1, 1, 3), 255, np.uint8),
        np.zeros((5, 300, 3), np.uint8),
    ]


@pytest.mark.parametrize("number", range(4))
def test_rows_come_back_however_they_are_cut(tmp_path: Path, number: int) -> None:
    picture = pictures()[number]
    chance = random.Random(number)
    height, width = picture.shape[:2]
    path = tmp_path / "picture.png"
    with PngWriter(path, (width, height)) as file:
        row = 0
        while row < height:
            rows = chance.randint(0, 9)
            file.write(picture[row : row + rows])
            row += rows
    assert np.array_equal(read(path), picture)
    assert list(tmp_path.iterdir()) == [path]


def test_smooth_pictures_become_small(tmp_path: Path) -> None:
    picture = np.repeat(np.linspace(0, 255, 400).astype(np.uint8)[np.newaxis, :, np.newaxis], 300, axis=0)
    with PngWriter(tmp_path / "smooth.png", (400, 300)) as file:
        file.write(np.repeat(picture, 3, axis=2))
    assert (tmp_path / "smooth.png").stat().st_size < 4000


def test_a_picture_that_is_not_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"old")

    def broken() -> None:
        with PngWriter(path, (4, 4)) as file:
            file.write(np.zeros((4, 4, 3), np.uint8))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        broken()
    with PngWriter(path, (4, 4)) as file:
        file.write(np.zeros((3, 4, 3), np.uint8))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("shape", [(1, 5, 3), (1, 4, 4), (5, 4, 3)])
def test_rows_that_do_not_fit_are_refused(tmp_path: Path, shape: tuple[int, int, int]) -> None:
    with PngWriter(tmp_path / "picture.png", (4, 4)) as file, pytest.raises(ValueError, match="do not fit"):
        file.write(np.zeros(shape, np.uint8))
