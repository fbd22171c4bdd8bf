from __future__ import annotations

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.scene import Camera, Entity, Material, Mesh, PointLight, Scene, SpotLight, Transform
from renderwright.engine.scene.primitives import box, sphere
from renderwright.render.errors import AssetError, UsageError

BOX, BALL = box(), sphere(0.5, segments=8, rings=4)
RED, BLUE = Material((1.0, 0.0, 0.0, 1.0)), Material((0.0, 0.0, 1.0, 1.0))


def _at(x: float, y: float = 0.0, z: float = 0.0) -> Transform:
    return Transform(glm.vec3(x, y, z))


def test_instances_of_one_mesh_and_material_are_neighbours() -> None:
    scene = Scene()
    for x, (mesh, material, casts) in enumerate(
        [
            (BOX, RED, False),
            (BALL, BLUE, True),
            (BOX, RED, True),
            (BALL, Material(BLUE.base_color), True),
            (BOX, BLUE, True),
        ]
    ):
        scene.spawn(mesh, material, _at(x), casts_shadow=casts)
    drawn = scene.draw_list()
    summary = [(b.mesh, b.material, b.first, b.count, b.casts_shadow) for b in drawn.batches]
    assert summary == [
        (BOX, RED, 0, 1, True),
        (BOX, RED, 1, 1, False),
        (BALL, BLUE, 2, 2, True),
        (BOX, BLUE, 4, 1, True),
    ]
    assert drawn.models[:, 3, 0].tolist() == [2.0, 0.0, 1.0, 3.0, 4.0]


def test_models_are_glsl_matrices_equal_to_interpolated_transforms() -> None:
    rng = np.random.default_rng(3)
    scene = Scene()

    def random_transform() -> Transform:
        turn = glm.normalize(glm.quat(*rng.normal(size=4).tolist()))
        return Transform(glm.vec3(*rng.normal(size=3).tolist()), turn, glm.vec3(*rng.uniform(0.5, 2.0, 3).tolist()))

    entities = [scene.spawn(BOX, RED, random_transform()) for _ in range(50)]
    scene.begin_step()
    for entity in entities[::2]:
        entity.transform = random_transform()
    for alpha in (0.0, 0.3, 1.0):
        drawn = scene.draw_list(alpha)
        assert drawn.models.dtype == np.float32
        for model, entity in zip(drawn.models, entities, strict=True):
            expected = Transform.interpolate(entity.previous, entity.transform, alpha).matrix()
            assert np.allclose(
                np.frombuffer(model.tobytes(), np.float32), np.frombuffer(expected.to_bytes(), np.float32), atol=1e-5
            )


def test_local_matrix_comes_first() -> None:
    scene = Scene()
    local = glm.translate(glm.vec3(1.0, 0.0, 0.0))
    scene.add(Entity(BOX, RED, Transform(scale=glm.vec3(3.0)), local=local))
    assert scene.draw_list().models[0, 3].tolist() == [3.0, 0.0, 0.0, 1.0]


def test_same_picture_is_the_same_object() -> None:
    scene = Scene()
    entity = scene.spawn(BOX, RED)
    scene.begin_step()
    first = scene.draw_list(0.25)
    assert scene.draw_list(0.75) is first
    entity.transform.position.x = 1.0
    moved = scene.draw_list(0.75)
    assert moved is not first
    assert moved.models[0, 3, 0] == pytest.approx(0.75)
    assert first.models[0, 3, 0] == 0.0
    entity.snap()
    assert scene.draw_list(0.0).models[0, 3, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        moved.models[0] = 0.0


def test_a_step_moves_the_past_along() -> None:
    scene = Scene()
    entity = scene.spawn(BOX, RED)
    scene.camera = Camera(glm.vec3(0.0), glm.vec3(0.0, 0.0, -1.0))
    scene.begin_step()
    entity.transform.position.x = 2.0
    scene.camera.position.y = 2.0
    assert entity.previous.position.x == 0.0
    assert scene.drawn_cameras(0.5)[0].position.y == pytest.approx(1.0)
    scene.begin_step()
    assert entity.previous.position.x == 2.0
    assert scene.drawn_cameras(0.5)[0].position.y == pytest.approx(2.0)
    scene.camera.position.y = 8.0
    scene.snap_cameras()
    assert scene.drawn_cameras(0.0)[0].position.y == 8.0


def test_a_shared_transform_moves_entities_together() -> None:
    scene, shared = Scene(), _at(0.0)
    scene.spawn(BOX, RED, shared)
    scene.spawn(BALL, BLUE, shared)
    shared.position.y = 5.0
    assert scene.draw_list().models[:, 3, 1].tolist() == [5.0, 5.0]


def test_revision_grows_with_content_only() -> None:
    scene = Scene()
    seen = [scene.revision]

    def grew() -> bool:
        seen.append(scene.revision)
        return seen[-1] > seen[-2]

    entity = scene.spawn(BOX, RED)
    assert grew()
    entity.transform.position.x = 1.0
    entity.visible = False
    entity.casts_shadow = False
    entity.material = RED
    assert not grew()
    entity.material = BLUE
    assert grew()
    entity.mesh = BALL
    assert grew()
    assert (scene.meshes(), scene.materials()) == ((BALL,), (BLUE,))
    scene.remove(entity)
    assert grew()
    entity.mesh = BOX
    assert not grew()


def test_hidden_entities_are_not_drawn_but_kept() -> None:
    scene = Scene()
    entity = scene.spawn(BOX, RED)
    entity.visible = False
    assert len(scene.draw_list().models) == 0
    assert scene.draw_list().batches == ()
    assert scene.meshes() == (BOX,)
    entity.visible = True
    assert scene.draw_list().batches[0].count == 1


def test_bounds_hold_every_vertex() -> None:
    rng = np.random.default_rng(5)
    scene = Scene()
    for _ in range(8):
        turn = glm.normalize(glm.quat(*rng.normal(size=4).tolist()))
        transform = Transform(
            glm.vec3(*rng.normal(size=3).tolist()), turn, glm.vec3(*rng.uniform(0.5, 3.0, 3).tolist())
        )
        shear = glm.mat4(1.0)
        shear[1][0] = float(rng.normal())
        scene.add(Entity(BOX, RED, transform, local=shear))
    bounds = scene.bounds()
    for model in scene.draw_list().models:
        points = np.column_stack([BOX.positions, np.ones(len(BOX.positions))]) @ model
        assert (np.linalg.norm(points[:, :3] - np.array(bounds.center), axis=1) <= bounds.radius * 1.0001).all()


def test_bounds_of_one_ball_and_of_nothing() -> None:
    scene = Scene()
    assert scene.bounds().radius == 0.0
    ball = scene.spawn(BALL, RED, Transform(glm.vec3(1.0, 2.0, 3.0), scale=glm.vec3(2.0)))
    assert tuple(scene.bounds().center) == pytest.approx((1.0, 2.0, 3.0))
    assert scene.bounds().radius == pytest.approx(1.0, rel=1e-3)
    scene.spawn(BOX, RED, _at(100.0), casts_shadow=False)
    assert scene.bounds().radius > 50.0
    assert scene.bounds(shadow_casters_only=True).radius == pytest.approx(1.0, rel=1e-3)
    ball.visible = False
    assert scene.bounds().center.x == pytest.approx(100.0)


def test_an_entity_lives_in_one_scene() -> None:
    scene, other = Scene(), Scene()
    entity = scene.spawn(BOX, RED)
    with pytest.raises(UsageError, match="already"):
        other.add(entity)
    with pytest.raises(UsageError, match="not in this scene"):
        other.remove(entity)
    scene.remove(entity)
    other.add(entity)
    assert (len(scene), other.entities) == (0, (entity,))


def test_lights_come_and_go_by_identity() -> None:
    scene = Scene()
    point, spot = scene.add_light(PointLight()), scene.add_light(SpotLight())
    assert (scene.point_lights, scene.spot_lights) == ((point,), (spot,))
    with pytest.raises(UsageError, match="light"):
        scene.remove_light(PointLight())
    scene.remove_light(point)
    assert scene.lights == [spot]
    scene.spawn(BOX, RED)
    scene.clear()
    assert (len(scene), scene.lights) == (0, [])


def test_mesh_checks_its_arrays() -> None:
    vertices, indices = BOX.vertices, BOX.indices
    with pytest.raises(AssetError, match=r'mesh "m".*float64'):
        Mesh("m", vertices.astype(np.float64), indices)
    with pytest.raises(AssetError, match="index 24 with 24"):
        Mesh("m", vertices, np.array([0, 1, 24], np.uint32))
    with pytest.raises(AssetError, match="three per triangle"):
        Mesh("m", vertices, indices[:4])
    broken = vertices.copy()
    broken[7, 2] = np.nan
    with pytest.raises(AssetError, match="vertex 7"):
        Mesh("m", broken, indices)
    with pytest.raises(ValueError, match="read-only"):
        BOX.vertices[0, 0] = 1.0
    assert BOX.bounds.radius == pytest.approx(np.sqrt(0.75))


def test_mirrored_mesh_keeps_its_front_faces_under_a_mirror() -> None:
    mirrored = BOX.mirrored()
    positions = mirrored.positions * np.float32([-1.0, 1.0, 1.0])
    corners = positions[mirrored.indices].reshape(-1, 3, 3)
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (np.einsum("ij,ij->i", faces, corners.mean(axis=1)) > 0.0).all()
    assert (mirrored.tangents[:, 3] == -1.0).all()
    assert (mirrored.normals == -BOX.normals).all()  # the cofactors of a mirror turn them once more
