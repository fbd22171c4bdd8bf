"""Films of frames, by the FFmpeg libraries that PyAV brings."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.errors import UsageError
from renderwright.render.files.writing import NewFile

FRAME_RATE = 60
"""Frames a second: those of ``HEADLESS_FRAME``."""

_THREADS = 1
"""Threads of the encoder: with several, x264 writes other bytes in each run."""


@dataclass(frozen=True)
class FilmFormat:
    """A container with its codec. ``even`` formats halve the size of the colours, so their sides are even."""

    container: str
    codec: str
    pixels: str
    options: tuple[tuple[str, str], ...] = ()
    even: bool = False


FORMATS = {
    ".mp4": FilmFormat("mp4", "libx264", "yuv420p", (("crf", "18"),), even=True),
    ".mkv": FilmFormat("matroska", "ffv1", "bgr0", (("level", "3"),)),
}
"""By suffix: ``.mp4`` plays everywhere; ``.mkv`` is the lossless master."""


def require_video() -> Any:
    """The module ``av``. Raises ``UsageError`` if it is not installed."""
    try:
        import av
    except ImportError as error:
        raise UsageError(
            "films need PyAV, which is not installed",
            hint='install it by pip install "renderwright[video]", or give --out frames/%05d.png',
        ) from error
    return av


def check_film(path: Path, size: tuple[int, int]) -> None:
    """Raise ``UsageError`` if a film of that size cannot be written to the path."""
    require_video()
    if FORMATS[path.suffix.lower()].even and any(side % 2 for side in size):
        raise UsageError(
            f"a film {path.suffix} of {size[0]}x{size[1]} cannot be: its codec halves the colours' size",
            hint="give an even width and height, or a film .mkv",
        )
    if path.is_dir() or (path.exists() and not os.access(path, os.W_OK)):
        raise UsageError(f'a film cannot be saved as "{path}"', hint="give the name of a file that can be written")


def write_film(path: Path, frames: Iterable[NDArray[np.uint8]], size: tuple[int, int]) -> None:
    """Write a film of frames (height, width, 3). The file appears when it is complete.

    Raises ``UsageError`` if it cannot be written.
    """
    av, kind = require_video(), FORMATS[path.suffix.lower()]
    try:
        new = NewFile(path)
        try:
            _encode(av, kind, new.file, frames, size)
        except BaseException:
            new.discard()
            raise
        new.commit()
    except OSError as error:  # FFmpegError is one, too
        raise UsageError(
            f'the film cannot be saved as "{path}": {error.strerror or error}', hint="give a path that can be written"
        ) from error


def _encode(av: Any, kind: FilmFormat, file: Any, frames: Iterable[NDArray[np.uint8]], size: tuple[int, int]) -> None:
    with av.open(file, "w", format=kind.container, options={"fflags": "+bitexact"}) as film:
        stream = film.add_stream(kind.codec, rate=FRAME_RATE, options=dict(kind.options))
        stream.width, stream.height = size
        stream.pix_fmt = kind.pixels
        stream.codec_context.thread_count = _THREADS
        stream.codec_context.time_base = Fraction(1, FRAME_RATE)
        for number, texels in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(texels), format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, FRAME_RATE)
            film.mux(stream.encode(frame))
        film.mux(stream.encode())


def film_frames(path: Path) -> Iterable[NDArray[np.uint8]]:
    """The frames (height, width, 3) of a film."""
    with require_video().open(str(path)) as film:
        for frame in film.decode(video=0):
            yield frame.to_ndarray(format="rgb24")
