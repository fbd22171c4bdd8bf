"""What a message about a plugin that is not installed says to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.engine.cli import main
from renderwright.engine.plugins.unknown import unknown_plugin

KNOWN = ("bloom", "fog", "taa")


def test_the_nearest_name_is_offered() -> None:
    error = unknown_plugin("blom", KNOWN)
    assert (error.message, error.hint) == ('unknown plugin "blom"', 'did you mean "bloom"?')


@pytest.mark.parametrize(("name", "listed"), [("ghosts taa", "ghosts,taa"), (" fog;  taa ", "fog,taa")])
def test_several_names_without_commas_are_told_how_to_be_separated(name: str, listed: str) -> None:
    assert unknown_plugin(name, KNOWN).hint == f"separate names by commas: {listed}"


def test_a_package_that_lies_in_the_working_folder_is_told_to_be_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "plugin", "fresh"]) == 0
    assert unknown_plugin("fresh", KNOWN).hint == "install the package in ./fresh: pip install -e ./fresh"
    (tmp_path / "other").mkdir()
    (tmp_path / "fresh").rename(tmp_path / "stale")
    assert unknown_plugin("stale", KNOWN).hint == "known: bloom, fog, taa"
    assert unknown_plugin("other", KNOWN).hint == "known: bloom, fog, taa"
    (tmp_path / "other" / "pyproject.toml").write_text("[project")
    assert unknown_plugin("other", KNOWN).hint == "known: bloom, fog, taa"
