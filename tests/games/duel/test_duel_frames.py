"""Frames of the game on devices: 1, 2 and 4 views and a headset, on both backends, under validation; toggles."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.options import PluginChoice
from renderwright.engine.session import Session
from renderwright.games.duel import Duel
from renderwright.games.duel.match import Phase
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from tests.playing import SHADERS, SMALL_SHADOWS, Picture, flip, frames_of

EXTENT = (128, 72)
MODES = {
    "one view": (1, ()),
    "two views": (2, ("split_screen",)),
    "four views": (4, ("split_screen",)),
    "vr": (1, ("vr",)),
}

pytestmark = pytest.mark.vulkan


def in_action(backend: Backend, players: int, plugins: tuple[str, ...], without: tuple[str, ...] = ()) -> Session:
    """A fight that has gone on for some seconds, without a frame so far."""
    choice = PluginChoice(enable=plugins, disable=without, remembered=SMALL_SHADOWS)
    clock = FixedStepClock(Duel.step, frame=Duel.step)
    session = Session(
        Duel, backend, EXTENT, choice=choice, strict=True, clock=clock, players=players, seed=4, shaders=SHADERS
    )
    match = session.runner.game.match  # type: ignore[attr-defined]
    match.start()
    for _ in range(round(6.0 / Duel.step)):
        session.step()
    assert match.phase is Phase.FIGHT
    for number, tank in enumerate(match.tanks):
        tank.armour, tank.shock = 100.0 if number else 20.0, 0.0
    return session


def played(backend: Backend) -> dict[str, Picture]:
    """One fight in all modes, one after another."""
    pictures, on = {}, set()
    with closing(in_action(backend, 1, ())) as session:
        for mode, (players, plugins) in MODES.items():
            for plugin in on ^ set(plugins):
                session.toggle(plugin)
            session.context.players, on = players, set(plugins)
            pictures[mode] = frames_of(session, 3)[-1][..., :3]
        assert session.runner.game.match.phase is Phase.FIGHT  # type: ignore[attr-defined]
    return pictures


def test_both_backends_draw_the_same_without_a_message(backend: VulkanBackend) -> None:
    with closing(OpenGLBackend(validate=True)) as opengl:
        ours = played(opengl)
        assert opengl.validation_messages == []
    for mode, right in played(backend).items():
        assert right.std() > 10.0, "there is something to see"
        assert flip(right, ours[mode]) < 0.02, mode


def test_plugins_come_and_go_in_mid_run(backend: VulkanBackend) -> None:
    with closing(in_action(backend, 2, ("split_screen",))) as session:
        whole = frames_of(session, 2)[-1]
        for plugin in Duel.plugins:
            session.plugins.disable(plugin)
            frames_of(session, 1)
            session.plugins.enable(plugin)
            frames_of(session, 1)
        assert frames_of(session, 1)[-1].std() > 0.3 * whole.std()


def test_the_visor_reddens_the_picture_of_the_damaged_player_alone(backend: VulkanBackend) -> None:
    with closing(in_action(backend, 2, ("split_screen",), without=("taa",))) as session:
        frames_of(session, 1)
        session.plugins.disable("visor")
        without = frames_of(session, 2, still=True)[-1].astype(int)
        session.plugins.enable("visor")
        with_it = frames_of(session, 2, still=True)[-1].astype(int)
    half = EXTENT[0] // 2
    changed = np.abs(with_it - without)[..., :3].max(axis=2) > 8
    assert changed[:, :half].mean() > 0.1
    assert changed[:, half + 2 :].mean() < 0.02
