from __future__ import annotations

import math

import numpy as np
import pytest

from renderwright.engine.scene import Mesh
from renderwright.engine.scene.primitives import box, capsule, cone, cylinder, ellipsoid, plane, sphere, torus, turned
from renderwright.render.errors import UsageError

CLOSED = [
    box(),
    box((1.0, 2.0, 3.0)),
    box((1.0, 2.0, 3.0), 0.2),
    box(1.0, 0.5),
    sphere(2.0),
    ellipsoid((0.5, 1.0, 2.0)),
    cylinder(0.5, 2.0),
    cone(0.5, 2.0),
    capsule(0.25, 2.0),
    capsule(0.5, 1.0),
    torus(1.0, 0.25),
    turned([0.0, 0.3, 0.4, 0.42, 0.4, 0.38, 0.35, 0.25, 0.0], [-0.5, -0.45, -0.3, 0.0, 0.2, 0.3, 0.4, 0.5, 0.6]),
]
SHAPES = [*CLOSED, plane(2.0, 3.0, segments=4)]


def _named(mesh: Mesh) -> str:
    return mesh.name


def _corners(mesh: Mesh) -> np.ndarray:
    return mesh.positions[mesh.indices].reshape(-1, 3, 3).astype(np.float64)


def _face_normals(mesh: Mesh) -> np.ndarray:
    corners = _corners(mesh)
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


@pytest.mark.parametrize("mesh", SHAPES, ids=_named)
def test_faces_wind_with_their_normals(mesh: Mesh) -> None:
    faces = _face_normals(mesh)
    assert (np.linalg.norm(faces, axis=1) > 1e-9).all(), "empty triangles"
    for corner in range(3):
        normals = mesh.normals[mesh.indices.reshape(-1, 3)[:, corner]]
        assert (np.einsum("ij,ij->i", faces, normals) > 0.0).all()


@pytest.mark.parametrize("mesh", CLOSED, ids=_named)
def test_closed_shapes_are_watertight(mesh: Mesh) -> None:
    _, welded = np.unique(np.round(mesh.positions, 5) + 0.0, axis=0, return_inverse=True)
    triangles = welded.reshape(-1)[mesh.indices].reshape(-1, 3)
    edges = [(int(t[i]), int(t[(i + 1) % 3])) for t in triangles for i in range(3)]
    assert len(set(edges)) == len(edges), "an edge is used twice in one direction"
    assert {(b, a) for a, b in edges} == set(edges), "an edge has no other side"


@pytest.mark.parametrize("mesh", SHAPES, ids=_named)
def test_tangent_frames_follow_the_image(mesh: Mesh) -> None:
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-5)
    assert np.allclose(np.linalg.norm(mesh.tangents[:, :3], axis=1), 1.0, atol=1e-5)
    assert np.allclose(np.einsum("ij,ij->i", mesh.normals, mesh.tangents[:, :3]), 0.0, atol=1e-5)
    assert (mesh.tangents[:, 3] == 1.0).all()
    triangles = mesh.indices.reshape(-1, 3)
    corners, uvs = _corners(mesh), mesh.uvs[triangles]
    du, dv = (uvs[:, 1:] - uvs[:, :1])[..., 0], (uvs[:, 1:] - uvs[:, :1])[..., 1]
    edges = corners[:, 1:] - corners[:, :1]
    determinant = (du[:, 0] * dv[:, 1] - du[:, 1] * dv[:, 0])[:, None]
    assert (np.abs(determinant) > 1e-9).all()
    along_u = (edges[:, 0] * dv[:, 1:2] - edges[:, 1] * dv[:, 0:1]) / determinant
    along_v = (edges[:, 1] * du[:, 0:1] - edges[:, 0] * du[:, 1:2]) / determinant
    tangent = mesh.tangents[triangles, :3].mean(axis=1)
    bitangent = np.cross(mesh.normals[triangles], mesh.tangents[triangles, :3]).mean(axis=1)
    assert (np.einsum("ij,ij->i", along_u, tangent) > 0.0).all()
    assert (np.einsum("ij,ij->i", along_v, bitangent) < 0.0).all(), "the bitangent points up the image"


def _volume(mesh: Mesh) -> float:
    corners = _corners(mesh)
    return float(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6.0)


@pytest.mark.parametrize(
    ("mesh", "volume"),
    [
        (box((1.0, 2.0, 3.0)), 6.0),
        (sphere(1.0, segments=64, rings=32), 4.0 / 3.0 * math.pi),
        (cylinder(1.0, 2.0, segments=96), 2.0 * math.pi),
        (cone(1.0, 3.0, segments=96), math.pi),
        (capsule(1.0, 4.0, segments=64, rings=24), 2.0 * math.pi + 4.0 / 3.0 * math.pi),
        (torus(2.0, 0.5, segments=96, rings=48), math.tau * 2.0 * math.pi * 0.25),
        (box(2.0, 1.0, bevel_segments=16), 4.0 / 3.0 * math.pi),
    ],
    ids=lambda value: value.name if isinstance(value, Mesh) else "",
)
def test_volumes_are_those_of_the_ideal_shapes(mesh: Mesh, volume: float) -> None:
    assert _volume(mesh) == pytest.approx(volume, rel=0.01)


def test_sizes_are_kept_by_bevels() -> None:
    mesh = box((1.0, 2.0, 3.0), 0.25)
    assert np.allclose(mesh.positions.max(axis=0), [0.5, 1.0, 1.5])
    assert np.allclose(mesh.positions.min(axis=0), [-0.5, -1.0, -1.5])


def test_sphere_normals_are_smooth() -> None:
    mesh = sphere(2.0)
    inner = np.abs(mesh.positions[:, 1]) < 1.999
    assert np.allclose(mesh.normals[inner] * 2.0, mesh.positions[inner], atol=1e-5)


def test_plane_has_its_image_upright_seen_from_above() -> None:
    mesh = plane(2.0, 4.0, uv_scale=3.0)
    corner = {tuple(uv): tuple(position) for uv, position in zip(mesh.uvs, mesh.positions, strict=True)}
    assert corner[(0.0, 0.0)] == (-1.0, 0.0, -2.0)
    assert corner[(3.0, 3.0)] == (1.0, 0.0, 2.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: box(0.0), "size"),
        (lambda: box(1.0, 0.6), "bevel"),
        (lambda: sphere(math.nan), "radius"),
        (lambda: sphere(1.0, rings=1), "at least 2"),
        (lambda: capsule(1.0, 1.0), "at least 2.0"),
        (lambda: torus(1.0, 1.0), "tube"),
        (lambda: plane(1.0, 1.0, segments=0), "at least 1"),
    ],
)
def test_impossible_shapes_are_refused(make, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make()


def test_a_turned_profile_has_its_radii_and_normals() -> None:
    heights = np.linspace(-1.0, 1.0, 65)
    ball = turned(np.sqrt(np.clip(1.0 - heights**2, 0.0, 1.0)), heights, segments=32)
    assert np.allclose(np.linalg.norm(ball.positions, axis=1), 1.0, atol=1e-6)
    middle = np.abs(ball.positions[:, 1]) < 0.9
    assert np.abs(ball.normals - ball.positions)[middle].max() < 0.02


@pytest.mark.parametrize(
    ("radii", "heights", "words"),
    [
        ([1.0, 1.0], [0.0], "differ in number"),
        ([1.0], [0.0], "differ in number"),
        ([1.0, 1.0], [1.0, 0.0], "does not rise"),
        ([1.0, -1.0], [0.0, 1.0], "does not rise"),
        ([1.0, math.nan], [0.0, 1.0], "does not rise"),
    ],
)
def test_a_profile_that_cannot_be_turned_is_refused(radii: list[float], heights: list[float], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        turned(radii, heights)
