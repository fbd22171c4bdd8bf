"""A light's shadow map is drawn anew only when a caster within its reach has moved."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.renderer.lights.caster_moves import MOST_COMPARED, CasterMoves
from renderwright.engine.renderer.lights.shadowed_lights import ShadowedLight
from renderwright.engine.scene import Entity, Material, Scene, Transform
from renderwright.engine.scene.primitives import box

LIGHTS = (
    ShadowedLight((0.0, 0.0, 0.0, 3.0), (0.0, -1.0, 0.0, -2.0)),
    None,
    ShadowedLight((20.0, 0.0, 0.0, 3.0), (0.0, -1.0, 0.0, -2.0)),
)


class Row:
    """A row of boxes of which some lie within the reach of lights, and counts of their moves."""

    def __init__(self) -> None:
        self.scene = Scene()
        grey = Material()
        self.near = self.scene.spawn(box(1.0), grey, Transform(glm.vec3(1, 0, 0)))
        self.far = self.scene.spawn(box(1.0), grey, Transform(glm.vec3(10, 0, 0)))
        self.ghost = self.scene.spawn(box(1.0), grey, Transform(glm.vec3(0, 1, 0)), casts_shadow=False)
        self.others = self.scene.spawn_many(box(1.0), grey, np.full((20, 3), 50.0))
        self.moves = CasterMoves()
        self.last = np.zeros(4, int)
        self.counted()
        self.near.transform.position.y += 0.1  # where the others are is known from the first move on
        self.counted()

    def counted(self) -> list[int]:
        """How often the maps of each of the first slots are outdated by the next picture."""
        self.scene.begin_step()
        counts = np.array(self.moves.follow(self.scene.draw_list(1.0), LIGHTS)[:4])
        more, self.last = counts - self.last, counts
        return more.tolist()


def test_maps_stay_while_nothing_moves() -> None:
    row = Row()
    row.counted()
    assert row.counted() == [0, 0, 0, 0]


def test_what_moves_within_reach_outdates_the_maps_of_that_light() -> None:
    row = Row()
    row.counted()
    for entity, moved in ((row.near, [1, 0, 0, 0]), (row.far, [0, 0, 0, 0]), (row.ghost, [0, 0, 0, 0])):
        entity.transform.position.z += 0.1
        entity.snap()
        assert row.counted() == moved


def test_what_leaves_or_enters_counts() -> None:
    row = Row()
    row.counted()
    row.near.transform.position.x = 10.0
    row.near.snap()
    assert row.counted() == [1, 0, 0, 0]
    row.near.transform.position.x = 19.0
    row.near.snap()
    assert row.counted() == [0, 0, 1, 0]


def test_the_size_counts() -> None:
    row = Row()
    row.counted()
    row.far.transform.scale = glm.vec3(16, 1, 1)
    row.far.snap()
    assert row.counted() == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("x", "outdated"),
    [(1.0, [1, 0, 0, 0]), (10.0, [0, 0, 0, 0]), (20.0, [0, 0, 1, 0])],
    ids=["at the first light", "between the lights", "at the last light"],
)
def test_what_appears_or_vanishes_within_reach_outdates_the_maps_of_that_light(x: float, outdated: list[int]) -> None:
    row = Row()
    row.counted()
    entity = row.scene.spawn(box(0.5), Material(), Transform(glm.vec3(x, 0, 0)))
    assert row.counted() == outdated
    row.scene.remove(entity)
    assert row.counted() == outdated
    assert row.counted() == [0, 0, 0, 0]


def _other_look(entity: Entity) -> None:
    entity.material = Material(base_color=(1.0, 0.0, 0.0, 1.0))


def _holes(entity: Entity) -> None:
    entity.material = Material(alpha_mode="mask")


def _two_sides(entity: Entity) -> None:
    entity.material = Material(double_sided=True)


def _glass(entity: Entity) -> None:
    entity.material = Material(alpha_mode="blend", base_color=(1.0, 1.0, 1.0, 0.5))


def _other_mesh(entity: Entity) -> None:
    entity.mesh = box(0.9)


def _no_shadow(entity: Entity) -> None:
    entity.casts_shadow = False


def _hidden(entity: Entity) -> None:
    entity.visible = False


@pytest.mark.parametrize(
    ("change", "outdates"),
    [(_other_look, 0), (_holes, 1), (_two_sides, 1), (_glass, 1), (_other_mesh, 1), (_no_shadow, 1), (_hidden, 1)],
)
def test_only_what_a_map_shows_of_a_caster_outdates_it(change: Callable[[Entity], None], outdates: int) -> None:
    row = Row()
    row.counted()
    change(row.far)
    assert row.counted() == [0, 0, 0, 0]
    change(row.near)
    assert row.counted() == [outdates, 0, 0, 0]


def test_masks_count_with_their_material() -> None:
    row = Row()
    _holes(row.near)
    row.counted()
    row.near.material = Material(alpha_mode="mask", alpha_cutoff=0.9)
    assert row.counted() == [1, 0, 0, 0]


def test_what_turns_while_another_thing_appears_counts() -> None:
    row = Row()
    row.counted()
    row.near.transform.rotation = glm.angleAxis(0.5, glm.vec3(0, 1, 0))
    row.near.snap()
    row.scene.spawn(box(0.5), Material(), Transform(glm.vec3(10, 0, 0)))
    assert row.counted() == [1, 0, 0, 0]


def test_what_appears_elsewhere_does_not_hide_later_moves() -> None:
    row = Row()
    row.counted()
    row.scene.spawn(box(0.5), Material(), Transform(glm.vec3(10, 0, 0)))
    row.counted()
    row.near.transform.position.z += 0.1
    row.near.snap()
    assert row.counted() == [1, 0, 0, 0]


def test_many_moves_at_once_are_told_apart() -> None:
    row = Row()
    row.counted()
    row.others.positions[:, 2] += 0.1  # more than half of all
    row.others.snap()
    assert row.counted() == [0, 0, 0, 0]


def test_a_large_arrangement_is_not_compared() -> None:
    row = Row()
    row.scene.spawn_many(box(1.0), Material(), np.full((MOST_COMPARED, 3), 50.0))
    row.counted()
    row.scene.spawn(box(0.5), Material(), Transform(glm.vec3(10, 0, 0)))
    assert row.counted() == [1, 1, 1, 1]
    row.counted()
    row.far.transform.position.z += 0.1
    row.far.snap()
    row.counted()
    row.near.transform.position.z += 0.1
    row.near.snap()
    assert row.counted() == [1, 0, 0, 0]


def test_another_arrangement_is_told() -> None:
    row = Row()
    row.counted()
    before = row.moves.arrangement
    row.near.transform.position.z += 0.1
    row.counted()
    assert row.moves.arrangement == before
    row.scene.spawn(box(0.5), Material(), Transform(glm.vec3(10, 0, 0)))
    row.counted()
    assert row.moves.arrangement == before + 1
