"""Levels of detail: coarser meshes with the sizes below which they are drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from renderwright.engine.scene import Level, Mesh
from renderwright.engine.scene.primitives import OUTLINE_ERROR, box, capsule, cone, cylinder, sphere, torus
from renderwright.render.errors import AssetError, UsageError


def test_levels_are_listed_with_their_sizes() -> None:
    fine, middle, coarse = (sphere(rings=rings, segments=2 * rings) for rings in (16, 8, 4))
    mesh = fine.with_levels((middle, 0.2), (coarse, 0.05))
    assert mesh.levels == (Level(middle, 0.2), Level(coarse, 0.05))
    assert mesh.levels[1].mesh is coarse
    assert fine.levels == ()
    assert np.array_equal(mesh.vertices, fine.vertices)
    assert mesh.bounds == fine.bounds


def test_bounds_contain_the_levels() -> None:
    """So that a level that is larger is neither culled nor left out of shadow maps."""
    mesh = sphere(1.0).with_levels((box((4.0, 1.0, 1.0)), 0.1))
    points = np.concatenate([mesh.positions, mesh.levels[0].mesh.positions])
    assert np.linalg.norm(points - np.array(mesh.bounds.center), axis=1).max() <= mesh.bounds.radius * (1 + 1e-6)


def test_a_mirrored_mesh_has_mirrored_levels() -> None:
    mesh = sphere(levels=1)
    mirrored = mesh.mirrored()
    assert mirrored.levels[0].size == mesh.levels[0].size
    assert np.array_equal(mirrored.levels[0].mesh.indices, mesh.levels[0].mesh.mirrored().indices)
    assert not np.array_equal(mirrored.levels[0].mesh.indices, mesh.levels[0].mesh.indices)


@pytest.mark.parametrize("sizes", [(0.1, 0.1), (0.1, 0.2), (0.0,), (-1.0,), (math.nan,), (math.inf,)])
def test_sizes_fall_and_are_above_0(sizes: tuple[float, ...]) -> None:
    with pytest.raises(AssetError, match=rf'mesh "box": level {len(sizes)} is for sizes below'):
        box().with_levels(*((sphere(), size) for size in sizes))


def test_levels_have_no_levels() -> None:
    with pytest.raises(AssetError, match=r'mesh "box": level 1, mesh "sphere", has levels itself'):
        replace(box(), levels=(Level(sphere(levels=1), 0.1),))


@pytest.mark.parametrize("shape", [sphere, cylinder, cone, capsule, torus])
def test_levels_of_round_shapes_halve_their_segments(shape: Callable[..., Mesh]) -> None:
    mesh = shape(levels=2)
    whole, half, quarter = (shape(segments=segments, **rings) for segments, rings in detail(shape))
    assert np.array_equal(mesh.vertices, whole.vertices)
    for level, alone in zip(mesh.levels, (half, quarter), strict=True):
        assert np.array_equal(level.mesh.vertices, alone.vertices)
        assert np.array_equal(level.mesh.indices, alone.indices)
    assert mesh.levels[0].size > mesh.levels[1].size > 0.0
    assert shape().levels == ()


def detail(shape: Callable[..., Mesh]) -> list[tuple[int, dict[str, int]]]:
    segments = 48 if shape is torus else 32
    rings = {sphere: 16, capsule: 8, torus: 24}.get(shape)
    return [(segments // part, {"rings": rings // part} if rings else {}) for part in (1, 2, 4)]


@pytest.mark.parametrize("segments", [12, 32, 100])
def test_a_level_is_drawn_where_its_outline_is_off_by_less_than_a_texel(segments: int) -> None:
    """Of a picture of 1080 lines, seen along the axis."""
    for level in cylinder(1.0, 0.001, segments=segments, levels=1).levels:
        rim = level.mesh.positions[level.mesh.indices].reshape(-1, 3, 3)[:, :, [0, 2]]
        middles = np.linalg.norm((rim[:, 0] + rim[:, 1]) / 2, axis=1)
        off = 1.0 - middles[middles > 0.6].min()
        assert off * level.size / 2 == pytest.approx(OUTLINE_ERROR, rel=0.01)


def test_more_levels_than_a_shape_has_detail_for_are_refused() -> None:
    assert len(sphere(levels=3).levels) == 3
    with pytest.raises(UsageError, match="sphere: 4 levels") as refused:
        sphere(levels=4)
    assert "at most 3" in str(refused.value)
