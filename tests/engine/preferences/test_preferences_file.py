"""The file of preferences: where it is, what it keeps, and what it refuses."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from renderwright.engine.preferences import (
    PluginPreference,
    Preferences,
    load_preferences,
    preferences_file,
    save_preferences,
)
from renderwright.engine.preferences.file import MAX_BYTES, _yaml, parse_preferences
from renderwright.render.errors import UsageError

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs", "Cc"]))
    | st.sampled_from(["1e3", "no", "~", "0x1F", ".5", "nan", ".nan", "1_000", "a: b", "#", "on", "\n", "\ttab"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "1e3", "true"]), inner),
    max_leaves=5,
)


def _preferences(value: Any) -> Preferences:
    return Preferences(version=1, all_games={"fog": PluginPreference(enabled=True, settings={"key": value})})


def test_the_folder_is_the_variables_or_the_platforms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert preferences_file() == Path(os.devnull) / "plugins.yaml", "the tests have none"
    monkeypatch.setenv("RENDERWRIGHT_CONFIG_DIR", str(tmp_path))
    assert preferences_file() == tmp_path / "plugins.yaml"
    monkeypatch.delenv("RENDERWRIGHT_CONFIG_DIR")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    assert preferences_file() == tmp_path / "xdg" / "renderwright" / "plugins.yaml"


@given(VALUES)
@example(float("inf"))
def test_every_value_of_a_setting_comes_back(value: Any) -> None:
    preferences = _preferences(value)
    assert parse_preferences(_yaml(preferences), "f") == preferences


def test_a_file_is_written_whole_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "new" / "plugins.yaml"
    assert load_preferences(file) == Preferences(version=1)
    save_preferences(file, _preferences([1.5, "two"]))
    assert load_preferences(file) == _preferences([1.5, "two"])
    assert [each.name for each in file.parent.iterdir()] == ["plugins.yaml"]


@pytest.mark.parametrize("value", [10**50, "x" * MAX_BYTES], ids=["a long number", "a long text"])
def test_a_value_that_the_file_cannot_hold_leaves_the_file_as_it_was(tmp_path: Path, value: Any) -> None:
    file = tmp_path / "plugins.yaml"
    save_preferences(file, _preferences(1))
    before = file.read_bytes()
    with pytest.raises(UsageError, match="would not hold these values"):
        save_preferences(file, _preferences(value))
    assert file.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(UsageError, match="cannot be written") as caught:
        save_preferences(tmp_path / "taken" / "plugins.yaml", Preferences(version=1))
    assert str(tmp_path / "taken") in str(caught.value)
    assert "RENDERWRIGHT_CONFIG_DIR" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "1:1", "the file is empty"),
        ("- fog\n", "1:1", "the file"),
        ("all_games: {}\n", "1:1", "version"),
        ("version: 2\n", "1:10", "version"),
        ("version: 1\ngame: {}\n", "2:1", 'unknown key "game"; did you mean "games"?'),
        ("version: 1\nall_games:\n  fog: {enable: true}\n", "3:9", 'unknown key "enable"; did you mean "enabled"?'),
        ("version: 1\nall_games:\n  fog: {enabled: 1}\n", "3:18", '"all_games.fog.enabled"'),
        ("version: 1\nall_games:\n  fog: on\n", "3:8", '"all_games.fog"'),
        ('version: 1\nall_games:\n  "\\e[2J": {}\n', "3:", '"all_games.\\u001b[2J.[key]"'),
        ('version: 1\n"\\a": {}\n', "2:1", 'unknown key "\\u0007"'),
        ("version: 1\nall_games: [\n", "3:1", "not valid YAML"),
        ("version: 1\nall_games: &a {}\n", "2:12", "anchors are not allowed"),
        ("version: 1\nall_games: " + "{a: " * 40 + "}" * 40, "2:", "nested more than 32 levels deep"),
    ],
)
def test_a_malformed_file_is_told_by_line_with_a_way_out(tmp_path: Path, text: str, place: str, words: str) -> None:
    file = tmp_path / "plugins.yaml"
    file.write_text(text)
    with pytest.raises(UsageError) as caught:
        load_preferences(file)
    assert words in caught.value.message
    assert str(caught.value.where).startswith(f"{file}:{place}")
    assert "renderwright plugins reset" in caught.value.hint


def test_a_file_that_is_too_large_or_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "plugins.yaml"
    file.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(UsageError, match="larger than 1 MiB"):
        load_preferences(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read"):
        load_preferences(file)
    os.remove(file)
    os.mkfifo(file)
    with pytest.raises(UsageError, match="FIFO"):
        load_preferences(file)
