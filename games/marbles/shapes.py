"""Meshes of the board beyond the engine's primitives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene import Mesh
from renderwright.engine.scene.geometry import generated_tangents, interleaved
from renderwright.engine.scene.primitives import box, sphere
from renderwright.games.marbles.course import MARBLE_RADIUS, PIT_RADIUS, Block, Course

PIT_SEGMENTS = 48
"""Segments of a pit's circle. A multiple of 4, so that the fan's rays hit the tile's corners."""
_GRAIN = 0.125
"""Repeats of the wood image per unit."""


def floor_mesh(course: Course) -> Mesh:
    """The floor at y = 0 with a round hole at each pit. Tiles have vertices at their corners only, to avoid cracks."""
    pits = {course.cell(pit.x, pit.z) for pit in course.pits}
    points: list[NDArray[np.float64]] = []
    triangles: list[NDArray[np.int64]] = []
    count = 0
    for row in range(course.rows):
        for column in range(course.columns):
            centre = course.centre((column, row))
            tile = _HOLED_TILE if (column, row) in pits else _PLAIN_TILE
            points.append(tile[0] + np.array([centre.x, centre.z]))
            triangles.append(tile[1] + count)
            count += len(tile[0])
    flat = np.concatenate(points)
    positions = np.stack([flat[:, 0], np.zeros(len(flat)), flat[:, 1]], axis=1)
    normals = np.broadcast_to([0.0, 1.0, 0.0], positions.shape)
    uvs = (flat + 0.5 * np.array([course.columns, course.rows])) * _GRAIN
    indices = np.concatenate(triangles).reshape(-1)
    return _mesh("floor", positions, normals, uvs, indices)


def well_mesh(depth: float) -> Mesh:
    """The inside of a pit from y = 0 down to ``-depth``: its wall, facing inwards, and its bottom."""
    turn = np.linspace(0.0, math.tau, PIT_SEGMENTS + 1)
    x, z = np.cos(turn), np.sin(turn)
    zero, along = np.zeros_like(turn), turn / math.tau
    wall = [np.stack([x * PIT_RADIUS, np.full_like(turn, y), z * PIT_RADIUS], axis=1) for y in (0.0, -depth)]
    inwards = np.stack([-x, zero, -z], axis=1)
    bottom = np.concatenate([wall[1], [[0.0, -depth, 0.0]]])
    up = np.broadcast_to([0.0, 1.0, 0.0], bottom.shape)
    positions = np.concatenate([*wall, bottom])
    normals = np.concatenate([inwards, inwards, up])
    uvs = np.concatenate(
        [np.stack([along * 3.0, zero], axis=1), np.stack([along * 3.0, zero + 1.0], axis=1), bottom[:, [0, 2]] * 2.0]
    )
    ring = PIT_SEGMENTS + 1
    k = np.arange(PIT_SEGMENTS)
    sides = np.concatenate(
        [np.stack([k, k + ring, k + 1], axis=1), np.stack([k + 1, k + ring, k + ring + 1], axis=1)],
    )
    disc = np.stack([np.full_like(k, 3 * ring), 2 * ring + k + 1, 2 * ring + k], axis=1)
    return _mesh("well", positions, normals, uvs, np.concatenate([sides, disc]).reshape(-1))


def blocks_mesh(name: str, blocks: Sequence[Block], bottom: float, top: float, bevel: float) -> Mesh:
    """Boxes over ``blocks`` with bevelled edges, as one mesh. The wood grain runs along the longer side."""
    vertices: list[NDArray[np.float32]] = []
    indices: list[NDArray[np.uint32]] = []
    count = 0
    for block in blocks:
        width, depth = block.x1 - block.x0, block.z1 - block.z0
        part = box((width, top - bottom, depth), bevel, bevel_segments=3)
        placed = part.vertices.copy()
        placed[:, 0:3] += np.array([block.x0 + 0.5 * width, 0.5 * (bottom + top), block.z0 + 0.5 * depth], np.float32)
        placed[:, 6:8] = _grain_uvs(placed, along_x=width >= depth)
        vertices.append(placed)
        indices.append(part.indices + np.uint32(count))
        count += len(placed)
    joined, joined_indices = np.concatenate(vertices), np.concatenate(indices)
    return _mesh(name, joined[:, 0:3], joined[:, 3:6], joined[:, 6:8], joined_indices)


def patterned_marble(pattern: int) -> tuple[Mesh, Mesh]:
    """A marble's surface in two parts of different colour. ``pattern`` selects one of four divisions."""
    ball = sphere(MARBLE_RADIUS, segments=48, rings=24)
    corners = ball.positions[ball.indices.reshape(-1, 3)].astype(np.float64)
    second = _PATTERNS[pattern % len(_PATTERNS)](corners.mean(axis=1) / MARBLE_RADIUS)
    triangles = ball.indices.reshape(-1, 3)
    return (
        Mesh(f"marble {pattern} ground", ball.vertices, triangles[~second].reshape(-1)),
        Mesh(f"marble {pattern} figure", ball.vertices, triangles[second].reshape(-1)),
    )


_Parting = Callable[[NDArray[np.float64]], NDArray[np.bool_]]


def _sectors(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    turn = np.arctan2(points[:, 0], points[:, 2]) / math.tau % 1.0
    return np.asarray(np.floor(turn * 6.0) % 2 == 0)


def _band(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(np.abs(points[:, 1]) < 0.38)


def _octants(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(points.prod(axis=1) > 0.0)


def _two_bands(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    height = np.abs(points[:, 1])
    return np.asarray((height > 0.25) & (height < 0.7))


_PATTERNS: tuple[_Parting, ...] = (_sectors, _band, _octants, _two_bands)


_Tile = tuple[NDArray[np.float64], NDArray[np.int64]]
"""Points (n, 2) of x and z around the tile's centre, and triangles (m, 3) that face up."""


def _plain_tile() -> _Tile:
    return _CORNERS, np.array([[0, 2, 1], [0, 3, 2]])


def _holed_tile() -> _Tile:
    """A unit square with a circular hole. Each corner is the apex of a fan over its quarter of the circle."""
    turn = np.arange(PIT_SEGMENTS) * math.tau / PIT_SEGMENTS
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1) * PIT_RADIUS
    quarter = PIT_SEGMENTS // 4
    k = np.arange(PIT_SEGMENTS)
    fans = np.stack([k // quarter, 4 + k, 4 + (k + 1) % PIT_SEGMENTS], axis=1)
    corner = np.arange(4)
    bridges = np.stack([corner, (corner - 1) % 4, 4 + corner * quarter], axis=1)
    return np.concatenate([_CORNERS, circle]), np.concatenate([fans, bridges])


_CORNERS = np.array([[0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5]])
_PLAIN_TILE = _plain_tile()
_HOLED_TILE = _holed_tile()


def _grain_uvs(vertices: NDArray[np.float32], *, along_x: bool) -> NDArray[np.float32]:
    """Wood texture coordinates by projection along the dominant axis of each face normal."""
    x, y, z = vertices[:, 0], vertices[:, 1], vertices[:, 2]
    side = np.abs(vertices[:, 3:6]).argmax(axis=1)
    along, across = (x, z) if along_x else (z, x)
    u = np.where(side == (0 if along_x else 2), across, along)
    v = np.where(side == 1, across, y)
    return np.stack([u, v], axis=1) * np.float32(_GRAIN)


def _mesh(
    name: str,
    positions: NDArray[np.floating],
    normals: NDArray[np.floating],
    uvs: NDArray[np.floating],
    indices: NDArray[np.integer],
) -> Mesh:
    points, directions = positions.astype(np.float32), normals.astype(np.float32)
    texture, corners = uvs.astype(np.float32), indices.astype(np.uint32)
    tangents = generated_tangents(points, directions, texture, corners)
    return Mesh(name, interleaved(points, directions, texture, tangents), corners)
