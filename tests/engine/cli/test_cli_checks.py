"""Options of ``play`` that look for faults, and the exit code of what they find."""

from __future__ import annotations

import pytest

from renderwright.engine import app
from renderwright.engine.cli import main
from renderwright.engine.options import PlayOptions
from renderwright.render.errors import CheckError, PluginError
from renderwright.render.runtime.checks.level import CheckLevel


@pytest.mark.parametrize(
    ("arguments", "level"),
    [
        ((), None),
        (("--check",), CheckLevel.COMMANDS),
        (("--check", "nan"), CheckLevel.NAN),
        (("--check-values",), CheckLevel.NAN),
        (("--check", "--check-values"), CheckLevel.NAN),
    ],
)
def test_levels(arguments: tuple[str, ...], level: CheckLevel | None, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[PlayOptions] = []
    monkeypatch.setattr(app, "play", lambda options: played.append(options) or 0)
    assert main(["play", "marbles", *arguments]) == 0
    assert [options.check for options in played] == [level]


@pytest.mark.parametrize("by_plugin", [False, True])
def test_a_finding_that_ends_the_game_has_a_code_of_its_own(
    by_plugin: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def found(options: PlayOptions) -> int:
        finding = CheckError("a node makes NaN")
        if not by_plugin:
            raise finding
        raise PluginError('plugin "mist" has failed: a node makes NaN') from finding

    monkeypatch.setattr(app, "play", found)
    assert main(["play", "marbles", "--check-values", "--strict"]) == 1
    assert "a node makes NaN" in capsys.readouterr().err


def test_other_failures_of_plugins_keep_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(options: PlayOptions) -> int:
        raise PluginError("a plugin has failed") from ValueError("no light")

    monkeypatch.setattr(app, "play", fails)
    assert main(["play", "marbles", "--strict"]) == 2
