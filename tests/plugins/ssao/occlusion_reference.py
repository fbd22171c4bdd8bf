"""Boxes on a plane, seen by rays on the CPU: depth and normals for the plugin, and occlusion to compare with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene.camera import Camera

SIZE = (96, 64)
Point = tuple[float, float, float]
Box = tuple[Point, Point]
ONE_BOX: tuple[Box, ...] = (((-0.6, 0.0, -0.6), (0.6, 0.9, 0.6)),)
"""Lowest and highest corners."""
EYE, AIM = (2.2, 2.0, 2.6), (0.3, 0.3, 0.3)
FALLOFF_START = 0.4


@dataclass(frozen=True)
class Seen:
    """What the camera sees: reversed depth (height, width), positions and unit normals (height, width, 3)."""

    camera: CameraView
    boxes: tuple[Box, ...]
    depth: np.ndarray
    position: np.ndarray
    normal: np.ndarray


def nearest(
    origins: np.ndarray, directions: np.ndarray, boxes: tuple[Box, ...] = ONE_BOX
) -> tuple[np.ndarray, np.ndarray]:
    """Distance and unit normal at the first hit of each ray (n, 3) with the plane y = 0 or a box; inf if none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.where(directions[:, 1] < 0, -origins[:, 1] / directions[:, 1], np.inf)
    distance = np.where(distance > 1e-5, distance, np.inf)
    normals = np.zeros_like(directions)
    normals[:, 1] = 1.0
    for low, high in boxes:
        with np.errstate(divide="ignore", invalid="ignore"):
            a, b = (np.array(low) - origins) / directions, (np.array(high) - origins) / directions
        entries, exits = np.fmin(a, b), np.fmax(a, b)
        axis, enter = entries.argmax(axis=1), entries.max(axis=1)
        rows = np.nonzero((enter < exits.min(axis=1)) & (enter > 1e-5) & (enter < distance))[0]
        distance[rows], normals[rows] = enter[rows], 0.0
        normals[rows, axis[rows]] = -np.sign(directions[rows, axis[rows]])
    return distance, normals


def look(size: tuple[int, int] = SIZE, boxes: tuple[Box, ...] = ONE_BOX, eye: Point = EYE, aim: Point = AIM) -> Seen:
    """What a camera sees of the boxes; by default a box's corner from above."""
    width, height = size
    camera = CameraView.of(Camera(glm.vec3(*eye), glm.vec3(*aim)), size, 0.0)
    x, y = np.meshgrid((np.arange(width) + 0.5) / width * 2 - 1, 1 - (np.arange(height) + 0.5) / height * 2)
    inverse = np.array(camera.inverse_view_projection.to_list()).T
    near = np.stack([x, y, np.ones_like(x), np.ones_like(x)], axis=-1) @ inverse.T
    origin = np.array(camera.position.to_list())
    rays = (near[..., :3] / near[..., 3:] - origin).reshape(-1, 3)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    distance, normal = nearest(np.broadcast_to(origin, rays.shape), rays, boxes)
    position = origin + rays * distance[:, None]
    along = (rays @ np.array(camera.forward.to_list())) * distance
    depth = np.where(np.isfinite(along), camera.near / along, 0.0).astype(np.float32)
    shape = (height, width)
    return Seen(camera, boxes, depth.reshape(shape), position.reshape(*shape, 3), normal.reshape(*shape, 3))


def visibility(
    position: np.ndarray,
    normal: np.ndarray,
    radius: float,
    rays: int = 512,
    boxes: tuple[Box, ...] = ONE_BOX,
) -> np.ndarray:
    """Cosine-weighted visibility at points (n, 3): hits nearer than a share of the radius count in full, then less."""
    random = np.random.default_rng(7)
    u, v = random.random(rays), random.random(rays) * 2 * np.pi
    local = np.stack([np.sqrt(u) * np.cos(v), np.sqrt(u) * np.sin(v), np.sqrt(1 - u)], axis=-1)
    result = np.empty(len(position))
    for row, (point, up) in enumerate(zip(position, normal, strict=True)):
        side = np.cross(up, [1.0, 0.0, 0.0] if abs(up[0]) < 0.5 else [0.0, 0.0, 1.0])
        side /= np.linalg.norm(side)
        directions = local @ np.stack([side, np.cross(up, side), up])
        distance, _ = nearest(np.broadcast_to(point + up * 1e-4, directions.shape), directions, boxes)
        hidden = np.clip((radius - distance) / (radius * (1 - FALLOFF_START)), 0.0, 1.0)
        result[row] = 1.0 - hidden.mean()
    return result
