"""Materials and images of the game; all are computed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene import Image, Material, kept_image
from renderwright.engine.scene.pixel_noise import clouds, texels, tileable_noise
from renderwright.games.duel.arena import Color

SIDE = 512
PAINTS: tuple[Color, ...] = ((1.0, 0.30, 0.03), (0.03, 0.42, 1.0), (0.16, 0.85, 0.10), (0.85, 0.06, 0.70))
"""Of the tanks, their shots and their HUDs, linear."""


@dataclass(frozen=True)
class Looks:
    """The materials that all arenas share."""

    paints: tuple[Material, ...]
    glows: tuple[Material, ...]
    metal: Material
    wall: Material
    crate: Material
    city: Material
    pad: Material
    pad_resting: Material
    scorch: Image


def make_looks() -> Looks:
    """All of them."""
    grime = kept_image("duel grime", grime_pixels, 11)
    return Looks(
        paints=tuple([Material((*paint, 1.0), 0.35, 0.32, base_color_image=grime) for paint in PAINTS]),
        glows=tuple([glowing(paint, 9.0) for paint in PAINTS]),
        metal=Material((0.11, 0.115, 0.13, 1.0), 0.85, 0.38, base_color_image=grime),
        wall=Material((0.20, 0.21, 0.24, 1.0), 0.15, 0.62, base_color_image=kept_image("duel wall", wall_pixels, 5)),
        crate=Material((0.62, 0.56, 0.47, 1.0), 0.2, 0.5, base_color_image=kept_image("duel crate", crate_pixels, 8)),
        city=Material(
            (0.02, 0.022, 0.03, 1.0),
            roughness=0.8,
            emissive=(0.8, 0.62, 0.42),
            emissive_image=kept_image("duel windows", window_pixels, 3),
        ),
        pad=glowing((0.1, 1.0, 0.45), 5.0),
        pad_resting=Material((0.05, 0.12, 0.08, 1.0), 0.5, 0.5),
        scorch=kept_image("duel scorch", scorch_pixels, 2),
    )


def glowing(color: Color, radiance: float) -> Material:
    """A lamp of that colour."""
    red, green, blue = (radiance * channel for channel in color)
    return Material((0.02, 0.02, 0.02, 1.0), roughness=0.4, emissive=(red, green, blue))


def floor_material(trim: Color) -> Material:
    """Steel plates with glowing joints."""
    return Material(
        (0.30, 0.31, 0.34, 1.0),
        metallic=0.55,
        roughness=0.55,
        emissive=tuple(1.1 * channel for channel in trim),  # type: ignore[arg-type]
        base_color_image=kept_image("duel floor", floor_pixels, 7, "color"),
        metallic_roughness_image=kept_image("duel floor gloss", floor_pixels, 7, "gloss", srgb=False),
        emissive_image=kept_image("duel floor glow", floor_pixels, 7, "glow"),
    )


def _grey(tone: NDArray[np.float64]) -> NDArray[np.uint8]:
    return texels(tone, tone, tone)


def grime_pixels(seed: int) -> NDArray[np.uint8]:
    """Paint with stains and scratches, near white."""
    random = np.random.default_rng(seed)
    stains, scratches = (
        clouds(random, 4, side=SIDE),
        tileable_noise(random, 128, side=SIDE) * clouds(random, 8, side=SIDE),
    )
    return _grey(1.02 - 0.45 * np.clip(2.0 * stains - 0.8, 0.0, 1.0) - 0.35 * (scratches > 0.62))


def _edges(cells: int, side: int = SIDE) -> NDArray[np.float64]:
    """Distance to the next joint of a grid of square plates, 0 to 0.5 of a plate."""
    place = np.arange(side) / side * cells
    along = np.abs(place - np.rint(place))
    return np.minimum(along[:, None], along[None, :])


def floor_pixels(seed: int, what: str) -> NDArray[np.uint8]:
    """Four by four plates: their colour, gloss or glow."""
    random = np.random.default_rng(seed)
    cloud, fine = clouds(random, 6, side=SIDE), clouds(random, 48, side=SIDE)
    tones = np.kron(random.uniform(-0.10, 0.10, (4, 4)), np.ones((SIDE // 4, SIDE // 4)))
    joint, border = _edges(4) < 0.018, _edges(1) < 0.012
    if what == "glow":
        line = np.exp(-((_edges(1) / 0.006) ** 2)) + 0.05 * np.exp(-_edges(1) / 0.02)
        return _grey(line * (0.55 + 0.45 * cloud))
    if what == "gloss":
        rough = 0.74 + 0.8 * (cloud - 0.4) + 0.2 * (fine - 0.5) + tones
        return texels(np.zeros_like(rough), np.where(joint, 1.0, rough), np.where(joint, 0.2, 1.0))
    tone = 0.80 + tones - 0.35 * np.clip(2.0 * cloud - 0.7, 0.0, 1.0) + 0.25 * (fine - 0.5)
    return _grey(tone * np.where(joint | border, 0.35, 1.0))


def wall_pixels(seed: int) -> NDArray[np.uint8]:
    """Concrete with two joints and streaks below."""
    random = np.random.default_rng(seed)
    cloud, fine = clouds(random, 5, side=SIDE), clouds(random, 40, side=SIDE)
    streaks = (
        np.clip(2.0 * tileable_noise(random, 32, side=SIDE)[:1] - 0.9, 0.0, 1.0) * np.linspace(0.1, 1.0, SIDE)[:, None]
    )
    tone = 0.95 - 0.4 * cloud + 0.3 * (fine - 0.5) - 0.3 * streaks
    return _grey(tone * np.where(_edges(2) < 0.012, 0.4, 1.0))


def crate_pixels(seed: int) -> NDArray[np.uint8]:
    """A crate with a frame, and a stripe that warns."""
    random = np.random.default_rng(seed)
    row, column = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    rim = np.minimum(np.minimum(row, 1.0 - row), np.minimum(column, 1.0 - column))
    tone = 0.85 - 0.5 * np.clip(1.6 * clouds(random, 5, side=SIDE) - 0.5, 0.0, 1.0)
    tone = tone * np.where(rim < 0.09, 1.0, 0.6) * np.where(np.abs(rim - 0.09) < 0.012, 0.3, 1.0)
    stripe = (np.abs(row - 0.5) < 0.13) & (rim > 0.10)
    yellow = stripe & ((row + column) * 5.0 % 1.0 < 0.5)
    dark = np.where(stripe & ~yellow, 0.12, tone)
    return texels(np.where(yellow, 1.1 * tone + 0.3, dark), np.where(yellow, 0.8 * tone + 0.15, dark), dark * ~yellow)


def window_pixels(seed: int) -> NDArray[np.uint8]:
    """Windows at night, a few lit: warm or cold."""
    random = np.random.default_rng(seed)
    lit = np.where(random.random((24, 16)) < 0.16, random.uniform(0.15, 0.8, (24, 16)), 0.0)
    warm = random.random((24, 16)) < 0.7
    window = np.zeros((10, 8))
    window[3:8, 2:6] = 1.0
    red, green, blue = (lit * np.where(warm, *tones) for tones in ((1.0, 0.55), (0.72, 0.8), (0.38, 1.0)))
    return texels(*(np.kron(channel, window) for channel in (red, green, blue)))


def scorch_pixels(seed: int) -> NDArray[np.uint8]:
    """Soot, thick in the middle, with rays: black, its alpha the soot."""
    random = np.random.default_rng(seed)
    row, column = np.mgrid[-1.0:1.0:128j, -1.0:1.0:128j]
    far, turn = np.hypot(row, column), np.arctan2(row, column)
    rays = np.interp(turn, np.linspace(-np.pi, np.pi, 73), random.random(73), period=2.0 * np.pi)
    soot = np.clip(1.25 - far * (1.15 + 0.9 * rays), 0.0, 1.0) * (0.65 + 0.35 * clouds(random, 8, side=128))
    pixels = _grey(np.full_like(far, 0.03))
    pixels[..., 3] = np.rint(255.0 * np.clip(soot, 0.0, 1.0))
    return pixels
