"""Saving pictures of frames."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from renderwright.engine.picture import check_picture_path, save_png
from renderwright.render.errors import UsageError


def test_a_picture_is_saved_without_its_alpha(tmp_path: Path) -> None:
    picture = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4)
    path = tmp_path / "new" / "folder" / "a.png"
    check_picture_path(path)
    assert not path.exists()
    save_png(path, picture)
    with PIL.Image.open(path) as image:
        assert image.mode == "RGB"
        assert np.array_equal(np.asarray(image), picture[:, :, :3])


def test_a_place_that_cannot_be_written_is_known_before_the_game_is_played(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.png").mkdir()
    for name in ("file/a.png", "folder.png", "a.jpg", "a"):
        with pytest.raises(UsageError, match="cannot be saved as"):
            check_picture_path(tmp_path / name)


def test_a_failing_save_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "a.png").mkdir()
    with pytest.raises(UsageError, match=r'a\.png": Is a directory'):
        save_png(tmp_path / "a.png", np.zeros((1, 1, 4), np.uint8))
