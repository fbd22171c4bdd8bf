"""Shadow maps of lamps follow characters that move in themselves."""

from __future__ import annotations

from bending_bar import bending_model
from pyglm import glm

from renderwright.engine.renderer.lights.caster_moves import CasterMoves
from renderwright.engine.renderer.lights.light_set import ShadowedLight
from renderwright.engine.scene import Material, Scene
from renderwright.engine.scene.primitives import plane

POINT = (0.0, -1.0, 0.0, -2.0)
LIGHTS = (ShadowedLight((0.0, 1.0, 0.0, 3.0), POINT), ShadowedLight((40.0, 1.0, 0.0, 3.0), POINT))


def test_a_pose_outdates_the_maps_of_lamps_that_reach_the_character() -> None:
    scene, moves = Scene(), CasterMoves()
    scene.spawn(plane(1, 1), Material(), casts_shadow=False)
    bar = bending_model(morphs=False).spawn(scene)
    bar.play("Bend")

    def counts() -> glm.ivec2:
        scene.begin_step(1 / 60)
        return glm.ivec2(moves.follow(scene.draw_list(1.0), LIGHTS)[:2])

    for _ in range(3):
        before = counts()
    assert [counts() - before for _ in range(3)] == [glm.ivec2(n, 0) for n in (1, 2, 3)]
    bar.stop()
    for _ in range(3):
        before = counts()
    assert counts() == before, "it stands still"
