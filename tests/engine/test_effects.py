"""What a game does with plugins: switching, settings before and after a plugin is imported, without a host."""

from __future__ import annotations

import re
import sys
from contextlib import closing
from types import SimpleNamespace

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


def _session(backend: NullBackend, *, strict: bool = False) -> Session:
    return Session(Plain, backend, (64, 36), strict=strict)


@pytest.mark.parametrize(("key", "value"), [("density", -5), ("densty", 0.1)])
def test_a_wrong_setting_of_an_imported_plugin_that_is_off_is_told_at_once(key: str, value: float) -> None:
    import renderwright.plugins.fog  # noqa: F401

    with closing(NullBackend()) as backend, closing(_session(backend)) as session:
        with pytest.raises(UsageError, match="density"):
            session.context.effects.set("fog", key, value)
        assert not session.context.effects.is_on("fog")


def test_a_setting_does_not_wait_for_a_plugin_whose_import_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    import renderwright.plugins.fog  # noqa: F401

    with closing(NullBackend()) as backend, closing(_session(backend)) as session:
        with monkeypatch.context() as patched:
            patched.setattr(session, "arrivals", SimpleNamespace(names=("fog",)))
            session.context.effects.set("fog", "density", 0.5)
        assert session.plugins.loaded("fog") is None
        session.context.effects.switch("fog", on=True)
        assert session.plugins.status("fog").settings.density == 0.5  # type: ignore[union-attr]


def test_a_wrong_setting_of_a_plugin_not_yet_imported_is_told_by_the_line_of_the_game(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(NullBackend()) as backend, closing(_session(backend)) as session:
        monkeypatch.delitem(sys.modules, "renderwright.plugins.fog", raising=False)
        session.context.effects.set("fog", "density", -5)
        session.context.effects.switch("fog", on=True)
        assert session.context.effects.is_on("fog")
    (text,) = [record.getMessage() for record in caplog.records if "fog.density" in record.getMessage()]
    assert re.match(r".*test_effects\.py:\d+: a setting of the game is left out: fog\.density cannot be -5", text)
    assert "plugins reset" not in text, "nothing is remembered"


def test_a_wrong_setting_of_a_plugin_not_yet_imported_is_an_error_if_strict(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(NullBackend()) as backend, closing(_session(backend, strict=True)) as session:
        monkeypatch.delitem(sys.modules, "renderwright.plugins.fog", raising=False)
        session.context.effects.set("fog", "density", -5)
        with pytest.raises(UsageError, match=r"fog\.density cannot be -5") as caught:
            session.context.effects.switch("fog", on=True)
    assert caught.value.where is not None
    assert caught.value.where.file == __file__


def test_without_a_host_it_is_remembered() -> None:
    effects = GameContext().effects
    assert isinstance(effects, NoEffects)
    effects.switch("fog", on=True)
    effects.set("fog", "density", 0.5)
    assert effects.is_on("fog")
    assert effects.settings == {("fog", "density"): 0.5}
    effects.switch("fog", on=False)
    assert not effects.is_on("fog")
