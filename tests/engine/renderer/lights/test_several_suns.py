"""Directional lights that are added to a scene shine beside its own sun, and their light adds up."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import numpy as np
import pytest
from numpy.typing import NDArray
from playing import frames_of
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import DirectionalLight, Material, Sky
from renderwright.engine.scene.primitives import sphere
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

SUNS = (
    DirectionalLight(glm.vec3(1, -1, -0.5), (1.0, 0.6, 0.3), 3.0),
    DirectionalLight(glm.vec3(-1, -0.2, -1), (0.2, 0.3, 1.0), 2.0),
    DirectionalLight(glm.vec3(0, 1, -0.6), (0.3, 1.0, 0.5), 1.0),
)


def light_on_a_ball(
    backend: VulkanBackend, skeleton_name: str, sun: DirectionalLight | None, added: Sequence[DirectionalLight]
) -> NDArray[np.float32]:
    class Ball(Game):
        skeleton = skeleton_name
        plugins = ()

        def setup(self, context: GameContext) -> None:
            scene = context.scene
            scene.sky, scene.sun = Sky(intensity=0.0), sun
            scene.camera.position, scene.camera.target = glm.vec3(0, 0, 3), glm.vec3(0)
            scene.spawn(sphere(1.0), Material((0.8, 0.8, 0.8, 1.0), roughness=0.4))
            for light in added:
                scene.add_light(light)

    with closing(Session(Ball, backend, (48, 48), strict=True)) as session:
        session.graph.add_sink("hdr")
        frames_of(session, 1)
        runtime = session.runtime
        instance = next(item.id for item in runtime.plan.graph.resources if "hdr" in item.resource.names)
        layout = dict(runtime.plan.sync.layouts_left)[instance]
        texels = np.asarray(backend.read_texture(runtime.resource(instance), layout), np.float32)
    return texels[..., :3]


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
def test_the_light_of_suns_adds_up(backend: VulkanBackend, skeleton: str) -> None:
    alone = [light_on_a_ball(backend, skeleton, sun, ()) for sun in SUNS]
    assert all(light.max() > 0.3 for light in alone)
    together = light_on_a_ball(backend, skeleton, SUNS[0], SUNS[1:])
    assert np.allclose(together, sum(alone), rtol=4e-3, atol=2e-3)


def test_an_added_sun_is_as_the_scenes_own(backend: VulkanBackend) -> None:
    own = light_on_a_ball(backend, "deferred", SUNS[1], ())
    assert np.array_equal(own, light_on_a_ball(backend, "deferred", None, SUNS[1:2]))
