"""Decals texel by texel in float64: a ray for each texel, and each decal's box looked at where it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene import Camera, Image
from renderwright.plugins.decals import Decal

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Seen:
    """What a camera sees of a ground at y = 0, a wall at z = -2 and a ball: all (height, width, ...) by texel.

    ``depth`` is reversed, 0 of the sky.
    """

    position: Floats
    normal: Floats
    depth: Floats


BALL, RADIUS = np.array([-0.8, 0.5, 0.0]), 0.5


def look(camera: Camera, width: int, height: int) -> Seen:
    """Shoot a ray through the middle of each texel."""
    inverse_view = np.linalg.inv(np.array(camera.view(), np.float64))
    x = (np.arange(width) + 0.5) / width * 2.0 - 1.0
    y = 1.0 - (np.arange(height) + 0.5) / height * 2.0
    if camera.height is None:
        up = np.tan(0.5 * camera.fov_y)
        slopes = np.stack([*np.meshgrid(x * up * width / height, y * up), -np.ones((height, width))], axis=-1)
        rays = slopes @ inverse_view[:3, :3].T
        start = np.broadcast_to(inverse_view[:3, 3], rays.shape)
    else:
        up = 0.5 * camera.height
        places = np.stack([*np.meshgrid(x * up * width / height, y * up), np.zeros((height, width))], axis=-1)
        start = places @ inverse_view[:3, :3].T + inverse_view[:3, 3]
        rays = np.broadcast_to(-inverse_view[:3, 2], start.shape)
    away, normal = np.full((height, width), np.inf), np.zeros((height, width, 3))
    for distance, facing in (_plane(start, rays, 1, 0.0), _plane(start, rays, 2, -2.0), _ball(start, rays)):
        nearer = distance < away
        away, normal = np.where(nearer, distance, away), np.where(nearer[..., None], facing, normal)
    sky = ~np.isfinite(away)
    position = start + rays * np.where(sky, 0.0, away)[..., None]
    clip = np.array(camera.frustum(width / height).projection(camera.near), np.float64) @ np.array(
        camera.view(), np.float64
    )
    points = np.concatenate([position, np.ones((height, width, 1))], axis=-1) @ clip.T
    return Seen(position, normal, np.where(sky, 0.0, points[..., 2] / points[..., 3]))


def project(seen: Seen, decals: Sequence[Decal], opacity: float = 1.0) -> list[tuple[Decal, Floats, Floats]]:
    """Each decal from the lowest to that on top, with its colour (height, width, 3) and alpha (height, width)."""
    found = []
    for decal in sorted(decals, key=lambda decal: decal.order):
        box = np.array(decal.box(), np.float64)
        points = np.concatenate([seen.position, np.ones((*seen.depth.shape, 1))], axis=-1)
        place = (points @ np.linalg.inv(box).T)[..., :3]
        inside = (np.abs(place) <= 0.5).all(axis=-1) & (seen.depth > 0.0)
        towards = box[:3, 2] / np.linalg.norm(box[:3, 2])
        least, most = np.cos(decal.fade_angles)
        share = np.clip((seen.normal @ towards - most) / (least - most), 0.0, 1.0) * decal.opacity * opacity
        color, alpha = np.ones((*inside.shape, 3)), np.ones(inside.shape)
        if decal.image is not None:
            texel = filtered(decal.image, 0.5 + place[..., 0], 0.5 - place[..., 1])
            alpha = texel[..., 3]
            color = texel[..., :3] / np.maximum(alpha, 1e-9)[..., None]
        found.append((decal, color * np.array(decal.tint or (1.0, 1.0, 1.0)), alpha * share * inside))
    return found


def filtered(image: Image, u: Floats, v: Floats) -> Floats:
    """Bilinear samples of the premultiplied image, clamped; all of its channels as they are."""
    texels = image.pixels / 255.0
    texels = np.concatenate([texels[..., :3] * texels[..., 3:], texels[..., 3:]], axis=-1)
    height, width = texels.shape[:2]
    x, y = u * width - 0.5, v * height - 0.5
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    result = np.zeros((*u.shape, 4))
    for down in (0, 1):
        for right in (0, 1):
            weight = np.abs(1 - right - (x - left)) * np.abs(1 - down - (y - top))
            rows, columns = np.clip(top + down, 0, height - 1), np.clip(left + right, 0, width - 1)
            result += weight[..., None] * texels[rows, columns]
    return result


def over(surface: Floats, changed: Floats, alpha: Floats) -> Floats:
    """A value of the surface with that of a decal over it."""
    return surface * (1.0 - alpha[..., None]) + changed * alpha[..., None]


def _plane(start: Floats, rays: Floats, axis: int, at: float) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = (at - start[..., axis]) / rays[..., axis]
    facing = np.zeros(3)
    facing[axis] = 1.0
    return np.where((distance > 0.0) & (rays[..., axis] < 0.0), distance, np.inf), facing


def _ball(start: Floats, rays: Floats) -> tuple[Floats, Floats]:
    to = start - BALL
    a, b, c = (rays**2).sum(-1), (rays * to).sum(-1), (to**2).sum(-1) - RADIUS**2
    root = b * b - a * c
    distance = (-b - np.sqrt(np.maximum(root, 0.0))) / a
    distance = np.where((root > 0.0) & (distance > 0.0), distance, np.inf)
    hit = to + rays * np.where(np.isfinite(distance), distance, 0.0)[..., None]
    return distance, hit / np.maximum(np.linalg.norm(hit, axis=-1, keepdims=True), 1e-9)
