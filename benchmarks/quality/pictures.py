"""Picture sheets of the rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import PIL.Image

from benchmarks.quality.play import Floats
from benchmarks.quality.row import Row
from renderwright.engine.picture import save_image

LEAST_WIDTH = 480
"""Least width of a picture on a sheet in texels; smaller ones are enlarged by an integer factor."""
AMPLIFIED = 4.0


@dataclass(frozen=True)
class PictureFolder:
    """A folder with a sheet for each row: reference and without on top, with and four times the error below."""

    folder: Path

    def keep(self, row: Row) -> None:
        """Write a row's sheet, if it has pictures."""
        if row.pictures:
            name = re.sub(r"\W+", "-", row.effect).strip("-")
            save_image(self.folder / f"{name}.png", PIL.Image.fromarray(sheet(row)))


def sheet(row: Row) -> np.ndarray:
    """The sheet, uint8 (height, width, 3)."""
    reference, without, with_it = (row.pictures[name] for name in ("reference", "without", "with"))
    error = np.abs(with_it - reference) * AMPLIFIED
    rows = [[_large(reference), _large(without)], [_large(with_it), _large(error)]]
    return np.concatenate([np.concatenate(pair, axis=1) for pair in rows], axis=0)


def _large(picture: Floats) -> np.ndarray:
    times = max(1, -(-LEAST_WIDTH // picture.shape[1]))
    texels = np.round(np.clip(picture, 0.0, 1.0) * 255.0).astype(np.uint8)
    return np.kron(texels, np.ones((times, times, 1), np.uint8))
