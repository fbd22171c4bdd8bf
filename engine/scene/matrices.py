"""Model matrices of interpolated transforms, by numpy or by loops that numba compiles.

The formulas are written once, for single numbers and for arrays of them, with additions, multiplications, divisions
and square roots of float32 only. These are rounded alike everywhere, so both ways give the same bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.rows import Rows

#: Floats per packed transform: position xyz, rotation wxyz, scale xyz.
TRANSFORM_FLOATS = 10
POSITION, ROTATION, SCALE = slice(0, 3), slice(3, 7), slice(7, 10)

_ONE, _TWO = np.float32(1.0), np.float32(2.0)
_SHORTEST = np.float32(1e-30)
#: Arc cosine from 0 to 1, divided by sqrt(1 - x) (Abramowitz and Stegun 4.4.46, error below 2e-8).
_ARC = tuple(
    np.float32(value)
    for value in (
        1.5707963050,
        -0.2145988016,
        0.0889789874,
        -0.0501743046,
        0.0308918810,
        -0.0170881256,
        0.0066700901,
        -0.0012624911,
    )
)
#: sin(x) / x as a polynomial of x squared, up to pi / 2 (Taylor, error below 1e-9).
_SINC = tuple(np.float32(value) for value in (1.0, -1 / 6, 1 / 120, -1 / 5040, 1 / 362880, -1 / 39916800))


def arc_squared(cosine: Any) -> Any:
    """The square of the angle with this cosine, from 0 to 1."""
    a0, a1, a2, a3, a4, a5, a6, a7 = _ARC
    high = a4 + cosine * (a5 + cosine * (a6 + cosine * a7))
    slope = a0 + cosine * (a1 + cosine * (a2 + cosine * (a3 + cosine * high)))
    return (_ONE - cosine) * slope * slope


def sinc(square: Any) -> Any:
    """sin(x) / x for the square of x."""
    s0, s1, s2, s3, s4, s5 = _SINC
    return s0 + square * (s1 + square * (s2 + square * (s3 + square * (s4 + square * s5))))


def slerp(a: Any, b: Any, t: Any) -> Any:
    """Spherical interpolation of unit quaternions (w, x, y, z) along the shorter arc (Shoemake 1985), normalised.

    ``sin(t * angle) / sin(angle)`` is computed as a ratio of ``sinc``, which is regular at angle 0.
    """
    cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    square = arc_squared(np.minimum(np.abs(cosine), _ONE))
    whole = sinc(square)
    rest = _ONE - t
    weight_a = rest * sinc(rest * rest * square) / whole
    weight_b = np.copysign(t * sinc(t * t * square) / whole, cosine)
    w = a[0] * weight_a + b[0] * weight_b
    x = a[1] * weight_a + b[1] * weight_b
    y = a[2] * weight_a + b[2] * weight_b
    z = a[3] * weight_a + b[3] * weight_b
    length = np.maximum(np.sqrt(w * w + x * x + y * y + z * z), _SHORTEST)
    return w / length, x / length, y / length, z / length


def axes(rotation: Any, scale: Any) -> Any:
    """The nine numbers of rotation * scale, column by column."""
    w, x, y, z = rotation
    sx, sy, sz = scale
    return (
        (_ONE - _TWO * (y * y + z * z)) * sx,
        _TWO * (x * y + w * z) * sx,
        _TWO * (x * z - w * y) * sx,
        _TWO * (x * y - w * z) * sy,
        (_ONE - _TWO * (x * x + z * z)) * sy,
        _TWO * (y * z + w * x) * sy,
        _TWO * (x * z + w * y) * sz,
        _TWO * (y * z - w * x) * sz,
        (_ONE - _TWO * (x * x + y * y)) * sz,
    )


def write_models(
    models: NDArray[np.float32],
    places: Rows | slice,
    rows: Rows,
    previous: NDArray[np.float32],
    current: NDArray[np.float32],
    alpha: np.float32,
) -> None:
    """Write the matrices of ``rows`` to ``models[places]``, interpolated between two arrays of packed transforms.

    ``models`` is float32 (n, 4, 4) in column-major memory. Rows that are equal in both arrays keep their exact values
    for every ``alpha``.
    """
    a, b = previous[rows], current[rows]
    mixed = a + (b - a) * alpha
    mixed[:, ROTATION] = b[:, ROTATION]
    moved = np.flatnonzero((a != b).any(axis=1))
    if len(moved):
        mixed[moved, ROTATION] = np.stack(slerp(a[moved, ROTATION].T, b[moved, ROTATION].T, alpha), axis=1)
    columns = np.empty((len(rows), 4, 4), np.float32)
    for number, values in enumerate(axes(mixed[:, ROTATION].T, mixed[:, SCALE].T)):
        columns[:, number // 3, number % 3] = values
    columns[:, 3, :3] = mixed[:, POSITION]
    columns[:, :3, 3] = 0.0
    columns[:, 3, 3] = 1.0
    models[places] = columns


def loop_over_models(
    models: NDArray[np.float32],
    places: Rows,
    rows: Rows,
    previous: NDArray[np.float32],
    current: NDArray[np.float32],
    alpha: np.float32,
) -> None:
    """``write_models`` as a loop, which numba compiles; much slower than that as it is."""
    for index in range(len(rows)):
        a, b, model = previous[rows[index]], current[rows[index]], models[places[index]]
        rotation = (b[3], b[4], b[5], b[6])
        for number in range(TRANSFORM_FLOATS):
            if a[number] != b[number]:
                rotation = slerp((a[3], a[4], a[5], a[6]), rotation, alpha)
                break
        scale = (
            a[7] + (b[7] - a[7]) * alpha,
            a[8] + (b[8] - a[8]) * alpha,
            a[9] + (b[9] - a[9]) * alpha,
        )
        columns = axes(rotation, scale)
        for column in range(3):
            model[column, 0] = columns[3 * column]
            model[column, 1] = columns[3 * column + 1]
            model[column, 2] = columns[3 * column + 2]
            model[column, 3] = 0.0
            model[3, column] = a[column] + (b[column] - a[column]) * alpha
        model[3, 3] = 1.0
