"""Images for sprites."""

from __future__ import annotations

import numpy as np

from renderwright.engine.scene.image import Image


def noise(name: str, width: int, height: int, seed: int) -> Image:
    """Random colours and alphas."""
    return Image(name, np.random.default_rng(seed).integers(0, 256, (height, width, 4), dtype=np.uint8))


SHEET = noise("sheet", 16, 8, 1)
OTHER = noise("other", 8, 8, 2)
FRAME = noise("frame", 12, 10, 3)
