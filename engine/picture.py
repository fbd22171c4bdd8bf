"""Pictures of frames as PNG files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.errors import UsageError
from renderwright.render.files.writing import replacing

if TYPE_CHECKING:
    import PIL.Image


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
    if not os.access(path.parent, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise UsageError(
            f'a picture cannot be saved as "{path}": no permission', hint="give a path that can be written"
        )


def save_png(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a picture (height, width, 4) as PNG without its alpha, as ``save_image``."""
    import PIL.Image

    save_image(path, PIL.Image.fromarray(np.ascontiguousarray(picture[:, :, :3])))


def save_image(path: Path, image: PIL.Image.Image, **options: Any) -> None:
    """Write a picture as PNG with Pillow's ``options``, making the folder if need be.

    An old file is replaced when the new one is complete. Raises ``UsageError``.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            image.save(file, format="PNG", **options)
    except OSError as error:
        raise cannot_save(path, error) from error


def cannot_save(path: Path, error: OSError) -> UsageError:
    """The error for a picture that could not be written."""
    return UsageError(
        f'a picture cannot be saved as "{path}": {error.strerror or error}', hint="give a path that can be written"
    )


def numbered(beside: Path, suffix: str) -> Path:
    """A file beside another one, of its name with a number, that does not exist yet."""
    number = 1
    while (path := beside.with_name(f"{beside.stem}-{number}{suffix}")).exists():
        number += 1
    return path
