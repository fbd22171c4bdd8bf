"""``renderwright plugins enable``, ``disable``, ``set``, ``reset`` and ``info``, and games that heed them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from renderwright import engine
from renderwright.engine.cli import main
from renderwright.engine.options import PlayOptions, PluginChoice, SettingChange

INTENSITY = SettingChange("bloom", "intensity", 0.25)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of preferences, which does not exist yet."""
    monkeypatch.setenv("RENDERWRIGHT_CONFIG_DIR", str(tmp_path / "config"))
    return tmp_path / "config" / "plugins.yaml"


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[PlayOptions]:
    """Puts an application in place that only notes how it was called."""
    calls: list[PlayOptions] = []
    module = SimpleNamespace(play=lambda options: calls.append(options) or 0)
    monkeypatch.setitem(sys.modules, "renderwright.engine.app", module)
    monkeypatch.setattr(engine, "app", module, raising=False)
    return calls


@pytest.fixture
def sour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An installed plugin that must not be imported."""
    info = tmp_path / "site" / "sour-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sour\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[renderwright]\nsour = sour_plugin\n")
    (tmp_path / "site" / "sour_plugin.py").write_text("raise AssertionError('sour is imported')\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    return "sour"


def _run(line: str) -> None:
    assert main(line.split()) == 0


def test_games_have_what_the_commands_remember(
    file: Path, played: list[PlayOptions], capsys: pytest.CaptureFixture[str]
) -> None:
    _run("plugins enable fog")
    _run("plugins disable shadows --game marbles")
    _run("plugins set bloom.intensity=0.25 --game marbles")
    assert capsys.readouterr().out == (
        "fog is on in all games.\nshadows is off in marbles.\nbloom.intensity is 0.25 in marbles.\n"
    )
    _run("play marbles")
    assert played[0].plugins == PluginChoice(("fog",), ("shadows",), (), (INTENSITY,))
    assert capsys.readouterr().err == (
        f"Preferences: fog on, shadows off, 1 setting ({file}; --no-preferences plays without them).\n"
    )
    _run("play package.other:Game")
    assert played[1].plugins == PluginChoice(("fog",))


def test_the_command_line_precedes_preferences_and_can_ignore_them(
    file: Path, played: list[PlayOptions], capsys: pytest.CaptureFixture[str]
) -> None:
    _run("plugins enable fog")
    _run("plugins disable bloom")
    _run("play marbles --enable bloom --disable fog")
    assert played[0].plugins == PluginChoice(("bloom",), ("fog",))
    capsys.readouterr()
    _run("play marbles --no-preferences")
    assert played[1] == PlayOptions("marbles")
    assert capsys.readouterr().err == ""


def test_a_game_without_preferences_says_nothing_and_writes_nothing(
    file: Path, played: list[PlayOptions], capsys: pytest.CaptureFixture[str]
) -> None:
    _run("play marbles")
    assert (played, capsys.readouterr().err) == ([PlayOptions("marbles")], "")
    assert not file.parent.exists()


def test_a_malformed_file_is_a_warning_for_games_and_an_error_for_changes(
    file: Path, played: list[PlayOptions], capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    file.parent.mkdir()
    file.write_text("version: 1\nall_games:\n  fog: {enabled: perhaps}\n")
    _run("play marbles")
    assert played == [PlayOptions("marbles")]
    (record,) = [record for record in caplog.records if record.name == "renderwright.preferences"]
    assert f"{file}:3:18: " in record.getMessage()
    assert main(["plugins", "enable", "fog"]) == 2
    assert "correct the file, or forget all preferences with: renderwright plugins reset" in capsys.readouterr().err
    assert "perhaps" in file.read_text(), "a file with a mistake is not overwritten"
    _run("plugins reset")
    _run("plugins enable fog")
    _run("play marbles")
    assert played[1].plugins == PluginChoice(("fog",))


def test_what_is_forgotten_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run("plugins reset fog")
    everywhere = "those for all games and those of each game"
    assert capsys.readouterr().out == f"The preferences for fog, {everywhere}, are forgotten.\n"
    _run("plugins reset fog --game marbles")
    assert capsys.readouterr().out == "The preferences for fog in marbles are forgotten.\n"


def test_preferences_are_forgotten(file: Path, played: list[PlayOptions]) -> None:
    for line in ("enable fog", "disable bloom --game marbles", "enable taa --game marbles"):
        _run(f"plugins {line}")
    _run("plugins reset bloom --game marbles")
    _run("play marbles")
    assert played[0].plugins == PluginChoice(("fog", "taa"))
    _run("plugins reset --game marbles")
    _run("play marbles")
    assert played[1].plugins == PluginChoice(("fog",))
    _run("plugins reset")
    _run("play marbles")
    assert played[2].plugins == PluginChoice()


def test_a_game_with_another_preference_of_its_own_is_named(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run("plugins disable fog --game marbles")
    _run("plugins enable fog")
    assert "It stays off in marbles; renderwright plugins reset fog --game marbles" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("enable fgo", 'unknown plugin "fgo"'),
        ("disable fgo", 'did you mean "fog"?'),
        ("enable fog --game marble", 'unknown game "marble"'),
        ("set bloom.intensity=7", "bloom.intensity cannot be '7'"),
        ("set bloom.intensty=0.1", 'did you mean "intensity"?'),
        ("set bloom=1", '"bloom=1" is not a setting'),
        ("info fgo", 'did you mean "fog"?'),
    ],
)
def test_mistakes_are_named_and_change_nothing(
    file: Path, line: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plugins", *line.split()]) == 2
    assert words in capsys.readouterr().err
    assert not file.exists()


def test_several_settings_are_set_at_once_or_not_at_all(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugins", "set", "bloom.intensity=0.25", "fog.density=thick"]) == 2
    assert "fog.density cannot be 'thick'" in capsys.readouterr().err
    assert not file.exists()
    _run("plugins set bloom.intensity=0.25 bloom.levels=3 fog.density=0.5 --game marbles")
    assert capsys.readouterr().out == (
        "bloom.intensity is 0.25 in marbles.\nbloom.levels is 3 in marbles.\nfog.density is 0.5 in marbles.\n"
    )
    text = file.read_text()
    assert all(line in text for line in ("intensity: 0.25", "levels: 3", "density: 0.5"))


@pytest.mark.parametrize("option", ["", " --game marbles"])
def test_retry_names_the_command_that_switches_a_plugin_on(
    option: str, file: Path, sour: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(f"plugins disable sour{option}")
    capsys.readouterr()
    assert main(["plugins", "retry", "sour", "--game", "marbles"]) == 1
    told = capsys.readouterr().out.strip()
    assert told == f"sour is switched off; renderwright plugins enable sour{option}"
    _run(told.partition("; renderwright ")[2])
    assert "enabled: true" in file.read_text()
    assert "enabled: false" not in file.read_text()


def test_a_plugin_is_never_imported_to_be_switched_off(
    file: Path, sour: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(f"plugins disable {sour}")
    _run("plugins list")
    assert "sour 1.0 of sour, disabled: switched off in the preferences" in capsys.readouterr().out
    assert "sour_plugin" not in sys.modules
    _run(f"plugins reset {sour}")
    _run("plugins list")
    assert "sour is imported" in capsys.readouterr().out


def test_info_tells_origin_hooks_settings_and_resources(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run("plugins set bloom.intensity=0.25")
    capsys.readouterr()
    _run("plugins info bloom --json")
    info = json.loads(capsys.readouterr().out)
    assert (info["state"], info["reason"], info["api"], info["distribution"]) == ("enabled", "", "1", "renderwright")
    assert Path(info["file"]).parts[-3:] == ("plugins", "bloom", "__init__.py")
    assert info["hooks"] == ["renderwright_info", "renderwright_nodes", "renderwright_settings"]
    (intensity,) = [setting for setting in info["settings"] if setting["key"] == "intensity"]
    assert (intensity["minimum"], intensity["maximum"], intensity["value"]) == (0, 1, 0.25)
    nodes = {node["name"]: node for node in info["nodes"]}
    assert nodes["bloom/down1"]["creates"] == ["bloom/light"]
    assert nodes["bloom/down2"]["modifies"] == ["bloom/light"]
    assert nodes["bloom/combine"] == {
        "name": "bloom/combine",
        "present": True,
        "creates": [],
        "modifies": [],
        "reads": ["bloom/light"],
        "histories": [],
        "chains": ["post_hdr"],
        "reason": "",
    }
    _run("plugins info bloom")
    text = capsys.readouterr().out
    assert text.startswith("bloom 0.1.0, enabled in marbles\n")
    assert "  intensity: number, 0 to 1, default 0.08, now 0.25 - " in text
    assert "  bloom/combine\n    reads     bloom/light\n    in chain  post_hdr\n" in text


def test_a_history_is_no_read(capsys: pytest.CaptureFixture[str]) -> None:
    _run("plugins info taa")
    text = capsys.readouterr().out
    assert "  taa/jitter\n    creates   taa/sample\n    modifies  camera\n    histories sample\n" in text


def test_info_says_why_a_plugin_is_off(
    file: Path, sour: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _run("plugins info sour")
    assert "  ! " in (text := capsys.readouterr().out)
    assert text.startswith("sour 1.0, broken in marbles\n")
    assert "sour is imported" in text
    _run("plugins disable fog")
    capsys.readouterr()
    _run("plugins info fog")
    assert capsys.readouterr().out.startswith(
        "fog 0.1.0, disabled in marbles\n  ! switched off in the preferences\n  Fog that"
    )
    monkeypatch.setenv("RENDERWRIGHT_BLOCK_PLUGINS", "fog")
    _run("plugins info fog")
    assert "  ! blocked by RENDERWRIGHT_BLOCK_PLUGINS\n" in capsys.readouterr().out
