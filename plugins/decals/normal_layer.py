"""Normal maps of decals."""

from __future__ import annotations

import numpy as np

from renderwright.engine.renderer.placed_layers import Texels, scaled
from renderwright.engine.scene import Image
from renderwright.render import Extent


def normal_layer(image: Image, extent: Extent) -> Texels:
    """The texels of a normal map."""
    opaque = np.full((*image.pixels.shape[:2], 1), 255, np.uint8)
    return scaled(np.concatenate([image.pixels[..., :3], opaque], axis=-1), extent)
