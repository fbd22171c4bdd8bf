"""Fits linearly transformed cosines to the specular lobe of ``lighting.glsl``, for light from rectangles.

A clamped cosine, whose integral over a polygon is known, becomes a lobe when its directions are transformed by a matrix
(Heitz, Dupuy, Hill and Neubelt 2016). For each roughness and view angle, the matrix maximises the mean logarithm of its
density over samples of the lobe: that minimises the Kullback-Leibler divergence, which leaves no part of the lobe
without light. The samples are visible normals of GGX (Heitz 2018), weighted by the masking of the light.

The inverse matrix is ((a, 0, b), (0, 1, 0), (alpha * c, 0, alpha * d)), in a frame with the normal as third and the
view direction between the first and third axis. The table holds a, b, c, d, which vary slowly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SIZE = 32
"""Columns by roughness, rows by the square root of 1 - cosine of the view angle, both from 0 to 1."""
LEAST_ROUGHNESS = 0.045
"""As ``surface.glsl`` clamps it."""
_SAMPLES = 256
_STEPS = 24
_LEAST_HEIGHT = 1e-6

Doubles = NDArray[np.float64]


def area_table() -> NDArray[np.float32]:
    """The fitted a, b, c, d, float32 (SIZE, SIZE, 4): by view angle, then by roughness."""
    steps = np.linspace(0.0, 1.0, SIZE)
    roughness, slope = (part.reshape(-1) for part in np.meshgrid(steps, steps))
    return fitted(roughness, 1.0 - slope**2).reshape(SIZE, SIZE, 4).astype(np.float32)


def fitted(roughness: Doubles, cosine: Doubles) -> Doubles:
    """The parameters for roughnesses and cosines of view angles (n,): float64 (n, 4)."""
    alpha = np.maximum(roughness, LEAST_ROUGHNESS) ** 2
    light, weight = lobe(alpha, np.clip(cosine, 1e-3, 1.0))
    weight = weight / weight.sum(axis=1, keepdims=True)
    mean = np.einsum("ns,nsc->nc", weight, light)
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    x, z = mean[:, 0], mean[:, 2]
    fit = np.stack([z, -x, x, z], axis=1)
    damping = np.full(len(fit), 1e-3)
    score = _score(fit, alpha, light, weight)
    for _ in range(_STEPS):
        slope, curvature = _derivatives(fit, alpha, light, weight)
        matrix = curvature + damping[:, None, None] * np.eye(4)
        tried = fit + np.linalg.solve(matrix, slope[:, :, None])[:, :, 0]
        reached = _score(tried, alpha, light, weight)
        better = reached > score
        fit[better], score[better] = tried[better], reached[better]
        damping = np.where(better, damping / 3.0, damping * 4.0).clip(1e-9, 1e9)
    return fit


def lobe(alpha: Doubles, cosine: Doubles) -> tuple[Doubles, Doubles]:
    """Directions of light (n, s, 3) and weights (n, s) that sample the lobe seen at a cosine, in the fit's frame."""
    number = np.arange(_SAMPLES) + 0.5
    first, second = number * 0.7548776662466927 % 1.0, number * 0.5698402909980532 % 1.0
    view = np.stack([np.sqrt(1.0 - cosine**2), np.zeros_like(cosine), cosine], axis=1)
    stretched = view * np.stack([alpha, alpha, np.ones_like(alpha)], axis=1)
    stretched /= np.linalg.norm(stretched, axis=1, keepdims=True)
    # The cap of reflected directions (Dupuy and Benyoub 2023), in place of the projected disk.
    height = (1.0 - first) * (1.0 + stretched[:, 2:3]) - stretched[:, 2:3]
    aside, turn = np.sqrt(np.clip(1.0 - height**2, 0.0, 1.0)), 2.0 * np.pi * second
    normal = np.stack([aside * np.cos(turn), aside * np.sin(turn), height], axis=2) + stretched[:, None]
    normal = normal * np.stack([alpha, alpha, np.ones_like(alpha)], axis=1)[:, None]
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    light = 2.0 * np.einsum("nc,nsc->ns", view, normal)[..., None] * normal - view[:, None]
    n_l, n_v, a2 = light[..., 2].clip(1e-9, 1.0), cosine[:, None], (alpha**2)[:, None]
    masked_view = np.sqrt(a2 + (1.0 - a2) * n_v**2)
    masked_light = np.sqrt(a2 + (1.0 - a2) * n_l**2)
    weight = n_l * (n_v + masked_view) / (n_l * masked_view + n_v * masked_light)  # G2 / G1
    return light, np.where(light[..., 2] > 0.0, weight, 0.0)


def _transformed(fit: Doubles, alpha: Doubles, light: Doubles) -> tuple[Doubles, Doubles]:
    """First and third component of the directions, transformed back to those of the cosine."""
    a, b, c, d = fit.T[:, :, None]
    x, z = light[..., 0], light[..., 2]
    return a * x + b * z, alpha[:, None] * (c * x + d * z)


def _determinant(fit: Doubles) -> Doubles:
    determinant: Doubles = fit[:, 0] * fit[:, 3] - fit[:, 1] * fit[:, 2]
    return determinant


def _score(fit: Doubles, alpha: Doubles, light: Doubles, weight: Doubles) -> Doubles:
    """Mean logarithm of the density, but for a constant; minus infinity for a matrix that turns the lobe over."""
    x, z = _transformed(fit, alpha, light)
    size = x**2 + light[..., 1] ** 2 + z**2
    with np.errstate(divide="ignore", invalid="ignore"):
        density = np.log(np.maximum(z, _LEAST_HEIGHT * alpha[:, None])) - 2.0 * np.log(size)
        score = np.einsum("ns,ns->n", weight, density) + np.log(_determinant(fit))
    return np.where(np.isfinite(score), score, -np.inf)


def _derivatives(fit: Doubles, alpha: Doubles, light: Doubles, weight: Doubles) -> tuple[Doubles, Doubles]:
    """Gradient (n, 4) of the score, and a positive part (n, 4, 4) of its negative second derivative."""
    x, z = _transformed(fit, alpha, light)
    size = x**2 + light[..., 1] ** 2 + z**2
    nothing = np.zeros_like(x)
    of_x = np.stack([light[..., 0], light[..., 2], nothing, nothing], axis=2)
    of_z = np.stack([nothing, nothing, light[..., 0], light[..., 2]], axis=2) * alpha[:, None, None]
    height = np.maximum(z, _LEAST_HEIGHT * alpha[:, None])
    above = weight * (z > _LEAST_HEIGHT * alpha[:, None])
    of_size = x[..., None] * of_x + z[..., None] * of_z
    slope = np.einsum("ns,nsp->np", above / height, of_z) - 4.0 * np.einsum("ns,nsp->np", weight / size, of_size)
    determinant = _determinant(fit)[:, None]
    of_determinant = np.stack([fit[:, 3], -fit[:, 2], -fit[:, 1], fit[:, 0]], axis=1)
    slope += of_determinant / determinant
    curvature = np.einsum("ns,nsp,nsq->npq", above / height**2, of_z, of_z, optimize=True)
    for of_one in (of_x, of_z):
        curvature += 4.0 * np.einsum("ns,nsp,nsq->npq", weight / size, of_one, of_one, optimize=True)
    curvature += np.einsum("np,nq->npq", of_determinant, of_determinant) / determinant[:, :, None] ** 2
    return slope, curvature
