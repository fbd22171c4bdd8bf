"""What a game does with plugins: switching, settings before and after a plugin is imported, without a host."""

from __future__ import annotations

from contextlib import closing

import pytest

from renderwright.engine import Game, GameContext
from renderwright.engine.effects import NoEffects
from renderwright.engine.session import Session
from renderwright.render.backend.null import NullBackend
from renderwright.render.errors import UsageError


class Plain(Game):
    plugins = ("bloom",)


def test_a_game_switches_plugins_and_changes_their_settings() -> None:
    with closing(NullBackend()) as backend, closing(Session(Plain, backend, (64, 36))) as session:
        effects = session.context.effects
        assert (effects.is_on("bloom"), effects.is_on("fog")) == (True, False)
        effects.set("bloom", "levels", 3)
        effects.set("fog", "density", 0.5)
        effects.switch("fog", on=True)
        effects.switch("fog", on=True)
        effects.switch("bloom", on=False)
        assert (effects.is_on("bloom"), effects.is_on("fog")) == (False, True)
        assert session.plugins.status("fog").settings.density == 0.5  # type: ignore[union-attr]
        effects.set("fog", "density", 0.25)
        effects.switch("bloom", on=True)
        assert session.plugins.status("fog").settings.density == 0.25  # type: ignore[union-attr]
        assert session.plugins.status("bloom").settings.levels == 3  # type: ignore[union-attr]


def test_mistakes_are_told() -> None:
    with closing(NullBackend()) as backend, closing(Session(Plain, backend, (64, 36))) as session:
        effects = session.context.effects
        with pytest.raises(UsageError, match="unknown plugin"):
            effects.set("blom", "levels", 3)
        with pytest.raises(UsageError, match=r"bloom\.levels cannot be 99"):
            effects.set("bloom", "levels", 99)


def test_without_a_host_it_is_remembered() -> None:
    effects = GameContext().effects
    assert isinstance(effects, NoEffects)
    effects.switch("fog", on=True)
    effects.set("fog", "density", 0.5)
    assert effects.is_on("fog")
    assert effects.settings == {("fog", "density"): 0.5}
    effects.switch("fog", on=False)
    assert not effects.is_on("fog")
