"""Meshes that the GPU moves look as if they had been modelled that way."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from bending_bar import PAINT, bending_model, bent
from playing import flip, frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Material
from renderwright.engine.scene.primitives import plane
from renderwright.engine.session import Session
from renderwright.render.backend.opengl.backend import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

EXTENT = (160, 120)


class Bent(Game):
    """A bar at 0.75 of its clip: moved by the GPU, or modelled so."""

    title = "Bent"
    plugins = ("shadows", "tonemap")
    step = 1 / 60
    moved = True
    morphs = False

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera = Camera(glm.vec3(1.5, 1.8, 3.5), glm.vec3(-0.3, 0.9, 0.0))
        scene.spawn(plane(8, 8), Material())
        if self.moved:
            bar = bending_model(morphs=self.morphs).spawn(scene)
            bar.play("Bend", speed=0.0)
            bar.seek(0.75)
        else:
            scene.spawn(bent(0.75, morphs=self.morphs), PAINT)


@pytest.fixture(scope="module", params=["vulkan", "opengl"])
def device(request: pytest.FixtureRequest):
    device = VulkanBackend(validate=True) if request.param == "vulkan" else OpenGLBackend()
    yield device
    device.close()


def picture(backend: Backend, **attributes: object) -> np.ndarray:
    game = type("Bent", (Bent,), attributes)
    with closing(Session(game, backend, EXTENT, clock=FixedStepClock(1 / 60, frame=1 / 60))) as session:
        return frames_of(session, 3)[-1]


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
@pytest.mark.parametrize("morphs", [False, True])
def test_a_bent_bar(device: Backend, skeleton: str, morphs: bool) -> None:
    ours = picture(device, skeleton=skeleton, morphs=morphs)
    modelled = picture(device, skeleton=skeleton, morphs=morphs, moved=False)
    differs = (np.abs(ours.astype(int) - modelled) > 2).any(axis=2)
    assert differs.mean() < 0.002
    assert flip(ours, modelled) < 0.002
