"""The tone mapper's curves and exposure in float64, from the published formulas."""

from __future__ import annotations

import numpy as np

from benchmarks.quality.ray_scene import Doubles

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
MIDDLE_GREY = 0.18
BLACK = 2.0**-14
"""Luminance up to which texels are ignored."""


def agx(color: Doubles) -> Doubles:
    """Sobotka's AgX in the polynomial of Benjamin Wrensch (2023), with its punchy look; (..., 3) to linear display."""
    inset = np.array(
        [
            [0.842479062253094, 0.0784335999999992, 0.0792237451477643],
            [0.0423282422610123, 0.878468636469772, 0.0791661274605434],
            [0.0423756549057051, 0.0784336, 0.879142973793104],
        ]
    )
    low, high = -12.47393, 4.026069
    stops = np.log2(np.maximum(color @ inset.T, 1e-10))
    x = np.clip((stops - low) / (high - low), 0.0, 1.0)
    shaped = np.polyval([15.5, -40.14, 31.96, -6.868, 0.4298, 0.1191, -0.00232], x)
    shaped = np.maximum(shaped, 0.0) ** 1.35
    grey = (shaped @ LUMINANCE)[..., None]
    encoded = np.clip(np.maximum(grey + 1.4 * (shaped - grey), 0.0) @ np.linalg.inv(inset).T, 0.0, 1.0)
    linear: Doubles = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    return linear


def aces(color: Doubles) -> Doubles:
    """Stephen Hill's fit of ACES (2015); (..., 3) to linear display."""
    into = np.array([[0.59719, 0.35458, 0.04823], [0.07600, 0.90834, 0.01566], [0.02840, 0.13383, 0.83777]])
    out = np.array([[1.60475, -0.53108, -0.07367], [-0.10208, 1.10813, -0.00605], [-0.00327, -0.07276, 1.07602]])
    v = color @ into.T
    v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081)
    display: Doubles = np.clip(v @ out.T, 0.0, 1.0)
    return display


def neutral(color: Doubles) -> Doubles:
    """Khronos PBR Neutral (2024); (..., 3) to linear display."""
    low = color.min(axis=-1, keepdims=True)
    color = color - np.where(low < 0.08, low - 6.25 * low**2, 0.04)
    peak = color.max(axis=-1, keepdims=True)
    start, room = 0.76, 0.24
    mapped = 1.0 - room**2 / (np.maximum(peak, start) + room - start)
    grey = 1.0 - 1.0 / (0.15 * (peak - mapped) + 1.0)
    bright = color * (mapped / np.maximum(peak, 1e-9)) * (1.0 - grey) + mapped * grey
    return np.where(peak < start, color, bright)


def exposure(light: Doubles, dark: float, bright: float, center: float) -> float:
    """The factor that maps the log-mean luminance of the picture to middle grey, from all texels without a histogram.

    The darkest and brightest shares are ignored; ``center`` is the share of the weight that falls off from the centre.
    """
    height, width = light.shape[:2]
    y, x = np.meshgrid(
        (np.arange(height) + 0.5) / height * 2 - 1, (np.arange(width) + 0.5) / width * 2 - 1, indexing="ij"
    )
    weights = ((1.0 - center) + center * np.exp(-2.0 * (x**2 + y**2))).ravel()
    value = (light @ LUMINANCE).ravel()
    order = np.argsort(value)
    order = order[value[order] > BLACK]
    passed = np.cumsum(weights[order])
    low, high = passed[-1] * dark, passed[-1] * (1.0 - bright)
    inside = np.clip(np.minimum(passed, high) - np.maximum(passed - weights[order], low), 0.0, None)
    return float(MIDDLE_GREY / 2.0 ** ((inside * np.log2(value[order])).sum() / inside.sum()))
