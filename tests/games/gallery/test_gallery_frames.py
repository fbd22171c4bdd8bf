"""Frames of the game on devices: one view, a headset and samples, on both backends, under validation; pictures."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.session import Session
from renderwright.games.gallery import Gallery
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from tests.playing import SHADERS, Picture, flip, frames_of

EXTENT = (64, 36)
MODES = {"one view": (), "vr": ("vr",), "samples": ("ssaa",)}

pytestmark = pytest.mark.vulkan


def played(backend: Backend) -> dict[str, Picture]:
    """One visit in all modes, one after another."""
    clock = FixedStepClock(Gallery.step, frame=Gallery.step)
    pictures = {}
    with closing(Session(Gallery, backend, EXTENT, strict=True, clock=clock, shaders=SHADERS)) as session:
        game = session.runner.game
        assert isinstance(game, Gallery)
        game.begin()
        frames_of(session, 1)
        game.walker.x, game.walker.z, game.walker.gaze.yaw = 1.0, 5.5, 0.2
        session.plugins.load("ssaa")
        session.plugins.set("ssaa", "samples", 4)
        for mode, plugins in MODES.items():
            for plugin in plugins:
                session.plugins.enable(plugin)
            pictures[mode] = frames_of(session, 2)[-1][..., :3]
            for plugin in plugins:
                session.plugins.disable(plugin)
    return pictures


def test_both_backends_draw_the_same_without_a_message(backend: VulkanBackend) -> None:
    with closing(OpenGLBackend(validate=True)) as opengl:
        ours = played(opengl)
        assert opengl.validation_messages == []
    for mode, right in played(backend).items():
        assert right.std() > 10.0, "there is something to see"
        assert flip(right, ours[mode]) < 0.03, mode
        assert np.isfinite(right).all()
