"""FLIP: the perceived difference of two pictures that alternate on a display.

Andersson et al. 2020, "FLIP: A Difference Evaluator for Alternating Images", by the authors' flip-evaluator, at its
default 67 pixels a degree.
"""

from __future__ import annotations

from typing import Any

import flip_evaluator
import numpy as np

from benchmarks.quality.play import Floats


def flip(right: Floats, seen: Floats) -> float:
    """Mean FLIP of two linear pictures after sRGB encoding: 0 is equal, 1 the largest difference."""
    return flip_of_shown(encoded(right), encoded(seen))


def flip_of_shown(right: Floats, seen: Floats) -> float:
    """Mean FLIP of two sRGB-encoded pictures from 0 to 1."""
    result: Any = flip_evaluator.evaluate(right, seen, "LDR")
    return float(result[1])


def encoded(linear: Floats) -> Floats:
    """The picture sRGB-encoded, float32, clamped to 0 to 1."""
    linear = np.clip(linear, 0.0, 1.0)
    curve = 1.055 * np.maximum(linear, 1e-8) ** (1.0 / 2.4) - 0.055
    return np.where(linear <= 0.0031308, linear * 12.92, curve).astype(np.float32)


def decoded(shown: Floats) -> Floats:
    """The linear light of an sRGB-encoded picture, float32."""
    return np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4).astype(np.float32)
