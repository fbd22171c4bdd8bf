"""Images that a program makes, kept in the user's cache folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.image import Image
from renderwright.render.kept_arrays import MadeBy, kept_arrays


def kept_image(name: str, make: Callable[..., NDArray[np.uint8]], *arguments: Any, srgb: bool = True) -> Image:
    """The image of the pixels that ``make(*arguments)`` returns: uint8 (height, width, 4).

    The pixels are made once. Later runs of the game read them from the user's cache folder, unless the arguments (by
    ``repr``), the file that defines ``make``, or NumPy's version are others. ``make`` must depend on nothing else.
    """
    arrays = kept_arrays("images", MadeBy(make, arguments), lambda: {"pixels": make(*arguments)})
    return Image(name, arrays["pixels"], srgb)
