"""Subpixel jitter of each frame."""

from __future__ import annotations


def halton(index: int, base: int) -> float:
    """Element ``index`` (from 1) of the van der Corput sequence of a base, from 0 to 1 (Halton 1960)."""
    result, share = 0.0, 1.0
    while index > 0:
        share /= base
        index, digit = divmod(index, base)
        result += share * digit
    return result


def offsets(samples: int) -> tuple[tuple[float, float], ...]:
    """Offsets from the Halton sequence (2, 3), in texels, with mean (0, 0).

    All are within 0.75 texels of the centre, and nearly all within the texel.
    """
    points = [(halton(number, 2), halton(number, 3)) for number in range(1, samples + 1)]
    middle = [sum(values) / samples for values in zip(*points, strict=True)]
    return tuple((x - middle[0], y - middle[1]) for x, y in points)
