"""Meshes that are put together: places and turns, and blocks whose images fit together."""

from __future__ import annotations

import math

import numpy as np

from renderwright.engine.scene.assembly import assembled, block
from renderwright.engine.scene.primitives import box, cylinder


def test_parts_are_turned_and_placed_with_their_normals() -> None:
    pipe = cylinder(0.1, 2.0, segments=12)
    mesh = assembled(
        "frame", [(box(1.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), (pipe, (0.0, 3.0, 0.0), (0.5 * math.pi, 0, 0))]
    )
    placed = mesh.positions[len(box(1.0).vertices) :]
    assert np.allclose([placed.min(axis=0), placed.max(axis=0)], [(-0.1, 2.9, -1.0), (0.1, 3.1, 1.0)], atol=1e-6)
    normals = mesh.normals[len(box(1.0).vertices) :]
    assert np.allclose(normals, pipe.normals[:, [0, 2, 1]] * (1.0, -1.0, 1.0), atol=1e-6)
    assert mesh.indices.max() == len(mesh.vertices) - 1


def test_images_of_neighbouring_blocks_continue() -> None:
    left = assembled("left", [block((0.3, 0.0, 0.0), (1.7, 1.0, 0.2))])
    right = assembled("right", [block((1.7, 0.0, 0.0), (2.1, 1.0, 0.2))])
    assert np.allclose([left.positions.min(axis=0), left.positions.max(axis=0)], [(0.3, 0, 0), (1.7, 1, 0.2)])
    for axis, sign in ((2, 1.0), (2, -1.0), (1, 1.0)):
        seams = []
        for mesh in (left, right):
            at = np.isclose(mesh.positions[:, 0], 1.7) & np.isclose(mesh.normals[:, axis], sign)
            order = np.lexsort(mesh.positions[at].T)
            seams.append(mesh.uvs[at][order])
        assert len(seams[0]) == 2
        assert np.allclose(seams[0], seams[1], atol=1e-6)
    front = left.normals[:, 2] > 0.9
    size = np.ptp(left.positions[front], axis=0), np.ptp(left.uvs[front], axis=0)
    assert np.allclose(size[0][:2], size[1], atol=1e-6), "a texture coordinate is a metre"
