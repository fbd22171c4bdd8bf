"""Pictures of frames as PNG files."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from renderwright.render.errors import UsageError


def check_picture_path(path: Path) -> None:
    """Create the folder for a later picture. Raises ``UsageError`` if a picture cannot be saved there."""
    if path.suffix.lower() != ".png":
        raise UsageError(f'a picture cannot be saved as "{path}"', hint="give a file name that ends in .png")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_save(path, error) from error
    if path.is_dir():
        raise UsageError(f'a picture cannot be saved as "{path}": that is a folder', hint="give the name of a file")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(
            f'a picture cannot be saved as "{path}": no permission', hint="give a path that can be written"
        )


def save_png(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a picture (height, width, 4) as PNG without alpha; creates the folder."""
    import PIL.Image

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        PIL.Image.fromarray(np.ascontiguousarray(picture[:, :, :3])).save(path)
    except OSError as error:
        raise cannot_save(path, error) from error


def cannot_save(path: Path, error: OSError) -> UsageError:
    """The error for a picture that could not be written."""
    return UsageError(
        f'a picture cannot be saved as "{path}": {error.strerror or error}', hint="give a path that can be written"
    )
