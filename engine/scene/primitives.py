"""Simple shapes, centred on the origin, sizes in metres.

Front faces point outwards. As seen from outside, u increases to the right and v downwards, so images are not mirrored.

Round shapes have an argument ``levels``: the number of coarser meshes for small sizes on the screen, each with half the
segments of the one before. A level is drawn where its outline differs from the round one by less than a texel of a
picture of 1080 lines.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pyglm import glm

from renderwright.engine.scene.geometry import interleaved, normalized
from renderwright.engine.scene.mesh import Mesh
from renderwright.render.errors import UsageError

Size3 = float | tuple[float, float, float] | glm.vec3

#: How far the outline of a level may be off, in heights of the picture.
OUTLINE_ERROR = 1.0 / 1080.0


class _Part(NamedTuple):
    """Vertices (n, 12) and indices."""

    vertices: NDArray[np.float32]
    indices: NDArray[np.uint32]


def box(size: Size3 = 1.0, bevel: float = 0.0, *, bevel_segments: int = 4) -> Mesh:
    """A box of ``size`` (one number: a cube). ``bevel`` is the radius of its rounded edges, at most half a side."""
    sides = (size, size, size) if isinstance(size, (int, float)) else (size[0], size[1], size[2])
    _positive("box", size=min(sides))
    if not 0.0 <= bevel <= min(sides) / 2:
        raise UsageError(f"box: bevel is {bevel}", hint=f"give 0 to {min(sides) / 2}, half of the shortest side")
    half = np.array(sides, np.float64) / 2
    parts = []
    for normal, right in _BOX_FACES:
        parts.append(_box_face(np.array(normal), np.array(right), half, bevel, _at_least("box", bevel_segments, 1)))
    return _joined("box", parts)


def plane(width: float = 1.0, depth: float = 1.0, *, segments: int = 1, uv_scale: float = 1.0) -> Mesh:
    """A plane in X and Z that faces +Y. ``uv_scale`` is the number of repeats of an image along a side."""
    _positive("plane", width=width, depth=depth)
    count = _at_least("plane", segments, 1)
    steps = np.linspace(0.0, 1.0, count + 1)
    u, v = (grid.reshape(-1) for grid in np.meshgrid(steps, steps))
    positions = np.stack([(u - 0.5) * width, np.zeros_like(u), (v - 0.5) * depth], axis=1)
    vertices = _vertices(positions, (0.0, 1.0, 0.0), np.stack([u, v], axis=1) * uv_scale, (1.0, 0.0, 0.0))
    return _joined("plane", [_Part(vertices, _grid_indices(count + 1, count + 1))])


def sphere(radius: float = 0.5, *, segments: int = 32, rings: int = 16, levels: int = 0) -> Mesh:
    """A sphere of ``rings`` latitudes times ``segments`` longitudes, with smooth normals and poles at +Y and -Y."""
    _positive("sphere", radius=radius)

    def part(segments: int, rings: int) -> Mesh:
        angles = np.linspace(0.0, math.pi, _at_least("sphere", rings, 2) + 1)
        profile = [_Ring(radius * _sin(a), radius * math.cos(a), _sin(a), math.cos(a), a / math.pi) for a in angles]
        return _joined("sphere", [_revolved(profile, _at_least("sphere", segments, 3))])

    return _with_levels("sphere", levels, min(segments, 2 * rings), lambda half: part(segments // half, rings // half))


def ellipsoid(radii: tuple[float, float, float], *, segments: int = 32, rings: int = 16) -> Mesh:
    """A sphere that is stretched to ``radii`` along x, y and z."""
    _positive("ellipsoid", radius=min(radii))
    mesh, scale = sphere(1.0, segments=segments, rings=rings), np.array(radii, np.float32)
    vertices = mesh.vertices.copy()
    vertices[:, :3] *= scale
    vertices[:, 3:6] /= scale
    vertices[:, 3:6] /= np.linalg.norm(vertices[:, 3:6], axis=1, keepdims=True)
    tangents = vertices[:, 8:11] * scale
    vertices[:, 8:11] = tangents / np.maximum(np.linalg.norm(tangents, axis=1, keepdims=True), 1e-6)
    return Mesh("ellipsoid", vertices, mesh.indices)


def cylinder(radius: float = 0.5, height: float = 1.0, *, segments: int = 32, levels: int = 0) -> Mesh:
    """A cylinder along Y with flat caps."""
    _positive("cylinder", radius=radius, height=height)
    top = height / 2
    side = [_Ring(radius, top, 1.0, 0.0, 0.0), _Ring(radius, -top, 1.0, 0.0, 1.0)]

    def part(segments: int) -> Mesh:
        count = _at_least("cylinder", segments, 3)
        caps = (_disk(radius, top, 1, count), _disk(radius, -top, -1, count))
        return _joined("cylinder", [_revolved(side, count), *caps])

    return _with_levels("cylinder", levels, segments, lambda half: part(segments // half))


def cone(radius: float = 0.5, height: float = 1.0, *, segments: int = 32, levels: int = 0) -> Mesh:
    """A cone with its tip at +Y and a flat base. The origin is at half of its height."""
    _positive("cone", radius=radius, height=height)
    slant = math.hypot(radius, height)
    out, up = height / slant, radius / slant
    side = [_Ring(0.0, height / 2, out, up, 0.0), _Ring(radius, -height / 2, out, up, 1.0)]

    def part(segments: int) -> Mesh:
        count = _at_least("cone", segments, 3)
        return _joined("cone", [_revolved(side, count), _disk(radius, -height / 2, -1, count)])

    return _with_levels("cone", levels, segments, lambda half: part(segments // half))


def capsule(radius: float = 0.25, height: float = 1.0, *, segments: int = 32, rings: int = 8, levels: int = 0) -> Mesh:
    """A cylinder along Y with hemispherical ends. ``height`` is the total height, at least twice the radius."""
    _positive("capsule", radius=radius, height=height)
    middle = height / 2 - radius
    if middle < 0.0:
        raise UsageError(f"capsule: height is {height}", hint=f"give at least {2 * radius}, twice the radius")
    length = math.pi * radius + 2 * middle

    def part(segments: int, rings: int) -> Mesh:
        profile: list[_Ring] = []
        for start, offset in ((0.0, middle), (math.pi / 2, -middle)):
            for angle in np.linspace(start, start + math.pi / 2, _at_least("capsule", rings, 1) + 1):
                run = radius * angle + (2 * middle if offset < 0.0 else 0.0)
                nx, ny = _sin(angle), math.cos(angle)
                profile.append(_Ring(radius * nx, radius * ny + offset, nx, ny, run / length))
        if middle == 0.0:
            del profile[rings]  # the two hemispheres share the equator
        return _joined("capsule", [_revolved(profile, _at_least("capsule", segments, 3))])

    return _with_levels("capsule", levels, min(segments, 4 * rings), lambda half: part(segments // half, rings // half))


def torus(radius: float = 0.5, tube: float = 0.2, *, segments: int = 48, rings: int = 24, levels: int = 0) -> Mesh:
    """A ring in X and Z. ``radius`` is from the origin to the centre of the tube, ``tube`` is the tube's radius."""
    _positive("torus", radius=radius, tube=tube)
    if tube >= radius:
        raise UsageError(f"torus: tube is {tube}", hint=f"give less than the radius, {radius}")

    def part(segments: int, rings: int) -> Mesh:
        angles = np.linspace(math.pi, -math.pi, _at_least("torus", rings, 3) + 1)
        profile = [
            _Ring(radius + tube * math.cos(a), tube * math.sin(a), math.cos(a), math.sin(a), (math.pi - a) / math.tau)
            for a in angles
        ]
        return _joined("torus", [_revolved(profile, _at_least("torus", segments, 3))])

    return _with_levels("torus", levels, min(segments, rings), lambda half: part(segments // half, rings // half))


# -- surfaces of revolution


def turned(radii: ArrayLike, heights: ArrayLike, *, segments: int = 48) -> Mesh:
    """What a lathe makes: a profile around Y, its radii and heights from the lowest to the highest. Radius 0 closes an
    end. Normals follow the profile, which has no edges."""
    radius, height = np.asarray(radii, np.float64), np.asarray(heights, np.float64)
    if radius.shape != height.shape or radius.ndim != 1 or len(radius) < 2:
        raise UsageError("turned: radii and heights differ in number", hint="give as many of both, two or more")
    if not ((np.diff(height) > 0.0).all() and (radius >= 0.0).all() and np.isfinite([radius, height]).all()):
        raise UsageError("turned: the profile does not rise", hint="give heights that grow, and no radius below 0")
    slope = np.gradient(radius, height)
    long = np.sqrt(1.0 + slope**2)
    share = (height[-1] - height) / (height[-1] - height[0])
    rings = np.stack([radius, height, 1.0 / long, -slope / long, share], axis=1)
    profile = [_Ring(*ring) for ring in rings[::-1].tolist()]
    return _joined("turned", [_revolved(profile, _at_least("turned", segments, 3))])


class _Ring(NamedTuple):
    """One circle of a surface of revolution around Y: radius, height, the profile's normal (outwards, up), and v."""

    radius: float
    y: float
    out: float
    up: float
    v: float


def _revolved(profile: Sequence[_Ring], segments: int) -> _Part:
    """The profile revolved around Y. Rings are given from top to bottom as seen from outside."""
    columns = np.arange(segments + 1)
    blocks = []
    for ring in profile:
        # Triangles at a tip share its position, but each uses the direction of the middle of its own segment.
        turn = (columns + (0.5 if ring.radius == 0.0 else 0.0)) / segments
        sine, cosine, zero = np.sin(turn * math.tau), np.cos(turn * math.tau), np.zeros_like(turn)
        positions = np.stack([ring.radius * sine, zero + ring.y, ring.radius * cosine], axis=1)
        normals = np.stack([ring.out * sine, zero + ring.up, ring.out * cosine], axis=1)
        tangents = np.stack([cosine, zero, -sine], axis=1)
        blocks.append(_vertices(positions, normals, np.stack([turn, zero + ring.v], axis=1), tangents))
    indices = _grid_indices(len(profile), segments + 1).reshape(len(profile) - 1, segments, 2, 3)
    kept = []
    for row in range(len(profile) - 1):
        if profile[row + 1].radius == 0.0:
            left_top, left_bottom = indices[row, :, 0, 0], indices[row, :, 0, 1]
            kept.append(np.stack([left_top, left_bottom, left_top + 1], axis=1))
        elif profile[row].radius == 0.0:
            kept.append(indices[row, :, 0])
        else:
            kept.append(indices[row].reshape(-1, 3))
    return _Part(np.concatenate(blocks), np.concatenate(kept).reshape(-1).astype(np.uint32))


def _disk(radius: float, y: float, side: int, segments: int) -> _Part:
    """A flat cap that faces +Y (side 1) or -Y (side -1), with planar uv."""
    turn = np.arange(segments) / segments * math.tau
    x, z = np.append(np.sin(turn), 0.0), np.append(np.cos(turn), 0.0)
    positions = np.stack([x * radius, np.full_like(x, y), z * radius], axis=1)
    uvs = np.stack([0.5 + 0.5 * x, 0.5 + 0.5 * z * side], axis=1)
    rim = np.arange(segments)
    following = (rim + 1) % segments
    pair = (rim, following) if side > 0 else (following, rim)
    indices = np.stack([np.full(segments, segments), *pair], axis=1).reshape(-1).astype(np.uint32)
    return _Part(_vertices(positions, (0.0, float(side), 0.0), uvs, (1.0, 0.0, 0.0)), indices)


# -- boxes

#: Normal and u axis of each face.
_BOX_FACES = (
    ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0)),
    ((-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0)),
    ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0)),
    ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
    ((0.0, 0.0, -1.0), (-1.0, 0.0, 0.0)),
)


def _box_face(
    normal: NDArray[np.float64], right: NDArray[np.float64], half: NDArray[np.float64], bevel: float, segments: int
) -> _Part:
    up = np.cross(normal, right)
    half_right, half_up = float(half @ np.abs(right)), float(half @ np.abs(up))
    across = _face_steps(half_right, bevel, segments)
    down = -_face_steps(half_up, bevel, segments)
    a, b = (grid.reshape(-1) for grid in np.meshgrid(across, down))
    # Rounded box: project each point of the sharp box to distance `bevel` from the box shrunk by `bevel`.
    sharp = normal * float(half @ np.abs(normal)) + a[:, None] * right + b[:, None] * up
    if bevel > 0.0:
        inner = np.clip(sharp, -(half - bevel), half - bevel)
        normals = normalized(sharp - inner)
        positions = inner + normals * bevel
    else:
        normals, positions = np.broadcast_to(normal, sharp.shape), sharp
    tangents = normalized(right - normals * (normals @ right)[:, None])
    uvs = np.stack([0.5 + a / (2 * half_right), 0.5 - b / (2 * half_up)], axis=1)
    return _Part(_vertices(positions, normals, uvs, tangents), _grid_indices(len(down), len(across)))


def _face_steps(half: float, bevel: float, segments: int) -> NDArray[np.float64]:
    """Grid lines of a face, from -half to half. Within the bevel they are at equal angles up to 45 degrees."""
    if bevel == 0.0:
        return np.array([-half, half])
    bend = half - bevel + bevel * np.tan(np.linspace(0.0, math.pi / 4, segments + 1))
    # If there is no flat part between the bevels, the two middle lines coincide.
    return np.concatenate([-bend[::-1], bend if half > bevel else bend[1:]])


# -- shared


def _vertices(
    positions: NDArray[np.floating],
    normals: NDArray[np.floating] | tuple[float, float, float],
    uvs: NDArray[np.floating],
    tangents: NDArray[np.floating] | tuple[float, float, float],
) -> NDArray[np.float32]:
    """Vertices with the bitangent cross(normal, tangent)."""
    count = len(positions)
    tangent = np.broadcast_to(np.asarray(tangents), (count, 3))
    signed = np.concatenate([tangent, np.ones((count, 1))], axis=1)
    normal = np.broadcast_to(np.asarray(normals), (count, 3))
    return interleaved(
        positions.astype(np.float32), normal.astype(np.float32), uvs.astype(np.float32), signed.astype(np.float32)
    )


def _grid_indices(rows: int, columns: int) -> NDArray[np.uint32]:
    """Two triangles per cell, counter-clockwise if columns run right and rows run down."""
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1)
    below, right, diagonal = corner + columns, corner + 1, corner + columns + 1
    return np.stack([corner, below, diagonal, corner, diagonal, right], axis=1).reshape(-1).astype(np.uint32)


def _joined(name: str, parts: Sequence[_Part]) -> Mesh:
    starts = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    indices = [part.indices + np.uint32(start) for part, start in zip(parts, starts, strict=True)]
    return Mesh(name, np.concatenate([part.vertices for part in parts]), np.concatenate(indices))


def _with_levels(shape: str, levels: int, corners: int, part: Callable[[int], Mesh]) -> Mesh:
    """``part(1)`` with coarser levels ``part(2)``, ``part(4)`` and so on. ``corners`` are those of a circle of it."""
    if levels <= 0:
        return part(1)
    most = (corners // 4).bit_length() - 1
    if levels > most:
        raise UsageError(f"{shape}: {levels} levels", hint=f"give at most {max(0, most)}, or more segments")
    halves = [2**level for level in range(1, levels + 1)]
    return part(1).with_levels(*((part(half), _size_for(corners // half)) for half in halves))


def _size_for(corners: int) -> float:
    """The size of a circle below which one of so many corners is off by less than ``OUTLINE_ERROR``."""
    return 2.0 * OUTLINE_ERROR / (1.0 - math.cos(math.pi / corners))


def _sin(angle: float) -> float:
    """The sine, exactly 0 at a pole, so that tips are recognised."""
    sine = math.sin(angle)
    return 0.0 if abs(sine) < 1e-12 else sine


def _positive(shape: str, **sizes: float) -> None:
    for name, value in sizes.items():
        if not value > 0.0 or not math.isfinite(value):
            raise UsageError(f"{shape}: {name} is {value}", hint="give a length above 0, in metres")


def _at_least(shape: str, count: int, least: int) -> int:
    if count < least:
        raise UsageError(f"{shape}: {count} segments", hint=f"give at least {least}")
    return count
