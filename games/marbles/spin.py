"""Orientations as unit quaternions (w, x, y, z)."""

from __future__ import annotations

import math

from renderwright.games.marbles.tilt import Vector

Quaternion = tuple[float, float, float, float]
IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)


def turned(orientation: Quaternion, spin: Vector, dt: float) -> Quaternion:
    """``orientation`` after rotating with the constant ``spin`` (radians per second, fixed axes) for ``dt`` seconds."""
    sx, sy, sz = spin
    rate = math.hypot(sx, sy, sz)
    if rate * dt < 1e-12:
        return orientation
    half = 0.5 * rate * dt
    scale = math.sin(half) / rate
    w0, x0, y0, z0 = math.cos(half), sx * scale, sy * scale, sz * scale
    w1, x1, y1, z1 = orientation
    w = w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1
    x = w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1
    y = w0 * y1 - x0 * z1 + y0 * w1 + z0 * x1
    z = w0 * z1 + x0 * y1 - y0 * x1 + z0 * w1
    norm = math.sqrt(w * w + x * x + y * y + z * z)
    return w / norm, x / norm, y / norm, z / norm
