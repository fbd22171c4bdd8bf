"""The distance of the near plane changes nothing in a picture of what is behind it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from benchmarks.quality.play import chosen, played
from benchmarks.quality.scenes import StillScene
from renderwright.engine.game import GameContext
from renderwright.engine.skeleton import shipped_skeletons
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan


@pytest.mark.parametrize("skeleton", sorted({*shipped_skeletons()} - {"flat"}))
def test_a_close_near_plane_shows_the_same_sky_and_shadows(backend: VulkanBackend, skeleton: str) -> None:
    class Near(StillScene):
        near = 0.1

        def setup(self, context: GameContext) -> None:
            super().setup(context)
            context.scene.camera.near = self.near

    Near.skeleton = skeleton
    pictures = []
    for near in (0.1, 1e-3, 1e-6):
        Near.near = near
        with played(Near, backend, (160, 90), chosen(["fog"], fog={"density": "0.01"})) as play:
            play.frames(2)
            pictures.append(play.shown())
    assert all(np.abs(a - b).max() < 1.5 / 255 for a, b in pairwise(pictures))
