"""Frames of the game on devices: one view, a headset and samples, on both backends, under validation; pictures."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import numpy as np
import pytest

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.session import Session
from renderwright.games.gallery import Gallery
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from tests.playing import Picture, flip, frames_of

EXTENT = (64, 36)
BACKENDS: dict[str, Callable[[], Backend]] = {
    "vulkan": lambda: VulkanBackend(validate=True),
    "opengl": lambda: OpenGLBackend(validate=True),
}
MODES = {
    "one view": PluginChoice(),
    "vr": PluginChoice(enable=("vr",)),
    "samples": PluginChoice(enable=("ssaa",), settings=(SettingChange("ssaa", "samples", 4),)),
}

pytestmark = pytest.mark.vulkan


def played(make: Callable[[], Backend], choice: PluginChoice) -> Picture:
    with closing(make()) as backend:
        clock = FixedStepClock(Gallery.step, frame=Gallery.step)
        with closing(Session(Gallery, backend, EXTENT, choice=choice, strict=True, clock=clock)) as session:
            game = session.runner.game
            assert isinstance(game, Gallery)
            game.begin()
            frames_of(session, 1)
            game.walker.x, game.walker.z, game.walker.gaze.yaw = 1.0, 5.5, 0.2
            picture = frames_of(session, 2)[-1][..., :3]
        assert backend.validation_messages == []
    return picture


@pytest.mark.parametrize("mode", MODES)
def test_both_backends_draw_the_same_without_a_message(mode: str) -> None:
    ours, right = (played(BACKENDS[name], MODES[mode]) for name in ("opengl", "vulkan"))
    assert right.std() > 10.0, "there is something to see"
    assert flip(right, ours) < 0.03
    assert np.isfinite(right).all()
