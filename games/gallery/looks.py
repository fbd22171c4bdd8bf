"""Materials and images of the museum; all are computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene import Image, Material, kept_image
from renderwright.engine.scene.pixel_noise import Field, clouds, texels, tileable_noise
from renderwright.games.gallery.museum_file import Color

SIDE = 512


@dataclass(frozen=True)
class Looks:
    """The materials that rooms and exhibits share."""

    floors: Mapping[str, Material]
    walls: Mapping[str, Material]
    ceiling: Material
    brass: Material
    iron: Material
    plinth: Material
    leather: Material
    wood: Material
    soil: Material
    leaf: Material
    _glows: dict[tuple[Color, float], Material] = field(default_factory=dict)

    def glow(self, color: Color, radiance: float) -> Material:
        """A lamp of that colour."""
        if (color, radiance) not in self._glows:
            red, green, blue = (radiance * channel for channel in color)
            self._glows[color, radiance] = Material((0.02, 0.02, 0.02, 1.0), roughness=0.5, emissive=(red, green, blue))
        return self._glows[color, radiance]


WALLS: Mapping[str, Color] = {
    "stone": (0.56, 0.52, 0.46),
    "teal": (0.030, 0.105, 0.115),
    "chalk": (0.66, 0.66, 0.62),
    "wine": (0.155, 0.022, 0.034),
    "night": (0.016, 0.018, 0.028),
    "clay": (0.42, 0.165, 0.085),
}


def make_looks() -> Looks:
    """All of them."""
    plaster = kept_image("gallery plaster", plaster_pixels, 3)
    grain = kept_image("gallery wood", wood_pixels, 5)
    return Looks(
        floors={
            "marble": _floor("marble", marble_pixels, 1.0),
            "slate": _floor("slate", slate_pixels, 1.0),
            "parquet": _floor("parquet", parquet_pixels, 1.0),
        },
        walls={
            name: Material((*color, 1.0), roughness=0.85, base_color_image=plaster) for name, color in WALLS.items()
        },
        ceiling=Material((0.62, 0.60, 0.56, 1.0), roughness=0.9, base_color_image=plaster),
        brass=Material((0.72, 0.50, 0.22, 1.0), 1.0, 0.32),
        iron=Material((0.05, 0.05, 0.055, 1.0), 0.7, 0.45),
        plinth=Material((0.62, 0.60, 0.56, 1.0), roughness=0.5, base_color_image=plaster),
        leather=Material((0.10, 0.035, 0.02, 1.0), roughness=0.45),
        wood=Material((0.70, 0.44, 0.24, 1.0), roughness=0.42, base_color_image=grain),
        soil=Material((0.035, 0.024, 0.016, 1.0), roughness=1.0),
        leaf=Material(
            (0.9, 1.0, 0.8, 1.0),
            roughness=0.55,
            base_color_image=kept_image("gallery leaf", leaf_pixels, 9),
            alpha_mode="mask",
            double_sided=True,
        ),
    )


def _floor(name: str, pixels: object, metallic: float) -> Material:
    return Material(
        base_color_image=kept_image(f"gallery {name}", pixels, 7, "color"),  # type: ignore[arg-type]
        metallic_roughness_image=kept_image(f"gallery {name} gloss", pixels, 7, "gloss", srgb=False),  # type: ignore[arg-type]
        metallic=metallic,
        roughness=1.0,
    )


def _tinted(tone: Field, color: Color) -> NDArray[np.uint8]:
    return texels(*(channel * tone for channel in color))


def _gloss(rough: Field, metal: Field | None = None) -> NDArray[np.uint8]:
    zero = np.zeros_like(rough)
    return texels(zero, rough, zero if metal is None else metal)


def _edges(rows: int, columns: int) -> Field:
    """Distance to the next joint of a grid of plates, in sides of the image."""
    down, across = (np.arange(SIDE) / SIDE * count for count in (rows, columns))
    return np.minimum(
        (np.abs(down - np.rint(down)) / rows)[:, None], (np.abs(across - np.rint(across)) / columns)[None, :]
    )


def plaster_pixels(seed: int) -> NDArray[np.uint8]:
    """Plaster, near white, with faint clouds."""
    random = np.random.default_rng(seed)
    tone = 0.96 + 0.06 * (clouds(random, 4, side=SIDE) - 0.5) + 0.05 * (tileable_noise(random, 128, side=SIDE) - 0.5)
    return _tinted(tone, (1.0, 1.0, 1.0))


def marble_pixels(seed: int, what: str) -> NDArray[np.uint8]:
    """Polished dark stone with pale veins, in plates with brass in the joints."""
    random = np.random.default_rng(seed)
    warp = clouds(random, 3, 5, side=SIDE)
    fine = np.exp(-((np.abs(warp + 0.25 * clouds(random, 9, 3, side=SIDE) - 0.62) / 0.010) ** 2))
    broad = np.exp(-((np.abs(clouds(random, 4, 5, side=SIDE) - 0.5) / 0.02) ** 2))
    veins, mist = np.clip(0.8 * fine + 0.35 * broad, 0.0, 1.0), clouds(random, 6, side=SIDE)
    joint = _edges(1, 1) < 0.006
    if what == "gloss":
        return _gloss(np.where(joint, 0.35, 0.13 + 0.05 * mist + 0.06 * veins), joint.astype(float))
    dark = 0.17 + 0.10 * mist
    red, green, blue = (np.where(joint, brass, dark * tint + 0.42 * veins) for brass, tint in _MARBLE)
    return texels(red, green, blue)


_MARBLE = ((0.86, 0.88), (0.70, 1.0), (0.44, 1.02))
"""Brass and stone, each channel as displayed."""


def slate_pixels(seed: int, what: str) -> NDArray[np.uint8]:
    """Grey plates, a little wet."""
    random = np.random.default_rng(seed)
    cloud, fine = clouds(random, 5, 5, side=SIDE), tileable_noise(random, 96, side=SIDE)
    joint = _edges(2, 2) < 0.006
    if what == "gloss":
        return _gloss(np.where(joint, 0.9, 0.22 + 0.5 * np.clip(1.8 * cloud - 0.5, 0.0, 1.0)))
    tones = np.kron(random.uniform(-0.05, 0.05, (2, 2)), np.ones((SIDE // 2, SIDE // 2)))
    tone = np.where(joint, 0.16, 0.40 + tones + 0.16 * (cloud - 0.5) + 0.06 * (fine - 0.5))
    return _tinted(tone, (0.96, 1.0, 1.0))


def wood_pixels(seed: int) -> NDArray[np.uint8]:
    """Straight grain, pale."""
    random = np.random.default_rng(seed)
    grain = 0.55 * tileable_noise(random, 4, 64, side=SIDE) + 0.45 * tileable_noise(random, 8, 160, side=SIDE)
    return _tinted(0.78 + 0.3 * (grain - 0.35), (1.0, 0.97, 0.92))


def parquet_pixels(seed: int, what: str) -> NDArray[np.uint8]:
    """Oak boards in squares, each turned against its neighbours."""
    random = np.random.default_rng(seed)
    cells, boards = 4, 5
    side = SIDE // cells
    grain = 0.6 * tileable_noise(random, 6, 96, side=SIDE) + 0.4 * tileable_noise(random, 10, 200, side=SIDE)
    tone, joint = np.zeros((SIDE, SIDE)), np.zeros((SIDE, SIDE), bool)
    across = np.arange(side) * boards / side
    gap = np.abs(across - np.rint(across)) < 0.05
    for row, column in np.ndindex(cells, cells):
        part = np.s_[row * side : (row + 1) * side, column * side : (column + 1) * side]
        board = random.uniform(-0.10, 0.10, boards)[np.minimum(across.astype(int), boards - 1)]
        square = 0.62 + 0.34 * (grain[part] - 0.5) + board[None, :]
        lines = np.broadcast_to(gap, (side, side))
        turned = bool((row + column) % 2)
        tone[part], joint[part] = (square.T, lines.T) if turned else (square, lines)
    if what == "gloss":
        return _gloss(np.where(joint, 0.6, 0.24 + 0.22 * (1.0 - tone)))
    return _tinted(np.where(joint, 0.5, 1.0) * tone, (0.86, 0.60, 0.38))


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
