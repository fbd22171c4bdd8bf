"""A light's shadow map is drawn anew only when a caster within its reach has moved."""

from __future__ import annotations

import numpy as np
from pyglm import glm

from renderwright.engine.renderer.lights.caster_moves import CasterMoves
from renderwright.engine.renderer.lights.shadowed_lights import ShadowedLight
from renderwright.engine.scene import Material, Scene, Transform
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
        self.scene.spawn_many(box(1.0), grey, np.full((20, 3), 50.0))
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


def test_another_arrangement_outdates_all_maps() -> None:
    row = Row()
    row.counted()
    row.far.casts_shadow = False
    assert row.counted() == [1, 1, 1, 1]
