from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gltf_builder import QUAD_INDICES, QUAD_POSITIONS, QUAD_UVS, GltfBuilder

from renderwright.engine.scene.geometry import generated_tangents
from renderwright.engine.scene.gltf import load_gltf
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.primitives import sphere, torus


def _only_mesh(path: Path) -> Mesh:
    (part,) = load_gltf(path).parts
    return part.mesh


def _triangle_corners(mesh: Mesh) -> np.ndarray:
    return mesh.positions[mesh.indices]


def test_missing_normals_and_tangents_are_made(tmp_path: Path) -> None:
    builder = GltfBuilder()
    builder.mesh(builder.quad(), name="Board")
    mesh = _only_mesh(builder.save(tmp_path))
    assert mesh.name == "model/Board"
    assert np.array_equal(_triangle_corners(mesh), QUAD_POSITIONS[QUAD_INDICES])
    assert np.array_equal(mesh.uvs[mesh.indices], QUAD_UVS[QUAD_INDICES])
    assert np.array_equal(mesh.normals, np.tile(np.float32([0, 0, 1]), (6, 1)))
    assert np.allclose(mesh.tangents, np.tile([1, 0, 0, 1], (6, 1)))


def test_given_normals_keep_vertices_shared(tmp_path: Path) -> None:
    builder = GltfBuilder()
    quad = builder.quad()
    quad["attributes"]["NORMAL"] = builder.accessor(np.float32([[0, 0, 3]] * 4))
    quad["attributes"]["TANGENT"] = builder.accessor(np.float32([[0, 2, 0, -1]] * 4))
    builder.mesh(quad)
    mesh = _only_mesh(builder.save(tmp_path))
    assert len(mesh.vertices) == 4
    assert np.allclose(mesh.normals, [0, 0, 1])
    assert np.allclose(mesh.tangents, [0, 1, 0, -1])


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_indices_of_any_width(tmp_path: Path, dtype: type) -> None:
    builder = GltfBuilder()
    quad = builder.quad()
    quad["indices"] = builder.accessor(QUAD_INDICES.astype(dtype))
    builder.mesh(quad)
    assert np.array_equal(_triangle_corners(_only_mesh(builder.save_glb(tmp_path))), QUAD_POSITIONS[QUAD_INDICES])


def test_interleaved_vertices_in_an_external_buffer(tmp_path: Path) -> None:
    builder = GltfBuilder()
    rows = np.zeros((4, 9), np.float32)
    rows[:, 1:4], rows[:, 4:7], rows[:, 7:9] = QUAD_POSITIONS, [0, 0, 1], QUAD_UVS
    view = builder.view(rows.tobytes(), stride=36)
    attributes = {
        "POSITION": builder.accessor(QUAD_POSITIONS, bufferView=view, byteOffset=4),
        "NORMAL": builder.accessor(QUAD_POSITIONS, bufferView=view, byteOffset=16),
        "TEXCOORD_0": builder.accessor(QUAD_UVS, bufferView=view, byteOffset=28),
    }
    builder.mesh({"attributes": attributes, "indices": builder.accessor(QUAD_INDICES)})
    mesh = _only_mesh(builder.save(tmp_path, external="the%20data.bin"))
    assert np.array_equal(mesh.positions, QUAD_POSITIONS)
    assert np.array_equal(mesh.uvs, QUAD_UVS)
    assert np.array_equal(mesh.normals, rows[:, 4:7])


@pytest.mark.parametrize(("mode", "order"), [(5, [0, 1, 3, 2]), (6, [0, 1, 2, 3])], ids=["strip", "fan"])
def test_strips_and_fans_face_the_same_way(tmp_path: Path, mode: int, order: list[int]) -> None:
    builder = GltfBuilder()
    builder.mesh({"attributes": {"POSITION": builder.accessor(QUAD_POSITIONS[order])}, "mode": mode})
    mesh = _only_mesh(builder.save(tmp_path))
    assert mesh.triangle_count == 2
    assert np.allclose(mesh.normals, [0, 0, 1])


def test_normalized_integers_and_sparse_values(tmp_path: Path) -> None:
    builder = GltfBuilder()
    quad = builder.quad()
    quad["attributes"]["NORMAL"] = builder.accessor(np.int8([[0, 0, 127, 0]] * 4)[:, :3].copy(), normalized=True)
    uvs = np.uint16(QUAD_UVS * 65535)
    quad["attributes"]["TEXCOORD_0"] = builder.accessor(uvs, normalized=True)
    sparse = {
        "count": 1,
        "indices": {"bufferView": builder.view(np.uint8([2]).tobytes()), "componentType": 5121},
        "values": {"bufferView": builder.view(np.float32([5, 6, 7]).tobytes())},
    }
    builder.document["accessors"][quad["attributes"]["POSITION"]]["sparse"] = sparse
    builder.mesh(quad)
    mesh = _only_mesh(builder.save(tmp_path))
    assert np.allclose(mesh.uvs, QUAD_UVS)
    assert np.allclose(mesh.normals, [0, 0, 1])
    assert mesh.positions.tolist() == [[0, 0, 0], [2, 0, 0], [5, 6, 7], [0, 1, 0]]


def test_points_and_lines_are_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    builder = GltfBuilder()
    builder.mesh({**builder.quad(), "mode": 1}, builder.quad())
    assert len(load_gltf(builder.save(tmp_path)).parts) == 1
    assert 'meshes[0] "Thing" primitive 0' in caplog.text


@pytest.mark.parametrize("shape", [sphere(1.0), torus(1.0, 0.4)], ids=["sphere", "torus"])
def test_generated_tangents_agree_with_exact_ones(shape: Mesh) -> None:
    made = generated_tangents(shape.positions, shape.normals, shape.uvs, shape.indices)
    agreement = np.einsum("ij,ij->i", made[:, :3], shape.tangents[:, :3])
    assert agreement.min() > 0.97
    used = np.unique(shape.indices)
    assert (made[used, 3] == 1.0).all()


def test_generated_tangents_follow_mirrored_uv() -> None:
    normals = np.tile(np.float32([0, 0, 1]), (4, 1))
    mirrored = np.float32([1, 0]) + QUAD_UVS * np.float32([-1, 1])
    made = generated_tangents(QUAD_POSITIONS, normals, mirrored, QUAD_INDICES.astype(np.uint32))
    assert np.allclose(made, [-1, 0, 0, -1])


def test_tangents_without_uv_still_lie_in_the_surface() -> None:
    ball = sphere(1.0)
    made = generated_tangents(ball.positions, ball.normals, np.zeros_like(ball.uvs), ball.indices)
    assert np.allclose(np.linalg.norm(made[:, :3], axis=1), 1.0, atol=1e-5)
    assert np.allclose(np.einsum("ij,ij->i", made[:, :3], ball.normals), 0.0, atol=1e-5)
