"""Comparisons of pictures in tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.picture import save_image

MEAN = 0.5
LARGEST = 8.0


def assert_alike(
    shown: NDArray[Any],
    expected: NDArray[Any] | Path,
    *,
    mean: float = MEAN,
    largest: float = LARGEST,
    update: bool = False,
) -> None:
    """Raise ``AssertionError`` unless two pictures, uint8 (height, width, channels), differ little.

    ``mean`` and ``largest`` bound the absolute differences of channels, in 1/255; drivers differ by rounding. A path is
    a PNG. With ``update`` the picture is written to it: look at it, and keep it with the test. If the pictures differ,
    ``shown`` is saved beside the file, as ``NAME.shown.png``.
    """
    if isinstance(expected, Path):
        if update:
            _save(expected, shown)
            return
        if not expected.exists():
            raise AssertionError(f"there is no picture {expected}; run the tests once with --update-pictures")
        _assert_alike(shown, _load(expected), mean, largest, expected)
    else:
        _assert_alike(shown, expected, mean, largest, None)


def _assert_alike(shown: NDArray[Any], expected: NDArray[Any], mean: float, largest: float, file: Path | None) -> None:
    problem = ""
    if shown.shape != expected.shape:
        problem = f"one has the shape {shown.shape}, the other {expected.shape}"
    else:
        difference = np.abs(shown.astype(np.float64) - expected.astype(np.float64))
        if difference.mean() > mean or difference.max() > largest:
            row, column = np.unravel_index(difference.max(axis=-1).argmax(), difference.shape[:2])
            problem = (
                f"they differ by {difference.mean():.2f} in the mean (at most {mean:g}), {difference.max():g} at most"
                f" ({largest:g}), at column {column}, row {row}"
            )
    if not problem:
        return
    if file is not None:
        beside = file.with_suffix(".shown.png")
        _save(beside, shown)
        problem += f"; {beside} is what was shown"
    raise AssertionError(f"the pictures are not alike: {problem}")


def _load(path: Path) -> NDArray[np.uint8]:
    import PIL.Image

    with PIL.Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"))


def _save(path: Path, picture: NDArray[Any]) -> None:
    import PIL.Image

    path.parent.mkdir(parents=True, exist_ok=True)
    save_image(path, PIL.Image.fromarray(np.ascontiguousarray(picture[..., :3])))
