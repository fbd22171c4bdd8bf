"""Procedural wood images, which modulate a material's base colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene import Image, kept_image

SIDE = 1024


def wood_image(name: str, seed: int, *, planks: int = 0, contrast: float = 0.45) -> Image:
    """The image of ``wood_pixels``, made once and kept in the user's cache folder."""
    return kept_image(name, wood_pixels, seed, planks, contrast)


def wood_pixels(seed: int, planks: int, contrast: float) -> NDArray[np.uint8]:
    """A tileable picture of grain along u, near white, that multiplies the wood's colour: uint8 (SIDE, SIDE, 4).

    ``planks`` is the number of boards of different tone along v, with dark joints; 0 is one piece. ``contrast`` is the
    share by which the darkest grain darkens.
    """
    random = np.random.default_rng(seed)
    u = np.arange(SIDE) / SIDE
    v = u[:, np.newaxis]
    tone, shift = np.zeros(1), np.zeros(1)
    if planks:
        tone = random.uniform(-0.13, 0.13, planks)
        shift = random.uniform(0.0, 1.0, planks)
    warp = _noise(random, 4, 6, u, shift)
    rings = 0.5 + 0.5 * np.sin(np.pi * 2.0 * (14.0 * v + 2.2 * warp))
    fibre = 0.5 * _noise(random, 8, 128, u, shift) + 0.5 * _noise(random, 24, 420, u, shift)
    shade = 0.5 * rings * _noise(random, 3, 8, u, shift) + 0.5 * fibre
    boards = _boards(len(tone))
    bright = (0.85 if planks else 1.0) - contrast * shade + tone[boards, np.newaxis]
    if planks:
        joint = np.abs((v * planks + 0.5) % 1.0 - 0.5)
        bright *= np.where(joint < 0.018, 0.45, 1.0)
    bright = np.clip(bright, 0.0, 1.0)
    pixels = np.full((SIDE, SIDE, 4), 255, np.uint8)
    # Darker grain is also redder.
    for channel, colour in enumerate((bright**0.9, bright, bright**1.15)):
        pixels[:, :, channel] = np.round(colour * 255.0)
    return pixels


def _boards(count: int) -> NDArray[np.int64]:
    """The board of each row."""
    return np.arange(SIDE) * count // SIDE


def _noise(
    random: np.random.Generator, columns: int, rows: int, u: NDArray[np.float64], shift: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Value noise of ``columns`` by ``rows`` random values, tileable over the unit square, from 0 to 1.

    Each board is moved along u by its ``shift``.
    """
    values = random.random((rows, columns))
    left, a = _between((u + shift[:, np.newaxis]) * columns)
    top, b = _between(u[:, np.newaxis] * rows)
    noise = np.empty((SIDE, SIDE))
    boards = _boards(len(shift))
    for board in range(len(shift)):
        across = values[:, left[board] % columns] * (1.0 - a[board])
        across += values[:, (left[board] + 1) % columns] * a[board]
        here = boards == board
        noise[here] = across[top[here, 0] % rows] * (1.0 - b[here]) + across[(top[here, 0] + 1) % rows] * b[here]
    return noise


def _between(place: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The value before each place, and the smooth weight of the next one."""
    before = np.floor(place).astype(np.int64)
    share = place - before
    return before, share * share * (3.0 - 2.0 * share)
