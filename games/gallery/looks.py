"""Materials and images of the museum; images are computed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene import Image, Material, kept_image
from renderwright.engine.scene import surface_images as surfaces
from renderwright.engine.scene.material_content import Color, Palette, load_palette
from renderwright.engine.scene.pixel_noise import clouds, texels

FILE = Path(__file__).parent / "looks.yaml"
_FLOORS = {"marble": surfaces.marble_pixels, "slate": surfaces.slate_pixels, "parquet": surfaces.parquet_pixels}


def make_looks() -> Palette:
    """The materials that rooms and exhibits share, by the names of ``looks.yaml``."""
    images = {
        "plaster": kept_image("gallery plaster", surfaces.plaster_pixels, 3),
        "wood": kept_image("gallery wood", surfaces.wood_pixels, 5),
        "leaf": kept_image("gallery leaf", leaf_pixels, 9),
    }
    for name, pixels in _FLOORS.items():
        images[name] = kept_image(f"gallery {name}", pixels, 7, "color")
        images[f"{name} gloss"] = kept_image(f"gallery {name} gloss", pixels, 7, "gloss", srgb=False)
    return load_palette(FILE, images)


def glow(color: Color, radiance: float) -> Material:
    """A lamp of that colour."""
    red, green, blue = (radiance * channel for channel in color)
    return Material((0.02, 0.02, 0.02, 1.0), roughness=0.5, emissive=(red, green, blue))


def leaf_pixels(seed: int) -> NDArray[np.uint8]:
    """A frond: leaflets on both sides of a stem that goes up, alpha 0 around them."""
    random = np.random.default_rng(seed)
    v, u = np.mgrid[1.0:0.0:256j, -1.0:1.0:128j]
    far = np.abs(u)
    lift = v - 0.55 * far
    number = np.floor(lift * 17.0)
    within = np.abs(lift * 17.0 - number - 0.5)
    reach = 0.96 * np.sin(np.pi * np.clip(0.06 + 0.94 * v, 0.0, 1.0)) ** 0.6
    leaflet = (within < 0.40 * (1.0 - (far / np.maximum(reach, 1e-3)) ** 2.2)) & (far < reach) & (lift > 0.02)
    stem = far < 0.03 * (1.2 - v)
    shade = 0.72 + 0.28 * (1.0 - within / 0.5) + 0.10 * (clouds(random, 6, 3, side=256)[:, :128] - 0.5)
    red, green, blue = 0.20 + 0.10 * v, 0.46 + 0.06 * v, 0.14 + 0.0 * v
    alpha = (leaflet | stem).astype(float)
    return texels(red * shade, green * shade, blue * shade, alpha)


def painting_pixels(seed: int, wide: int, high: int) -> NDArray[np.uint8]:
    """An abstract picture: fields of a few colours that fold into each other, with a sun."""
    random = np.random.default_rng(seed)
    palette = np.array(_PALETTES[seed % len(_PALETTES)])
    row, column = np.mgrid[0.0 : 1.0 : high * 1j, 0.0 : 1.0 : wide * 1j]
    height = row.copy()
    for octave in range(4):
        turn, push = random.uniform(0.0, 6.3, 2), random.uniform(0.04, 0.12) / (octave + 1)
        height += push * np.sin(6.3 * (octave + 1) * (column + 0.3 * row) + turn[0]) * np.cos(3.0 * row + turn[1])
    band = np.clip(height * len(palette), 0.0, len(palette) - 1.001)
    low = band.astype(int)
    share = np.clip((band - low - 0.88) / 0.12, 0.0, 1.0)[..., None]
    color = palette[low] * (1.0 - share) + palette[np.minimum(low + 1, len(palette) - 1)] * share
    middle, radius = random.uniform(0.25, 0.75), random.uniform(0.08, 0.14)
    sun = np.hypot((column - middle) * wide / high, row - 0.3) < radius
    color = np.where(sun[..., None], palette[-1], color)
    weave = 1.0 + 0.05 * (random.random((high, wide)) - 0.5)
    return texels(*(color[..., channel] * weave for channel in range(3)))


_PALETTES = (
    ((0.96, 0.86, 0.66), (0.91, 0.60, 0.33), (0.72, 0.26, 0.20), (0.25, 0.12, 0.20), (0.98, 0.74, 0.36)),
    ((0.80, 0.90, 0.88), (0.36, 0.64, 0.66), (0.10, 0.34, 0.42), (0.05, 0.14, 0.22), (0.95, 0.72, 0.42)),
    ((0.93, 0.91, 0.86), (0.80, 0.74, 0.60), (0.46, 0.44, 0.34), (0.13, 0.16, 0.15), (0.86, 0.33, 0.18)),
    ((0.98, 0.80, 0.74), (0.85, 0.42, 0.46), (0.44, 0.16, 0.36), (0.14, 0.08, 0.24), (0.99, 0.87, 0.58)),
)


def painting(seed: int, size: tuple[float, float]) -> Image:
    """The image of a painting of that size in metres."""
    wide, high = (max(64, min(512, round(192 * side))) for side in size)
    return kept_image(f"gallery painting {seed}", painting_pixels, seed, wide, high)
