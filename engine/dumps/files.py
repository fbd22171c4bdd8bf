"""Files of dumps. Each appears under its name when it is complete."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.dumps.dump import Dump, DumpFormat
from renderwright.engine.dumps.texels import shades_of, values_of
from renderwright.engine.picture import save_png
from renderwright.render.errors import UsageError
from renderwright.render.files.writing import replacing
from renderwright.render.types.physical import TextureInfo

_CHANNELS = {1: "Y", 2: "RG", 3: "RGB", 4: "RGBA"}


def check_file(dump: Dump) -> None:
    """Make the folder of a dump's file. Raises ``UsageError`` if the file cannot be written, or lacks its library."""
    if dump.format is DumpFormat.EXR:
        require_openexr()
    try:
        dump.file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_save(dump.file, error) from error
    blocked = dump.file if dump.file.exists() else dump.file.parent
    if dump.file.is_dir() or not os.access(blocked, os.W_OK):
        reason = "that is a folder" if dump.file.is_dir() else "no permission"
        raise UsageError(f'a dump cannot be saved as "{dump.file}": {reason}', hint="give another path")


def write_dump(dump: Dump, data: NDArray[np.generic], info: TextureInfo | None) -> str:
    """Write what was copied: (height, width, channels), with a leading axis for layers in a .npy, or bytes.

    Returns what the file has, in words. Raises ``UsageError`` if the file cannot be written.
    """
    if info is None:
        _write(dump.file, lambda file: np.save(file, data))
        return f"{data.size} bytes"
    if dump.format is DumpFormat.NPY:
        _write(dump.file, lambda file: np.save(file, data))
        shape = " x ".join(str(size) for size in data.shape)
        return f"{info.format}, {shape} of {data.dtype}"
    size = f"{info.format} of {data.shape[1]}x{data.shape[0]}"
    if info.layers > 1:
        size += f", layer {dump.layer or 0} of {info.layers}"
    if dump.format is DumpFormat.EXR:
        whole = exr_bytes(values_of(info.format, data))
        _write(dump.file, lambda file: file.write(whole))
        return size
    shades = shades_of(info.format, data)
    save_png(dump.file, shades.picture)
    return f"{size}: {shades.mapping}"


def exr_bytes(values: NDArray[np.generic]) -> bytes:
    """An OpenEXR file of (height, width, channels): channels of floats or halves; other types become floats.

    Raises ``UsageError`` if the library is not installed.
    """
    exr = require_openexr()
    kept = values if values.dtype in (np.float16, np.float32, np.uint32) else values.astype(np.float32)
    names = _CHANNELS[kept.shape[-1]]
    channels = {name: np.ascontiguousarray(kept[..., number]) for number, name in enumerate(names)}
    header = {"compression": exr.ZIP_COMPRESSION, "type": exr.scanlineimage}
    whole = io.BytesIO()
    exr.File(header, channels).write(whole)
    return whole.getvalue()


def require_openexr() -> Any:
    """The library OpenEXR. Raises ``UsageError`` if it is not installed."""
    try:
        import OpenEXR
    except ImportError as error:
        raise UsageError(
            "files .exr need OpenEXR, which is not installed",
            hint='install it by pip install "renderwright[exr]", or dump to .npy',
        ) from error
    return OpenEXR


def _write(path: Path, write: Callable[[Any], object]) -> None:
    try:
        with replacing(path) as file:
            write(file)
    except OSError as error:
        raise _cannot_save(path, error) from error


def _cannot_save(path: Path, error: OSError) -> UsageError:
    return UsageError(
        f'a dump cannot be saved as "{path}": {error.strerror or error}', hint="give a path that can be written"
    )
