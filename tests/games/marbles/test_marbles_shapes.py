"""The board's own meshes."""

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from renderwright.engine.scene import Mesh
from renderwright.games.marbles.course import CUP_DEPTH, MARBLE_RADIUS, PIT_RADIUS, build_course
from renderwright.games.marbles.level_file import load_levels
from renderwright.games.marbles.shapes import PIT_SEGMENTS, blocks_mesh, floor_mesh, patterned_marble, well_mesh
from renderwright.games.marbles.wood import wood_image, wood_pixels

COURSE = build_course(load_levels()[5])


def areas(mesh: Mesh) -> NDArray[np.float64]:
    """Of each triangle, negative where its winding is against its normals."""
    corners = mesh.positions[mesh.indices.reshape(-1, 3)].astype(np.float64)
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = mesh.normals[mesh.indices.reshape(-1, 3)].mean(axis=1)
    return np.asarray(0.5 * np.linalg.norm(cross, axis=1) * np.sign((cross * normals).sum(axis=1)))


@pytest.mark.parametrize(
    "mesh",
    [
        floor_mesh(COURSE),
        well_mesh(CUP_DEPTH),
        blocks_mesh("walls", COURSE.walls, 0.0, 0.5, 0.05),
        *patterned_marble(2),
    ],
    ids=lambda mesh: mesh.name,
)
def test_meshes_are_wound_to_their_normals_and_have_unit_frames(mesh: Mesh) -> None:
    assert (areas(mesh) >= -1e-9).all()
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-4)
    used = np.unique(mesh.indices)
    np.testing.assert_allclose(np.linalg.norm(mesh.tangents[used, :3], axis=1), 1.0, atol=1e-3)


def test_the_floor_covers_the_map_but_for_its_pits() -> None:
    polygon = 0.5 * PIT_SEGMENTS * PIT_RADIUS**2 * math.sin(math.tau / PIT_SEGMENTS)
    expected = COURSE.columns * COURSE.rows - len(COURSE.pits) * polygon
    assert areas(floor_mesh(COURSE)).sum() == pytest.approx(expected, rel=1e-5)


def test_a_well_looks_inwards_and_up() -> None:
    mesh = well_mesh(1.0)
    wall = mesh.normals[:, 1] < 0.5
    assert (np.einsum("ij,ij->i", mesh.positions[wall][:, [0, 2]], mesh.normals[wall][:, [0, 2]]) < 0.0).all()
    assert mesh.positions[~wall][:, 1] == pytest.approx(-1.0)


@pytest.mark.parametrize("pattern", range(4))
def test_the_two_parts_of_a_marble_make_a_whole_sphere(pattern: int) -> None:
    ground, figure = (areas(mesh).sum() for mesh in patterned_marble(pattern))
    assert ground + figure == pytest.approx(4.0 * math.pi * MARBLE_RADIUS**2, rel=0.02)
    assert min(ground, figure) > 0.2 * (ground + figure)


@pytest.mark.parametrize(("planks", "contrast"), [(0, 0.45), (8, 0.4)])
def test_kept_wood_is_the_wood_that_was_made(
    planks: int, contrast: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENDERWRIGHT_CACHE_DIR", str(tmp_path))
    made = wood_pixels(3, planks, contrast)
    for _ in ("made", "kept"):
        image = wood_image("wood", 3, planks=planks, contrast=contrast)
        assert image.pixels.tobytes() == made.tobytes()
    (entry,) = (tmp_path / "images").iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    assert wood_image("wood", 3, planks=planks, contrast=contrast).pixels.tobytes() == made.tobytes()


def test_wood_tiles() -> None:
    image = wood_image("wood", 3)
    pixels = image.pixels[:, :, 1].astype(float)
    seam = np.abs(pixels[:, 0] - pixels[:, -1]).mean()
    inside = np.abs(np.diff(pixels, axis=1)).mean()
    assert seam < 3.0 * inside + 1.0
    assert pixels.std() > 5.0
