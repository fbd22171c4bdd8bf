"""Groups: entities that numpy arrays move."""

from __future__ import annotations

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.scene import Group, Material, Scene, Transform
from renderwright.engine.scene.primitives import box
from renderwright.render.errors import UsageError

BOX, RED, BLUE = box(), Material((1.0, 0.0, 0.0, 1.0)), Material((0.0, 0.0, 1.0, 1.0))


def crowd(scene: Scene, count: int = 4) -> Group:
    return scene.spawn_many(BOX, RED, [(x, 0.0, 0.0) for x in range(count)])


def test_a_group_is_one_batch_at_its_positions() -> None:
    scene = Scene()
    turn = glm.angleAxis(0.5, glm.vec3(0, 1, 0))
    group = scene.spawn_many(BOX, RED, np.eye(3), rotations=turn.to_tuple(), scales=(1, 2, 3), casts_shadow=False)
    drawn = scene.draw_list()
    assert [(batch.count, batch.casts_shadow) for batch in drawn.batches] == [(3, False)]
    for model, position in zip(drawn.models, np.eye(3).tolist(), strict=True):
        expected = Transform(glm.vec3(*position), turn, glm.vec3(1, 2, 3)).matrix()
        assert np.allclose(model, expected.to_list(), atol=1e-6)
    assert scene.draw_list(0.0) is drawn, "new entities do not come from elsewhere"
    assert (len(group), group[2].transform.position, group[-1] is group[2]) == (3, glm.vec3(0, 0, 1), True)


def test_columns_read_and_write_like_arrays() -> None:
    group = crowd(Scene())
    positions = group.positions
    group.positions[1] = (5, 6, 7)
    group.positions[:, 1] += 1.0
    group.positions += np.array([0.0, 0.0, 0.5])
    assert np.asarray(positions).tolist() == [[0, 1, 0.5], [5, 7, 7.5], [2, 1, 0.5], [3, 1, 0.5]]
    assert (2.0 * positions - positions == positions).all()
    assert (positions.shape, len(positions), positions.dtype) == ((4, 3), 4, np.float32)
    assert np.linalg.norm(positions[0]) == pytest.approx(np.sqrt(1.25))
    group.scales = 2.0
    assert np.unique(group.scales).tolist() == [2.0]
    before = positions[:]
    before[0] = 99.0
    assert positions[0, 0] == 0.0, "a read is a copy"


def test_only_the_entities_of_a_part_move() -> None:
    scene = Scene()
    group = crowd(scene)
    scene.begin_step()
    group[1:3].positions += 4.0
    group.positions[3] = (3.0, 0.0, 9.0)
    group[np.array([True, False, False, False])].scales = 3.0
    models = scene.draw_list(0.5).models
    assert models[:, 3, 2].tolist() == [0.0, 2.0, 2.0, 4.5]
    assert models[:, 0, 0].tolist() == [2.0, 1.0, 1.0, 1.0]
    group.snap()
    assert scene.draw_list(0.0).models[:, 3, 2].tolist() == [0.0, 4.0, 4.0, 9.0]


def test_arrays_and_objects_see_each_other() -> None:
    group = crowd(Scene())
    entity = group[0]
    entity.transform.position.y = 2.0
    assert group.positions[0].tolist() == [0.0, 2.0, 0.0]
    group.positions[0] = (0.0, 3.0, 0.0)
    assert entity.transform.position == glm.vec3(0, 3, 0)
    entity.transform.position.x = 1.0
    group.scales = 2.0
    assert (entity.transform.position, entity.transform.scale) == (glm.vec3(1, 3, 0), glm.vec3(2))


def test_a_group_of_entities_that_share_a_transform_moves_all_of_them() -> None:
    scene, shared = Scene(), Transform()
    pair = [scene.spawn(BOX, RED, shared) for _ in range(2)]
    scene.group(pair[:1]).positions = [(1.0, 2.0, 3.0)]
    assert scene.draw_list().models[:, 3, :3].tolist() == [[1, 2, 3]] * 2
    assert shared.position == glm.vec3(1, 2, 3)


def test_flags_and_surfaces_of_a_group() -> None:
    scene = Scene()
    group = crowd(scene)
    group.visible = [True, False, True, False]
    assert [entity.visible for entity in group] == [True, False, True, False]
    assert scene.draw_list().models[:, 3, 0].tolist() == [0.0, 2.0]
    revision = scene.revision
    group.casts_shadow, group.layers = False, 6
    assert (scene.revision, group[0].casts_shadow, group[1].layers) == (revision, False, 6)
    group.set_surface(BOX, BLUE)
    assert scene.revision > revision
    assert [(batch.material, batch.layers) for batch in scene.draw_list().batches] == [(BLUE, 6)]
    assert scene.materials() == (BLUE,)


def test_removed_entities_leave_their_groups() -> None:
    scene = Scene()
    group = crowd(scene)
    gone = group[1]
    scene.remove(gone)
    again = scene.spawn(BOX, BLUE)
    assert (len(group), len(scene)) == (3, 4)
    group.positions = np.ones((3, 3))
    assert (gone.transform.position, gone.mesh, gone.number) == (glm.vec3(1, 0, 0), BOX, -1)
    assert again.transform.position == glm.vec3(0.0)
    scene.remove(group)
    assert (len(group), scene.entities) == (0, (again,))
    scene.add(gone)
    assert scene.entities == (again, gone)


def test_wrong_shapes_are_refused() -> None:
    scene = Scene()
    group = crowd(scene)
    with pytest.raises(UsageError, match=r"positions of 4 entities cannot be an array of shape \(3, 3\)"):
        group.positions = np.zeros((3, 3))
    with pytest.raises(UsageError, match=r"shape \(3,\)"):
        scene.spawn_many(BOX, RED, (0, 0, 0))
    with pytest.raises(UsageError, match=r"rotations of 1 entities cannot be an array of shape \(3,\)"):
        scene.spawn_many(BOX, RED, [(0, 0, 0)], rotations=(0, 0, 0))
    assert len(scene) == 4
    with pytest.raises(UsageError, match="not in this scene"):
        Scene().group(list(group))


def test_no_object_is_made_for_entities_that_nobody_looks_at() -> None:
    scene = Scene()
    group = crowd(scene, 1000)
    group.positions += 1.0
    scene.begin_step()
    scene.draw_list(0.5)
    scene.snap()
    scene.bounds()
    assert (scene.meshes(), scene.materials(), len(scene)) == ((BOX,), (RED,), 1000)
    assert not scene._table.objects
    assert group[7] is group[7]
    assert len(scene._table.objects) == 1


def test_a_misspelt_attribute_of_a_group_is_an_error() -> None:
    boxes = Scene().spawn_many(box(1.0), Material(), positions=np.zeros((3, 3)))
    with pytest.raises(AttributeError, match="position"):
        boxes.position = 3  # type: ignore[attr-defined]


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_infinite_numbers_are_refused_at_the_line_that_sets_them(number: float) -> None:
    boxes = Scene().spawn_many(box(1.0), Material(), positions=np.zeros((3, 3)))
    values = np.zeros((3, 3))
    values[1, 2] = number
    with pytest.raises(UsageError, match=r"positions\[1\] cannot be"):
        boxes.positions = values
    with pytest.raises(UsageError, match="positions"):
        boxes.positions = (0.0, number, 0.0)
    assert not boxes.positions[:].any()


def test_an_infinite_number_that_is_set_in_place_is_found_by_name() -> None:
    scene = Scene()
    ball = scene.spawn(box(1.0), Material())
    ball.name = "ball"
    ball.transform.position.x = float("nan")
    with pytest.raises(UsageError, match=r'of the entity "ball" has a number that is not finite'):
        scene.check()


def test_a_rotation_of_length_0_that_is_set_in_place_is_found_by_name() -> None:
    scene = Scene()
    ball = scene.spawn(box(1.0), Material(), name="ball")
    ball.transform.rotation.w, ball.transform.rotation.z = 0.0, 1.0
    scene.check()
    ball.transform.rotation.z = 0.0
    with pytest.raises(UsageError, match=r'of the entity "ball" has a rotation of length 0'):
        scene.check()
