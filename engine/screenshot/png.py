"""PNG files, written row by row, so that the whole picture need not be in memory."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from renderwright.render.files.writing import NewFile
from renderwright.render.types.resources import Extent

SIGNATURE = b"\x89PNG\r\n\x1a\n"
LEVEL = 6
BAND = 64
"""Rows that are compressed at once."""
SUB, UP = 1, 2
"""Filter types of the PNG specification: difference to the texel on the left, or to the row above."""


class PngWriter:
    """Writer of an RGB picture with 8 bits per channel, sRGB-encoded; a context manager.

    The file is renamed to its name after all rows have been written. Until then, an old file of that name remains.
    """

    def __init__(self, path: Path, extent: Extent) -> None:
        self._width, self._height = extent
        self._rows = 0
        self._above = np.zeros((1, self._width, 3), np.uint8)
        self._pack = zlib.compressobj(LEVEL)
        self._new = NewFile(path)
        self._new.file.write(SIGNATURE)
        self._chunk(b"IHDR", struct.pack(">IIBBBBB", self._width, self._height, 8, 2, 0, 0, 0))
        self._chunk(b"sRGB", b"\0")

    def write(self, rows: NDArray[np.uint8]) -> None:
        """Write the next rows from the top, (n, width, 3). Raises ``ValueError`` for another width or too many rows."""
        if rows.shape[1:] != (self._width, 3) or self._rows + len(rows) > self._height:
            raise ValueError(f"rows of shape {rows.shape} do not fit a picture of {self._width} x {self._height}")
        for first in range(0, len(rows), BAND):
            self._pack_band(rows[first : first + BAND])
        self._rows += len(rows)

    def _pack_band(self, rows: NDArray[np.uint8]) -> None:
        count = len(rows)
        up = (rows - np.concatenate([self._above, rows[:-1]])).reshape(count, -1)
        sub = rows.copy()
        sub[:, 1:] -= rows[:, :-1]
        sub = sub.reshape(count, -1)
        # Heuristic of the PNG specification: the filter with the least sum of differences.
        better = _cost(sub) < _cost(up)
        filtered = np.where(better[:, np.newaxis], sub, up)
        kinds = np.where(better, np.uint8(SUB), np.uint8(UP))[:, np.newaxis]
        packed = self._pack.compress(np.concatenate([kinds, filtered], axis=1).tobytes())
        if packed:
            self._chunk(b"IDAT", packed)
        self._above = rows[-1:].copy()

    def close(self) -> None:
        """Finish the file. An incomplete file is removed."""
        if self._new.file.closed:
            return
        if self._rows < self._height:
            self._new.discard()
            return
        try:
            self._chunk(b"IDAT", self._pack.flush())
            self._chunk(b"IEND", b"")
        except BaseException:
            self._new.discard()
            raise
        self._new.commit()

    def __enter__(self) -> PngWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._new.discard()
        self.close()

    def _chunk(self, kind: bytes, data: bytes) -> None:
        self._new.file.write(struct.pack(">I", len(data)) + kind + data)
        self._new.file.write(struct.pack(">I", zlib.crc32(data, zlib.crc32(kind))))


def _cost(filtered: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Sum of the absolute values of each row's bytes, taken as signed."""
    return np.asarray(np.abs(filtered.view(np.int8).astype(np.int16)).sum(axis=1), np.int64)
