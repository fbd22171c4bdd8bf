"""The pictures of all sprites, drawn by arithmetic. Alpha is straight and colours are as displayed (sRGB)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene import Image, kept_image

Field = NDArray[np.float64]
Cell = tuple[int, int, int, int]

SIDE = 256
ROCKS = 8
NAMES = (*(f"rock{n}" for n in range(ROCKS)), "shade", "shadow", "ship", "flame", "shield", "ring", "corona", "sun")
PER_ROW = 8
DOT_SIDE = 64
SKY = (640, 360)
HAZE_SIDE = 768


def sheet() -> Image:
    """Rocks, ships and the sun; ``cell`` tells where."""
    return kept_image("drift", _sheet_pixels)


def dot() -> Image:
    """A soft disc: stars, dust, sparks, shots."""
    return kept_image("dot", _dot_pixels)


def nebula() -> Image:
    """The background."""
    return kept_image("nebula", _nebula_pixels, 5)


def haze(bands: Sequence[tuple[float, float, float]]) -> Image:
    """The glow of dust in ``bands``: the radius of each and its spread, as shares of the arena's, and its weight."""
    return kept_image("haze", _haze_pixels, tuple(bands))


def cell(name: str) -> Cell:
    """The region of a picture in the sheet."""
    number = NAMES.index(name)
    return (number % PER_ROW * SIDE, number // PER_ROW * SIDE, SIDE, SIDE)


def noise(random: np.random.Generator, cells: tuple[int, int], u: Field, v: Field) -> Field:
    """Smooth noise from -1 to 1 with a period of 1 in u and v, with that many cells in each."""
    grid = random.uniform(-1.0, 1.0, cells)
    x, y = u % 1.0 * cells[0], v % 1.0 * cells[1]
    left, low = np.floor(x).astype(int), np.floor(y).astype(int)
    s, t = x - left, y - low
    s, t = s * s * (3.0 - 2.0 * s), t * t * (3.0 - 2.0 * t)
    right, high = (left + 1) % cells[0], (low + 1) % cells[1]
    left, low = left % cells[0], low % cells[1]
    below = grid[left, low] * (1.0 - s) + grid[right, low] * s
    above = grid[left, high] * (1.0 - s) + grid[right, high] * s
    result: Field = below * (1.0 - t) + above * t
    return result


def clouds(random: np.random.Generator, cells: tuple[int, int], u: Field, v: Field, octaves: int) -> Field:
    """Noise of several sizes, each half as strong as the one before; about -1 to 1."""
    sizes = ((cells[0] << n, cells[1] << n) for n in range(octaves))
    return sum((noise(random, size, u, v) * 0.6**n for n, size in enumerate(sizes)), np.zeros_like(u))


def _square(side: int) -> tuple[Field, Field]:
    """x and y from -1 to 1, y upwards."""
    line = (np.arange(side) + 0.5) / side * 2.0 - 1.0
    x, y = np.meshgrid(line, -line)
    return x, y


def _rgba(red: Field, green: Field, blue: Field, alpha: Field) -> NDArray[np.uint8]:
    stacked = np.stack(np.broadcast_arrays(red, green, blue, alpha), axis=-1)
    texels: NDArray[np.uint8] = np.rint(np.clip(stacked, 0.0, 1.0) * 255.0).astype(np.uint8)
    return texels


def _dot_pixels() -> NDArray[np.uint8]:
    x, y = _square(DOT_SIDE)
    one = np.ones_like(x)
    return _rgba(one, one, one, np.clip(1.0 - np.hypot(x, y), 0.0, 1.0) ** 2)


def _sheet_pixels() -> NDArray[np.uint8]:
    random = np.random.default_rng(11)
    x, y = _square(SIDE)
    painters: dict[str, Callable[[Field, Field], NDArray[np.uint8]]] = {
        "shade": _shade,
        "shadow": _shadow,
        "ship": _ship,
        "flame": _flame,
        "shield": _shield,
        "ring": _ring,
    }
    pixels = np.zeros((SIDE * 2, SIDE * PER_ROW, 4), np.uint8)
    for name in NAMES:
        left, top, width, height = cell(name)
        if name.startswith("rock"):
            painted = _rock(random, x, y)
        elif name in painters:
            painted = painters[name](x, y)
        else:
            painted = (_corona if name == "corona" else _sun)(random, x, y)
        pixels[top : top + height, left : left + width] = painted
    return pixels


def _rock(random: np.random.Generator, x: Field, y: Field) -> NDArray[np.uint8]:
    """A cratered lump, lit evenly: light from the sun is the ``shade`` over it."""
    turn, distance = np.arctan2(y, x), np.hypot(x, y)
    waves = [(k, random.uniform(0.0, 6.3), random.normal(0.0, 0.055 / k**0.4)) for k in (2, 3, 4, 5, 7, 9)]
    edge = 0.84 + sum(size * np.cos(k * turn + phase) for k, phase, size in waves)
    height = 0.5 * clouds(random, (5, 5), x * 0.5 + 0.5, y * 0.5 + 0.5, 4)
    for _ in range(int(random.integers(5, 9))):
        away, where, size = random.uniform(0.0, 0.62), random.uniform(0.0, 6.3), random.uniform(0.08, 0.24)
        rim = np.hypot(x - away * np.cos(where), y - away * np.sin(where)) / size
        height += np.where(rim < 1.0, 0.9 * (rim**2 - 1.0), 0.0) + 0.5 * np.exp(-(((rim - 1.05) / 0.16) ** 2))
    slope = np.gradient(height, axis=1) * 6.0 + np.gradient(height, axis=0) * 6.0
    tone = 0.74 + 0.11 * height - 0.2 * slope - 0.25 * (distance / edge) ** 4
    return _rgba(tone, tone * 0.985, tone * 0.96, (edge - distance) * SIDE * 0.25)


def _shade(x: Field, y: Field) -> NDArray[np.uint8]:
    """Light on a ball from the left: night on its right side, a warm edge on its left."""
    distance = np.hypot(x, y) / 0.97
    facing = np.sqrt(np.clip(1.0 - distance**2, 0.0, 1.0))
    light = -0.88 * x + 0.42 * facing
    night = np.clip(0.93 - 1.25 * np.clip(light, 0.0, 1.0), 0.0, 1.0)
    warm = 0.4 * np.clip(light, 0.0, 1.0) ** 3
    inside = np.clip((1.0 - distance) * 14.0, 0.0, 1.0)
    alpha = (night + warm) * inside
    share = warm / np.maximum(night + warm, 1e-6)
    return _rgba(share, share * 0.72, share * 0.38, alpha)


def _shadow(x: Field, y: Field) -> NDArray[np.uint8]:
    """A shadow that falls to the right."""
    along = x * 0.5 + 0.5
    across = np.abs(y) / (0.62 + 0.3 * along)
    alpha = 0.85 * (1.0 - along) ** 1.4 * np.clip((1.0 - across) * (5.0 - 3.5 * along), 0.0, 1.0)
    return _rgba(np.zeros_like(x), np.zeros_like(x), np.zeros_like(x), alpha)


def _ship(x: Field, y: Field) -> NDArray[np.uint8]:
    """An arrow to the right: dark hull, bright edges."""
    y = np.abs(y)
    nose, wing, tail = (0.86, 0.0), (-0.72, 0.62), (-0.44, 0.0)
    hull = np.minimum(_beside(x, y, wing, nose), _beside(x, y, tail, wing))
    edge = np.exp(-((hull / 0.035) ** 2)) + 0.5 * np.exp(-np.abs(hull) / 0.09)
    inside = np.clip(hull * SIDE * 0.3, 0.0, 1.0)
    cockpit = np.exp(-((((x - 0.18) / 0.2) ** 2 + (y / 0.09) ** 2) ** 2))
    panel = 0.10 + 0.12 * (x + 0.7) * inside + 0.05 * (np.sin(x * 40.0) > 0.93) * inside
    tone = np.clip(panel + edge + 0.9 * cockpit, 0.0, 1.0)
    return _rgba(tone, tone, tone, np.maximum(inside * 0.97, np.clip(edge, 0.0, 1.0) ** 1.5))


def _beside(x: Field, y: Field, start: tuple[float, float], end: tuple[float, float]) -> Field:
    """Distance from a line, positive on its right."""
    along = np.hypot(end[0] - start[0], end[1] - start[1])
    cross = (x - start[0]) * (end[1] - start[1]) - (y - start[1]) * (end[0] - start[0])
    result: Field = cross / along
    return result


def _flame(x: Field, y: Field) -> NDArray[np.uint8]:
    """The fire behind a ship, to the left, hottest at its right end."""
    along = np.clip((1.0 - x) * 0.5, 0.0, 1.0)
    width = 0.5 * np.sin(np.pi * np.clip(along * 0.85 + 0.15, 0.0, 1.0)) ** 0.8 * (1.0 - along) ** 0.6 + 0.02
    alpha = np.exp(-((y / width) ** 2) * 2.0) * (1.0 - along) ** 1.6
    core = np.exp(-((y / (0.5 * width)) ** 2) * 2.0) * (1.0 - along) ** 3
    one = np.ones_like(x)
    return _rgba(0.35 + core, 0.6 + core, one, alpha)


def _shield(x: Field, y: Field) -> NDArray[np.uint8]:
    distance = np.hypot(x, y)
    ring = np.exp(-(((distance - 0.86) / 0.035) ** 2)) + 0.3 * np.clip(distance / 0.86, 0, 1) ** 5 * (distance < 0.86)
    one = np.ones_like(x)
    return _rgba(one, one, one, ring)


def _ring(x: Field, y: Field) -> NDArray[np.uint8]:
    """A shock wave: sharp outside, soft inside."""
    off = np.hypot(x, y) - 0.92
    one = np.ones_like(x)
    return _rgba(one, one, one, np.where(off > 0.0, np.exp(-((off / 0.02) ** 2)), np.exp(off / 0.09)))


def _corona(random: np.random.Generator, x: Field, y: Field) -> NDArray[np.uint8]:
    """Rays around the sun, whose own radius is 0.3."""
    turn, distance = np.arctan2(y, x) / (2.0 * np.pi), np.hypot(x, y)
    rays = 0.5 + 0.5 * clouds(random, (14, 2), turn, distance * 0.5, 4)
    reach = 0.3 + 0.62 * np.clip(rays, 0.05, 1.0) ** 1.2
    alpha = np.clip(1.0 - (distance - 0.22) / np.maximum(reach - 0.1, 0.05), 0.0, 1.0) ** 2
    one = np.ones_like(x)
    return _rgba(one, one, one, alpha * np.clip((0.98 - distance) * 6.0, 0.0, 1.0))


def _sun(random: np.random.Generator, x: Field, y: Field) -> NDArray[np.uint8]:
    """A boiling disc, darker towards its edge."""
    distance = np.hypot(x, y) / 0.96
    bulge = 1.0 + 0.5 * distance**2
    boil = clouds(random, (9, 9), x * 0.5 * bulge + 0.5, y * 0.5 * bulge + 0.5, 5)
    tone = 0.82 + 0.16 * boil - 0.25 * distance**3
    return _rgba(tone + 0.2, tone * 0.86, tone * 0.5, (1.0 - distance) * SIDE * 0.3)


def _nebula_pixels(seed: int) -> NDArray[np.uint8]:
    random = np.random.default_rng(seed)
    u, v = np.meshgrid((np.arange(SKY[0]) + 0.5) / SKY[0], (np.arange(SKY[1]) + 0.5) / SKY[1])
    warp = 0.13 * clouds(random, (4, 3), u, v, 4)
    gas = 1.0 / (1.0 + np.exp(-4.0 * clouds(random, (4, 3), u + warp, v + 0.7 * warp, 6)))
    veil = 1.0 / (1.0 + np.exp(1.2 - 4.0 * clouds(random, (4, 3), u - warp, v + warp, 6)))
    red = 0.03 + 0.36 * gas**2.2 + 0.03 * veil
    green = 0.03 + 0.06 * gas**2.0 + 0.26 * veil**1.8
    blue = 0.08 + 0.32 * gas**1.8 + 0.34 * veil**1.6
    grain = random.normal(0.0, 0.006, u.shape)
    inside = np.minimum(np.minimum(u, 1.0 - u), np.minimum(v, 1.0 - v))
    return _rgba(red + grain, green + grain, blue + grain, inside * 9.0)


def _haze_pixels(bands: tuple[tuple[float, float, float], ...]) -> NDArray[np.uint8]:
    random = np.random.default_rng(8)
    x, y = _square(HAZE_SIDE)
    turn, distance = np.arctan2(y, x) / (2.0 * np.pi), np.hypot(x, y)
    swirl = turn + 0.35 * distance
    rough = 0.5 + 0.5 * clouds(random, (5, 14), swirl, distance, 5)
    density = sum(0.4 * weight * np.exp(-(((distance - at) / (1.5 * spread)) ** 2)) for at, spread, weight in bands)
    alpha = density * np.clip(0.35 + rough, 0.0, 1.4) * np.clip((0.99 - distance) * 20.0, 0.0, 1.0) * 0.55
    out = np.clip(distance * 1.5, 0.0, 1.0)
    return _rgba(1.0 - 0.7 * out, 0.55 - 0.25 * np.sin(np.pi * out), 0.25 + 0.75 * out, alpha)
