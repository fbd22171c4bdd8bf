"""Values that entities cannot have are refused at the game's line, with the field and what to give."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.scene import Camera, Entity, Group, Material, Scene, Transform
from renderwright.engine.scene.primitives import box
from renderwright.render.errors import UsageError

BOX, RED = box(), Material((1.0, 0.0, 0.0, 1.0))
MASK = "a mask of 32 bits, from 0 to 0xFFFFFFFF"
NAN = float("nan")


@pytest.fixture
def scene() -> Scene:
    return Scene()


@pytest.fixture
def group(scene: Scene) -> Group:
    return scene.spawn_many(BOX, RED, [(x, 0.0, 0.0) for x in range(4)])


def values_of(group: Group) -> list[Any]:
    return [np.array(getattr(group, name)).tolist() for name in ("positions", "rotations", "scales", *FLAGS)]


FLAGS = ("visible", "casts_shadow", "layers")


@pytest.mark.parametrize(
    ("field", "value", "message", "hint"),
    [
        ("layers", -1, "layers of 4 entities cannot be -1", MASK),
        ("layers", 2**32, "layers of 4 entities cannot be 4294967296", MASK),
        ("layers", 2**70, f"layers of 4 entities cannot be {2**70}", MASK),
        ("layers", np.array([1, 2, -3, 4]), "layers of 4 entities cannot be -3", MASK),
        ("layers", 1.5, "layers of 4 entities cannot be 1.5", MASK),
        ("layers", np.ones(4), "layers of 4 entities cannot be an array of dtype float64", MASK),
        ("layers", True, "layers of 4 entities cannot be True", MASK),
        ("layers", None, "layers of 4 entities cannot be None", MASK),
        ("layers", "2", "layers of 4 entities cannot be '2'", MASK),
        ("layers", [1, 2, 3], "layers of 4 entities cannot be an array of shape (3,)", "masks of shape (4,)"),
        ("layers", [[1], [2, 3]], "an array whose rows have different lengths", "masks of shape (4,)"),
        ("visible", [True] * 3, "visible of 4 entities cannot be an array of shape (3,)", "booleans of shape (4,)"),
        ("visible", np.ones((4, 1), bool), "an array of shape (4, 1)", "booleans of shape (4,)"),
        ("visible", 0.5, "visible of 4 entities cannot be 0.5", "True or False"),
        ("visible", None, "visible of 4 entities cannot be None", "True or False"),
        ("visible", "no", "visible of 4 entities cannot be 'no'", "True or False"),
        ("visible", [0, 1, 2, 1], "visible of 4 entities cannot be 2", "True or False"),
        ("casts_shadow", [True, None, True, True], "casts_shadow of 4 entities cannot be an array of dtype object", ""),
        ("positions", "abc", "positions of 4 entities cannot be 'abc'", "numbers of shape (4, 3), or (3,) for all"),
        ("positions", None, "positions of 4 entities cannot be None", "numbers of shape (4, 3)"),
        ("positions", [[1, 2, 3], [1, 2]], "an array whose rows have different lengths", "numbers of shape (4, 3)"),
        ("positions", np.ones((4, 3), complex), "an array of dtype complex128", "numbers of shape (4, 3)"),
        ("positions", np.ones((1, 3, 3)), "an array of shape (1, 3, 3)", "numbers of shape (4, 3)"),
        ("positions", 1e300, "positions cannot be inf", "finite"),
        ("rotations", (0, 0, 0), "rotations of 4 entities cannot be an array of shape (3,)", "(4, 4), or (4,)"),
        ("rotations", (0, 0, 0, 0), "rotations cannot be [0. 0. 0. 0.]", "unit quaternions"),
        ("rotations", np.eye(4) * [1, 1, 1, 0], "rotations[3] cannot be [0. 0. 0. 0.]", "unit quaternions"),
        ("scales", np.ones((4, 2)), "scales of 4 entities cannot be an array of shape (4, 2)", "(4, 3), or (3,)"),
    ],
)
def test_fields_of_groups(group: Group, field: str, value: Any, message: str, hint: str) -> None:
    before = values_of(group)
    with pytest.raises(UsageError) as refused:
        setattr(group, field, value)
    assert message in refused.value.message
    assert hint in refused.value.hint
    assert refused.value.where.file == __file__
    assert values_of(group) == before


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("layers", np.uint8(3)),
        ("layers", 0xFFFFFFFF),
        ("layers", np.array([1, 2, 3, 0xFFFFFFFF])),
        ("visible", 0),
        ("visible", np.array([0, 1, 1, 0], np.uint8)),
        ("positions", [glm.vec3(1, 2, 3)] * 4),
        ("positions", glm.vec3(1, 2, 3)),
        ("positions", [[1, 2, 3]] * 4),
        ("rotations", np.roll(np.eye(4), 1, axis=1)),
    ],
)
def test_values_of_other_types_that_fit_are_taken(group: Group, field: str, value: Any) -> None:
    setattr(group, field, value)
    column = np.array(getattr(group, field))
    assert np.array_equal(column, np.broadcast_to(np.array(value).astype(column.dtype), column.shape))


def test_an_empty_group_takes_empty_arrays(scene: Scene) -> None:
    nothing = scene.group([])
    nothing.visible = nothing.layers = nothing.casts_shadow = []
    nothing.positions = np.zeros((0, 3))
    nothing.rotations = np.zeros((0, 4))
    assert len(nothing) == 0


@pytest.mark.parametrize(
    ("key", "value", "message", "hint"),
    [
        (0, (1, 2), "positions[0] of 4 entities cannot be an array of shape (2,)", "shape (3,)"),
        ((slice(None), 1), np.zeros(3), "positions[:, 1] of 4 entities cannot be an array of shape (3,)", "shape (4,)"),
        (0, "abc", "positions[0] of 4 entities cannot be 'abc'", "shape (3,)"),
        (9, (1, 2, 3), "positions of 4 entities have no [9]", "(4, 3)"),
        (np.array([True, False]), 1, "positions of 4 entities have no [mask of shape (2,)]", "(4, 3)"),
        ((2, 1), NAN, "positions[2] cannot be [ 2. nan  0.]", "finite"),
    ],
)
def test_parts_of_columns(group: Group, key: Any, value: Any, message: str, hint: str) -> None:
    before = values_of(group)
    with pytest.raises(UsageError) as refused:
        group.positions[key] = value
    assert message in refused.value.message
    assert hint in refused.value.hint
    assert refused.value.where.file == __file__
    assert values_of(group) == before


def test_operators_in_place(group: Group) -> None:
    with pytest.raises(UsageError) as refused:
        group.positions += np.zeros((5, 3))
    assert "positions of 4 entities cannot be combined in place with an array of shape (5, 3)" in refused.value.message
    assert "(4, 3)" in refused.value.hint
    assert refused.value.where.file == __file__
    with pytest.raises(UsageError, match="cannot be combined in place with 'a'"):
        group.positions *= "a"


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (np.array([True, False]), "no mask of shape (2,)"),
        (np.array([0, 7]), "no 7"),
        (9, "no 9"),
        (-9, "no -9"),
        ("x", "no 'x'"),
        (1.5, "no 1.5"),
        (np.array([0.5]), "no array of dtype float64 and shape (1,)"),
        (np.zeros((2, 2), int), "no array of dtype int64 and shape (2, 2)"),
        (None, "no None"),
    ],
)
def test_parts_of_groups(group: Group, key: Any, words: str) -> None:
    with pytest.raises(IndexError) as refused:
        group[key]
    assert isinstance(refused.value, UsageError)
    assert f"a group of 4 entities has {words}" in refused.value.message
    assert "a mask of shape (4,)" in refused.value.hint


def test_new_entities(scene: Scene) -> None:
    def refused(message: str, *arguments: Any, **fields: Any) -> None:
        with pytest.raises(UsageError) as error:
            scene.spawn_many(*arguments, **fields)
        assert message in error.value.message
        assert len(scene) == 0
        assert not scene._table.alive.any()

    refused("positions[1] cannot be [nan", BOX, RED, [(0, 0, 0), (NAN, 0, 0)])
    refused("positions of new entities cannot be 'abc'", BOX, RED, "abc")
    refused("rows have different lengths", BOX, RED, [(1, 2), (3,)])
    refused("layers of 1 entities cannot be -1", BOX, RED, [(0, 0, 0)], layers=-1)
    refused("visible of 1 entities cannot be an array of shape (2,)", BOX, RED, [(0, 0, 0)], visible=[True, False])
    refused("casts_shadow of 1 entities cannot be 'x'", BOX, RED, [(0, 0, 0)], casts_shadow="x")
    refused("rotations cannot be [0. 0. 0. 0.]", BOX, RED, [(0, 0, 0)], rotations=(0, 0, 0, 0))
    refused("a mesh cannot be Material(", RED, BOX, [(0, 0, 0)])
    group = scene.spawn_many(BOX, RED, [(0, 0, 0)] * 3, layers=[1, 2, 4], visible=[True, False, True])
    assert (group.layers.tolist(), group.visible.tolist()) == ([1, 2, 4], [True, False, True])


@pytest.mark.parametrize("placed", [True, False])
@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("layers", -1, 'layers of the entity "crate" cannot be -1'),
        ("layers", 2**32, 'layers of the entity "crate" cannot be 4294967296'),
        ("layers", 1.5, 'layers of the entity "crate" cannot be 1.5'),
        ("layers", [1, 2], 'layers of the entity "crate" cannot be an array of shape (2,)'),
        ("visible", "no", "visible of the entity \"crate\" cannot be 'no'"),
        ("visible", 2, 'visible of the entity "crate" cannot be 2'),
        ("casts_shadow", None, 'casts_shadow of the entity "crate" cannot be None'),
        ("transform", (1, 2, 3), 'the transform of the entity "crate" cannot be (1, 2, 3)'),
        ("mesh", RED, "a mesh cannot be Material("),
        ("material", None, "a material cannot be None"),
    ],
)
def test_fields_of_entities(scene: Scene, placed: bool, field: str, value: Any, message: str) -> None:
    crate = Entity(BOX, RED, name="crate")
    if placed:
        scene.add(crate)
    before = getattr(crate, field)
    with pytest.raises(UsageError) as refused:
        setattr(crate, field, value)
    assert message in refused.value.message
    assert refused.value.hint
    assert refused.value.where.file == __file__
    assert getattr(crate, field) == before


def test_fields_of_entities_that_are_made(scene: Scene) -> None:
    with pytest.raises(UsageError, match="layers"):
        Entity(BOX, RED, layers=-1)
    with pytest.raises(UsageError, match="a mesh cannot be Material"):
        scene.spawn(RED, BOX)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="the transform of the entity") as refused:
        scene.spawn(BOX, RED, glm.vec3(1))  # type: ignore[arg-type]
    assert "Transform(position=" in refused.value.hint
    assert len(scene) == 0


@pytest.mark.parametrize(
    ("call", "thing"),
    [*product(["group", "static", "remove"], [5, [1, 2], "box", BOX]), ("add", BOX), ("add", None)],
)
def test_entities_that_are_none(scene: Scene, call: str, thing: Any) -> None:
    scene.spawn(BOX, RED)
    with pytest.raises(UsageError) as refused:
        getattr(scene, call)(thing)
    assert "is no entity" in refused.value.message
    assert len(scene) == 1


def test_one_entity_makes_a_group(scene: Scene) -> None:
    entity = scene.spawn(BOX, RED)
    assert list(scene.group(entity)) == [entity]


@pytest.mark.parametrize("layers", [-1, 2**32, 1.5, "x", True])
def test_layers_of_cameras_and_rays(scene: Scene, layers: Any) -> None:
    with pytest.raises(UsageError) as refused:
        Camera(layers=layers)
    assert refused.value.hint == "it is a whole number from 0 to 0xFFFFFFFF"
    with pytest.raises(UsageError, match="layers of a ray cannot be"):
        scene.pick(Camera().ray((0.0, 0.0), 1.0), layers=layers)


def test_a_transform_stays_after_a_refusal(scene: Scene) -> None:
    entity = scene.spawn(BOX, RED, Transform(position=glm.vec3(1, 2, 3)))
    with pytest.raises(UsageError):
        entity.transform = None  # type: ignore[assignment]
    entity.transform.position.x = 5.0
    assert scene.group().positions[0].tolist() == [5.0, 2.0, 3.0]
