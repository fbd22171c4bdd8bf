"""Skins, morph targets and animations of glTF files move vertices as the specification says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder
from gltf_walker import Walker
from pyglm import glm

from renderwright.engine.scene import Ray, Scene, Transform
from renderwright.engine.scene.deformation import DeformedMesh
from renderwright.engine.scene.gltf import load_gltf
from renderwright.render.errors import AssetError, UsageError

MOMENTS = (0.0, 0.1, 0.5, 0.7, 1.2, 1.25)


@pytest.mark.parametrize("interpolation", ["LINEAR", "STEP", "CUBICSPLINE"])
@pytest.mark.parametrize("normals", [True, False])
def test_vertices_at_any_time(tmp_path: Path, interpolation: str, normals: bool) -> None:
    walker = Walker(interpolation, normals=normals)
    scene = Scene()
    character = load_gltf(walker.save(tmp_path)).spawn(scene)
    assert character.animations == ("Walk",)
    character.play("Walk", speed=0.0, loop=False)
    body, lamp = (entity.mesh for entity in sorted(character.entities, key=lambda entity: entity.name))
    assert isinstance(body, DeformedMesh)
    assert isinstance(lamp, DeformedMesh)
    for time in MOMENTS:
        character.seek(time)
        draws = scene.draw_list()
        right = walker.skinned_at(time)
        ours = body.moved_positions(draws.poses)
        np.testing.assert_allclose(ours, right[np.arange(12)], atol=2e-5)
        assert (np.linalg.norm(ours - np.array(body.bounds.center), axis=1) <= body.bounds.radius).all()
        quad = np.array([[0, 0, 0, 1], [2, 0, 0, 1], [2, 1, 0, 1], [0, 1, 0, 1]], np.float64)
        np.testing.assert_allclose(
            lamp.moved_positions(draws.poses)[:4], _fitting(quad @ walker.globals_at(time)["lamp"].T, lamp), atol=2e-5
        )
        matrix = np.array(character.node_matrix("lamp").to_list()).T
        np.testing.assert_allclose(matrix, walker.globals_at(time)["lamp"], atol=2e-5)


def _fitting(corners: np.ndarray, mesh: DeformedMesh) -> np.ndarray:
    """The corners in the order of the mesh's vertices: without normals each triangle has its own."""
    order = [0, 1, 2, 0] if len(mesh.vertices) == 6 else [0, 1, 2, 3]
    return corners[order, :3]


def test_the_rest_pose_is_that_of_the_nodes(tmp_path: Path) -> None:
    scene = Scene()
    character = load_gltf(Walker().save(tmp_path)).spawn(scene)
    assert character.node_matrix("knee")[3].to_list()[:3] == pytest.approx([-4.0, 0.0, 0.0], abs=1e-5)
    assert scene.draw_list().poses.by_rig[next(iter(scene.draw_list().poses.by_rig))].weights[0].tolist() == [0.25, 0.0]


@pytest.mark.parametrize("normals", [True, False])
def test_a_model_without_a_character_is_in_the_rest_pose(tmp_path: Path, normals: bool) -> None:
    model = load_gltf(Walker(normals=normals).save(tmp_path))
    scene, characters = Scene(), Scene()
    still = {entity.name: entity for entity in model.instantiate(scene)}
    again = {entity.name: entity for entity in model.instantiate(scene, Transform(glm.vec3(3.0, 0.0, 0.0)))}
    moving = {entity.name: entity.mesh for entity in model.spawn(characters).entities}
    poses = characters.draw_list().poses
    for name, mesh in moving.items():
        assert isinstance(mesh, DeformedMesh)
        local = np.array(still[name].local.to_list()).T
        placed = still[name].mesh.positions @ local[:3, :3].T + local[:3, 3]
        np.testing.assert_allclose(placed, mesh.moved_positions(poses), atol=2e-5)
        assert again[name].mesh is still[name].mesh
    body = still["body"].mesh
    assert not np.allclose(body.positions, moving["body"].positions, atol=0.5)
    np.testing.assert_allclose(np.linalg.norm(body.normals, axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(body.tangents[:, :3], axis=1), 1.0, atol=1e-5)


def test_morph_targets_by_name(tmp_path: Path) -> None:
    scene = Scene()
    walker = Walker()
    character = load_gltf(walker.save(tmp_path)).spawn(scene)
    assert character.morphs == ("smile", "frown")
    body = next(entity.mesh for entity in character.entities if entity.name == "body")
    character.morph("frown", 1.0)
    weights = scene.draw_list().poses.by_rig[body.deformation.rig].weights[body.row]
    assert weights.tolist() == [0.25, 1.0]
    character.play("Walk", speed=0.0)
    character.morph("smile", 0.5)
    character.morph("frown", None)
    weights = scene.draw_list().poses.by_rig[body.deformation.rig].weights[body.row]
    assert weights.tolist() == pytest.approx([0.5, float(walker.blends[0, 1])])
    with pytest.raises(UsageError, match='no morph target "smlie"'):
        character.morph("smlie", 1.0)
    with pytest.raises(UsageError, match="from -1 to 1"):
        character.morph("smile", 2.0)


def test_characters_share_what_does_not_move(tmp_path: Path) -> None:
    scene = Scene()
    model = load_gltf(Walker().save(tmp_path))
    first = model.spawn(scene, Transform(glm.vec3(1, 0, 0)), name="first")
    second = model.spawn(scene, name="second")
    meshes = [character.entities[0].mesh for character in (first, second)]
    assert meshes[0] is not meshes[1]
    assert meshes[0].vertices is meshes[1].vertices
    first.play("Walk")
    scene.begin_step(0.3)
    poses = scene.draw_list().poses.by_rig[meshes[0].deformation.rig]
    assert (poses.palettes[meshes[0].row] != poses.palettes[meshes[1].row]).any()
    assert repr(second) == "Character('second')"
    second.remove()
    assert len(scene) == len(first.entities)


def test_a_model_without_animations_is_a_character_as_well(tmp_path: Path) -> None:
    builder = GltfBuilder()
    builder.mesh(builder.quad())
    scene = Scene()
    model = load_gltf(builder.save(tmp_path))
    character = model.spawn(scene, Transform(glm.vec3(0, 2, 0)))
    assert character.animations == ()
    assert character.entities[0].mesh is model.parts[0].mesh
    assert character.node_matrix("root")[3].y == 2.0
    with pytest.raises(UsageError, match='no animation "Walk"'):
        character.play("Walk")


def broken(change: str) -> Walker:
    walker = Walker()
    document = walker.document
    if change == "joint":
        document["skins"][0]["joints"] = [2, 77]
    elif change == "skin":
        document["nodes"][1]["skin"] = 4
    elif change == "times":
        document["animations"][0]["samplers"][0]["input"] = walker.accessor(np.float32([0.0, 2.0, 1.0]))
    elif change == "values":
        document["animations"][0]["samplers"][0]["output"] = walker.accessor(np.zeros((2, 4), np.float32))
    elif change == "sampler":
        document["animations"][0]["channels"][0]["sampler"] = 9
    elif change == "interpolation":
        document["animations"][0]["samplers"][0]["interpolation"] = "WAVY"
    elif change == "weights":
        del document["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
    elif change == "high joint":
        document["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = walker.accessor(
            np.full((12, 4), 9, np.uint8)
        )
    elif change == "binds":
        document["accessors"][document["skins"][0]["inverseBindMatrices"]]["count"] = 1
    elif change == "target":
        document["meshes"][0]["primitives"][0]["targets"][1]["POSITION"] = walker.accessor(np.zeros((3, 3), np.float32))
    return walker


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("joint", r"skins\[0\]: its joint nodes\[77\] is not in the scene"),
        ("skin", r'nodes\[1\] "body": refers to skins\[4\]'),
        ("times", r'animations\[0\] "Walk" channel 0: its times are not ascending'),
        ("values", r'animations\[0\] "Walk" channel 0: 2 values instead of 3 for 3 keyframes'),
        ("sampler", r"refers to sampler 9, and there are 3"),
        ("interpolation", r"interpolation WAVY does not exist"),
        ("weights", r'meshes\[0\] "Thing" primitive 0: it has JOINTS_0 and no WEIGHTS_0'),
        ("high joint", r"joint 9 of a skin with 2 joints"),
        ("binds", r"1 inverse bind matrices for 2 joints"),
        ("target", r"3 of target 1 POSITION for 12 positions"),
    ],
)
def test_faults_are_named(tmp_path: Path, change: str, message: str) -> None:
    with pytest.raises(AssetError, match=message):
        load_gltf(broken(change).save(tmp_path))


def test_more_than_four_joints_are_the_strongest_four(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    walker = Walker()
    attributes = walker.document["meshes"][0]["primitives"][0]["attributes"]
    attributes["JOINTS_1"] = walker.accessor(np.ones((12, 4), np.uint8))
    attributes["WEIGHTS_1"] = walker.accessor(np.tile(np.float32([9, 0, 0, 0]), (12, 1)))
    influences = load_gltf(walker.save(tmp_path)).parts[-1].deformation.influences
    assert "more than 4 joints a vertex" in caplog.text
    assert (influences.joints[:, 0] == 1).all()
    assert influences.weights.sum(axis=1) == pytest.approx(np.ones(12))
    assert (influences.weights[:, 0] > 0.8).all()


def test_what_is_not_animated_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    walker = Walker()
    walker.document["animations"][0]["channels"][0]["target"]["path"] = "pointer"
    del walker.document["nodes"][2]["translation"]
    walker.document["nodes"][2]["matrix"] = np.eye(4).reshape(-1).tolist()
    load_gltf(walker.save(tmp_path))
    assert "channel 0: pointer is not animated" in caplog.text
    assert "channel 1: skipped, the node has a matrix" in caplog.text


def test_a_channel_that_names_nothing_to_animate_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    walker = Walker()
    del walker.document["animations"][0]["channels"][0]["target"]["path"]
    load_gltf(walker.save(tmp_path))
    assert "channel 0: it does not say what of its node is animated" in caplog.text


def test_animations_beyond_all_numbers_are_refused(tmp_path: Path) -> None:
    walker = Walker()
    slides = walker.document["animations"][0]["samplers"][1]
    slides["output"] = walker.accessor(np.full((3, 3), 3e38, np.float32))
    with pytest.raises(AssetError, match="they move a node beyond all numbers"):
        load_gltf(walker.save(tmp_path))


def test_names_may_be_of_any_type(tmp_path: Path) -> None:
    walker = Walker()
    walker.document["animations"][0]["name"] = 7
    walker.document["nodes"][2]["name"] = 12
    model = load_gltf(walker.save(tmp_path))
    assert [clip.name for clip in model.animations.clips] == ["7"]
    assert model.node("12").matrix == model.nodes[1].matrix


def test_picking_meets_the_pose_and_not_the_rest(tmp_path: Path) -> None:
    scene = Scene()
    character = load_gltf(Walker().save(tmp_path)).spawn(scene, Transform(glm.vec3(3, 0, 0)))
    lamp = next(entity for entity in character.entities if entity.name == "lamp")

    def hit_at(matrix: glm.mat4) -> object:
        middle = glm.vec3(matrix * glm.vec4(1.5, 0.4, 0.0, 1.0))
        axis = glm.normalize(glm.vec3(matrix * glm.vec4(0.0, 0.0, 1.0, 0.0)))
        hit = scene.pick(Ray(middle + 3.0 * axis, -axis))
        return hit and (hit.entity, round(glm.distance(hit.position, middle), 3))

    at_rest = character.node_matrix("lamp")
    assert hit_at(at_rest) == (lamp, 0.0)
    character.play("Walk", speed=0.0, loop=False)
    character.seek(0.6)
    assert hit_at(character.node_matrix("lamp")) == (lamp, 0.0)
    assert hit_at(at_rest) != (lamp, 0.0)


def test_morph_targets_of_mirrored_nodes_turn_normals_to_the_same_side(tmp_path: Path) -> None:
    builder = GltfBuilder()
    quad = builder.quad()
    quad["attributes"]["NORMAL"] = builder.accessor(np.tile(np.float32([0, 0, 1]), (4, 1)))
    up = np.tile(np.float32([0, 1, 0]), (4, 1))
    builder.mesh(quad | {"targets": [{"NORMAL": builder.accessor(up)}]})
    builder.document["nodes"] = [{"mesh": 0}, {"mesh": 0, "scale": [-1, 1, 1]}]
    builder.document["scenes"] = [{"nodes": [0, 1]}]
    plain, mirrored = load_gltf(builder.save(tmp_path)).parts
    for part, side in ((plain, 1.0), (mirrored, -1.0)):
        assert part.deformation is not None
        assert part.deformation.morphs is not None
        assert (part.mesh.normals == np.float32([0, 0, side])).all()
        assert (part.deformation.morphs[0, :, 3:6] == np.float32([0, side, 0])).all()
