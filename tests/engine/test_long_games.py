"""A long game holds no more on the device than a short one, however much comes and goes in it."""

from __future__ import annotations

from collections import Counter

import numpy as np

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.material_textures import KEPT_FRAMES
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend

STEP = 1 / 60


class Restless(Game):
    """Every frame has a new material, every eighth a new image, every tenth a new mesh."""

    plugins = ("bloom",)
    step = STEP

    def setup(self, context: GameContext) -> None:
        context.scene.spawn(plane(4, 4), Material())
        self.box = context.scene.spawn(box(1.0), Material())
        self.picture = Image("picture 0", np.zeros((2, 2, 4), np.uint8))
        self.updates = 0

    def update(self, dt: float) -> None:
        self.updates += 1
        if self.updates % 8 == 0:
            self.picture = Image(f"picture {self.updates}", np.zeros((2, 2, 4), np.uint8))
        if self.updates % 10 == 0:
            self.box.mesh = box(1.0 + self.updates / 1000)
        self.box.material = Material(roughness=self.updates / 10000, base_color_image=self.picture)


def alive(backend: NullBackend) -> Counter[str]:
    """Living objects by kind."""
    return Counter(text.split('"')[0].strip() for text in backend.alive)


def test_materials_images_meshes_sizes_and_plugins_come_and_go_without_a_trace() -> None:
    backend = NullBackend()
    sizes = ((64, 36), (80, 45), (96, 54), (72, 40), (88, 50))
    session = Session(Restless, backend, sizes[0], choice=PluginChoice(), clock=FixedStepClock(STEP, frame=STEP))
    target = backend.create_target(sizes[0])
    counts = []
    for frame in range(4 * KEPT_FRAMES):
        if frame % 20 == 0:
            target.resize(sizes[frame // 20 % len(sizes)])
        if frame % 30 == 0:
            session.plugins.set("bloom", "levels", 2 + frame // 30 % 2)
        session.step()
        session.render(target)
        if frame in (2 * KEPT_FRAMES - 1, 4 * KEPT_FRAMES - 1):
            counts.append(alive(backend))
    early, late = counts
    assert late == early
    assert late["texture"] < 100
    session.close()
    target.close()
    assert backend.alive == ()
