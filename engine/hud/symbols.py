"""Outlines of the symbols that the font lacks: arrows, a star, a disc and a heart.

Points are in the unit square of an em, y down, the baseline at y = 0.75.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

Outline = tuple[tuple[float, float], ...]

_RIGHT: Outline = (
    (0.10, 0.43),
    (0.52, 0.43),
    (0.52, 0.24),
    (0.90, 0.48),
    (0.52, 0.72),
    (0.52, 0.53),
    (0.10, 0.53),
)


def _turned(outline: Outline, quarter_turns: int) -> Outline:
    """``outline`` rotated clockwise about (0.5, 0.48)."""
    for _ in range(quarter_turns):
        outline = tuple((0.5 - (y - 0.48), 0.48 + (x - 0.5)) for x, y in outline)
    return outline


def _star() -> Outline:
    radii = (0.42, 0.17)
    angles = [math.radians(36.0 * corner - 90.0) for corner in range(10)]
    return tuple(
        (0.5 + radii[corner % 2] * math.cos(angle), 0.48 + radii[corner % 2] * math.sin(angle))
        for corner, angle in enumerate(angles)
    )


def _disc() -> Outline:
    angles = [math.tau * corner / 48 for corner in range(48)]
    return tuple((0.5 + 0.3 * math.cos(angle), 0.48 + 0.3 * math.sin(angle)) for angle in angles)


def _heart() -> Outline:
    """The curve x = 16 sin^3 t, y = 13 cos t - 5 cos 2t - 2 cos 3t - cos 4t, fitted into the em."""
    points: list[tuple[float, float]] = []
    for corner in range(64):
        t = math.tau * corner / 64
        x = 16.0 * math.sin(t) ** 3
        y = 13.0 * math.cos(t) - 5.0 * math.cos(2.0 * t) - 2.0 * math.cos(3.0 * t) - math.cos(4.0 * t)
        points.append((0.5 + x * 0.023, 0.44 - y * 0.023))
    return tuple(points)


SYMBOLS: Mapping[str, Outline] = {
    "→": _RIGHT,
    "↓": _turned(_RIGHT, 1),
    "←": _turned(_RIGHT, 2),
    "↑": _turned(_RIGHT, 3),
    "★": _star(),
    "●": _disc(),
    "♥": _heart(),
}
BASELINE = 0.75
