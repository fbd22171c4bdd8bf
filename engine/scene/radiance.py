"""Decoder of the Radiance RGBE format (``.hdr``), a common format of HDR panoramas.

Source: Greg Ward, "Real Pixels" (Graphics Gems II), and the file format reference of Radiance.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.decoding import quiet_decoding, shown
from renderwright.render.errors import UsageError
from renderwright.render.files.reading import read_file

_SIZE = re.compile(rb"-Y (\d{1,9}) \+X (\d{1,9})")
_FORMAT = b"32-bit_rle_rgbe"
_LARGEST = 1 << 15
_MAX_TEXELS = 1 << 27
_MAX_BYTES = 1 << 30


def load_radiance(path: Path | str) -> NDArray[np.float32]:
    """Load a file as linear RGB, float32 (height, width, 3), top row first.

    Raises ``UsageError`` if the file cannot be read, is invalid, or has rows in another orientation.
    """
    try:
        data = read_file(Path(path), _MAX_BYTES)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror or error}", hint="give the path of a .hdr file"
        ) from None
    try:
        with quiet_decoding():
            return decode_radiance(data)
    except _BrokenError as error:
        raise UsageError(
            f"{path} cannot be decoded: {error}", hint="save it again as a Radiance picture (.hdr)"
        ) from None


class _BrokenError(ValueError):
    """The file is invalid."""


def decode_radiance(data: bytes) -> NDArray[np.float32]:
    """Decode the bytes of a file. Raises ``ValueError`` if they are invalid."""
    start, width, height = _header(data)
    texels = np.frombuffer(data, np.uint8, offset=start)
    rows = []
    at = 0
    # A row takes memory when the one before it was there: a short file may claim to be large.
    for _ in range(height):
        row = np.empty((width, 4), np.uint8)
        at = _row(texels, at, row)
        rows.append(_floats(row))
    return np.stack(rows)


def _header(data: bytes) -> tuple[int, int, int]:
    """Offset of the texels, width and height."""
    if not data.startswith(b"#?"):
        raise _BrokenError("it does not begin like a Radiance picture")
    end = data.find(b"\n\n")
    size_end = data.find(b"\n", end + 2)
    if end < 0 or size_end < 0:
        raise _BrokenError("its header has no end")
    formats = [line[7:].strip() for line in data[:end].split(b"\n") if line.startswith(b"FORMAT=")]
    if formats and formats[-1] != _FORMAT:
        raise _BrokenError(f"its texels are {shown(formats[-1].decode(errors='replace'))}, not {_FORMAT.decode()}")
    size = _SIZE.fullmatch(data[end + 2 : size_end].strip())
    if size is None:
        raise _BrokenError("its rows do not run from top left to bottom right")
    height, width = int(size[1]), int(size[2])
    if not 0 < width <= _LARGEST or not 0 < height <= _LARGEST or width * height > _MAX_TEXELS:
        raise _BrokenError(f"it has {width} x {height} texels")
    return size_end + 1, width, height


def _row(data: NDArray[np.uint8], at: int, row: NDArray[np.uint8]) -> int:
    """Decode the row of texels at ``at``. Returns the offset of the next row."""
    width = len(row)
    head = data[at : at + 4]
    packed = len(head) == 4 and head[0] == head[1] == 2 and head[2] < 128
    if not packed or not 8 <= width < _LARGEST:
        return _old_row(data, at, row)
    if int(head[2]) << 8 | int(head[3]) != width:
        raise _BrokenError("a row has another width than the picture")
    at += 4
    for channel in range(4):
        at = _run_lengths(data, at, row[:, channel])
    return at


def _run_lengths(data: NDArray[np.uint8], at: int, channel: NDArray[np.uint8]) -> int:
    x = 0
    while x < len(channel):
        if at + 1 >= len(data):
            raise _BrokenError("it ends within a row")
        count = int(data[at])
        repeated = count > 128
        count = count - 128 if repeated else count
        if not count or x + count > len(channel):
            raise _BrokenError("a run of texels does not fit into its row")
        values = data[at + 1 : at + 2] if repeated else data[at + 1 : at + 1 + count]
        if not repeated and len(values) < count:
            raise _BrokenError("it ends within a row")
        channel[x : x + count] = values
        x += count
        at += 1 + len(values)
    return at


def _old_row(data: NDArray[np.uint8], at: int, row: NDArray[np.uint8]) -> int:
    """Old encoding: (1, 1, 1, n) repeats the previous texel n times, or 256 n times right after another repeat."""
    x = shift = 0
    while x < len(row):
        texel = data[at : at + 4]
        if len(texel) < 4:
            raise _BrokenError("it ends within a row")
        at += 4
        if texel[0] == texel[1] == texel[2] == 1:
            count = int(texel[3]) << shift
            if not x or x + count > len(row):
                raise _BrokenError("a run of texels does not fit into its row")
            row[x : x + count] = row[x - 1]
            x += count
            shift += 8
        else:
            row[x] = texel
            x += 1
            shift = 0
    return at


def _floats(rgbe: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Decode RGBE: mantissas times 2 to the common exponent, which is 0 for black."""
    exponent = rgbe[..., 3:].astype(np.int32)
    scale = np.where(exponent > 0, np.ldexp(np.float32(1.0), exponent - (128 + 8)), np.float32(0.0))
    return np.asarray(rgbe[..., :3] * scale, np.float32)
