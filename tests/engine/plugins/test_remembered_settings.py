"""Remembered values of settings: plugins start with them, whenever they start."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from plugin_samples import Glow, GlowSettings, Plain, host_of
from pydantic import BaseModel, Field, computed_field

from renderwright.engine.cli.tried_plugins import TriedPlugins
from renderwright.engine.options import SettingChange
from renderwright.engine.plugins import PluginState, hookimpl


class StrictSettings(BaseModel, extra="forbid"):
    """Takes no field that it does not declare, and has a value that is computed from one that it does."""

    half_life: float = Field(0.5, gt=0)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def rate(self) -> float:
        return 1.0 / self.half_life


class Strict:
    @hookimpl
    def renderwright_settings(self) -> type[StrictSettings]:
        return StrictSettings


AMOUNT = SettingChange("glow", "amount", 0.25)


def test_a_plugin_starts_with_its_remembered_values_also_later() -> None:
    host = host_of({"glow": Glow(), "plain": Plain()}, remembered=[AMOUNT, SettingChange("glow", "blurs", 2)])
    host.start(["plain"])
    assert host.status("glow").settings is None, "it is not imported for a setting"
    status = host.enable("glow")
    assert status.settings == GlowSettings(amount=0.25, blurs=2)
    assert status.nodes == ("glow/extract", "glow/blur0", "glow/blur1")


def test_a_change_precedes_a_remembered_value() -> None:
    host = host_of({"glow": Glow()}, remembered=[AMOUNT])
    host.enable("glow")
    assert host.set("glow", "amount", "0.75").settings == GlowSettings(amount=0.75)


@pytest.mark.parametrize("change", [SettingChange("glow", "amount", 7), SettingChange("glow", "gone", 1)])
def test_a_value_that_is_no_longer_valid_is_left_out_with_a_warning(
    change: SettingChange, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        host = host_of({"glow": Glow()}, remembered=[change, AMOUNT], strict=True)
        status = host.enable("glow")
    assert (status.state, status.settings) == (PluginState.ENABLED, GlowSettings(amount=0.25))
    (record,) = caplog.records
    assert "renderwright plugins reset glow forgets it" in record.getMessage()
    assert list(host.remembered) == [change, AMOUNT]
    assert host.left_out == [change]


def test_an_invalid_value_is_told_once_by_what_tries_a_plugin_in_a_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("RENDERWRIGHT_CONFIG_DIR", str(tmp_path))
    (tmp_path / "plugins.yaml").write_text("version: 1\nall_games:\n  fog:\n    settings: {densty: 0.5}\n")
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        assert TriedPlugins("drift").tried("fog").status.settings is not None
    (record,) = caplog.records
    assert "renderwright plugins reset fog forgets it" in record.getMessage()


def test_an_invalid_value_of_a_plugin_of_the_game_is_told_once_for_all_that_are_tried(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("RENDERWRIGHT_CONFIG_DIR", str(tmp_path))
    (tmp_path / "plugins.yaml").write_text("version: 1\nall_games:\n  tonemap:\n    settings: {exposre: 0.5}\n")
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        tried = TriedPlugins("drift")
        faults = [tried.tried(name).fault for name in ("bloom", "grading", "tonemap", "fxaa")]
    assert faults == ["", "", "", ""]
    (record,) = caplog.records
    assert "renderwright plugins reset tonemap forgets it" in record.getMessage()


def test_a_plugin_without_settings_ignores_them_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        host_of({"plain": Plain()}, remembered=[SettingChange("plain", "amount", 1)]).enable("plain")
    assert 'plugin "plain" has no settings' in caplog.text


def test_settings_that_forbid_other_fields_outlive_a_value_that_is_gone(caplog: pytest.LogCaptureFixture) -> None:
    remembered = [SettingChange("strict", "gone", 1), SettingChange("strict", "half_life", 0.25)]
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        status = host_of({"strict": Strict()}, remembered=remembered, strict=True).enable("strict")
    assert (status.state, status.settings) == (PluginState.ENABLED, StrictSettings(half_life=0.25))
    assert ['has no setting "gone"' in record.getMessage() for record in caplog.records] == [True]
