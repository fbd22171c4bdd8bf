"""Drift on Vulkan under validation: its graph, and plugins that come and go while it is played."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from renderwright.engine.testing import PlayedGame
from renderwright.games.drift import Drift

PLUGINS = ("bloom", "tonemap", "fxaa", "grading")
"""Those that need nothing but a picture."""


def press(game: PlayedGame, key: str) -> None:
    game.session.context.input.press(key)
    game.session.context.input.release(key)


@pytest.mark.vulkan
def test_its_frame_has_sprites_and_no_surfaces() -> None:
    with PlayedGame("drift", size=(96, 54)) as game:
        picture = game.picture(3)
        assert game.nodes >= {"picture", "world_sprites", "bloom/combine", "tonemap/tonemap", "hud"}
        assert not any("depth" in name or "gbuffer" in name for name in game.nodes)
    sun = picture[22:32, 43:53].mean(axis=(0, 1))
    assert sun.min() > 100
    assert sun[0] > sun[2] + 30, "warm"


@pytest.mark.vulkan
def test_plugins_come_and_go_in_mid_run_in_pairs() -> None:
    with PlayedGame("drift", size=(96, 54)) as game:
        plugins = game.session.plugins
        game.picture(2)
        press(game, "space")
        for first, second in combinations(PLUGINS, 2):
            for name in (first, second):
                (plugins.disable if plugins.is_enabled(name) else plugins.enable)(name)
                assert game.picture().std() > 1.0
        game.picture(20)
        played = game.session.runner.game
        assert isinstance(played, Drift)
        assert not played.on_title


@pytest.mark.vulkan
def test_players_and_eyes_come_and_go() -> None:
    with PlayedGame("drift", size=(96, 54), players=2) as game:
        press(game, "space")
        both = game.picture(12)
        game.session.plugins.enable("vr")
        assert not np.array_equal(game.picture(3), both)
        game.session.plugins.disable("vr")
        assert game.picture(3).std() > 1.0
