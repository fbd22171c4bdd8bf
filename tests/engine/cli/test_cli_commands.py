"""``renderwright plugins``, ``info`` and ``graph``, run as a person runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from renderwright.engine.cli import main, tried_plugins
from renderwright.engine.machine import Tool, find_tool, package_versions
from renderwright.engine.plugin_trial import Trial
from renderwright.engine.plugins import PluginState, PluginStatus

REPOSITORY = Path(__file__).parents[3]


def test_plugins_list_shows_state_version_and_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugins", "list", "--json"]) == 0
    plugins = {plugin["name"]: plugin for plugin in json.loads(capsys.readouterr().out)}
    assert {"bloom", "shadows", "tonemap"} <= set(plugins)
    bloom = plugins["bloom"]
    assert (bloom["state"], bloom["reason"], bloom["distribution"]) == ("enabled", "", "renderwright")
    assert bloom["settings"]
    assert {"key", "type", "default", "minimum", "maximum"} <= set(bloom["settings"][0])
    assert main(["plugins", "list", "--all"]) == 0
    table = capsys.readouterr().out
    for name in ("bloom", "shadows", "tonemap"):
        assert re.search(rf"^{name} \S+ of renderwright, enabled$", table, re.MULTILINE)
    assert "    dither: boolean, default true - " in table


def test_plugins_list_wraps_a_long_reason_below_its_plugin(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = f"/{'deep/' * 30}plugin.py:12:"
    reason = f"{file} `bloom/node` removed: it needs `hdrr`, {'and more, ' * 12}which nobody creates\n  next step"
    off = PluginStatus("bloom", PluginState.AVAILABLE)
    monkeypatch.setattr(
        tried_plugins, "try_plugin", lambda game, plugin, choice, found: Trial(off, reason if plugin == "bloom" else "")
    )
    assert main(["plugins", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("bloom "))
    assert lines[start].endswith(", available, but not in the frame:")
    assert lines[start + 1] == f"  ! {file}"
    assert all(len(line) <= 100 for line in lines[start + 2 : start + 6])
    assert "    next step" in lines[start + 2 : start + 6]


def test_an_installation_alone_has_nothing_to_complain_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugins", "list"]) == 0
    listed = capsys.readouterr().out
    assert "!" not in listed
    assert re.search(r"^visor \S+ of renderwright, available in its own game, duel$", listed, re.MULTILINE)
    assert main(["plugins", "list", "--json"]) == 0
    own_games = {plugin["name"]: plugin["own_game"] for plugin in json.loads(capsys.readouterr().out)}
    assert {name for name, game in own_games.items() if game} == {"visor"}


def test_a_plugin_of_a_game_is_listed_as_any_other_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugins", "list", "--game", "duel"]) == 0
    assert re.search(r"^visor \S+ of renderwright, enabled$", capsys.readouterr().out, re.MULTILINE)


def test_a_plugin_that_fails_in_its_own_game_too_is_told_of(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = Trial(PluginStatus("visor", PluginState.AVAILABLE), "it needs `hdrr`")
    monkeypatch.setattr(tried_plugins, "try_plugin", lambda game, plugin, choice=None, found=(): trial)
    assert main(["plugins", "list"]) == 0
    assert re.search(r"^visor \S+ of renderwright, available: it needs `hdrr`$", capsys.readouterr().out, re.MULTILINE)


def test_plugins_list_says_what_the_environment_blocks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RENDERWRIGHT_BLOCK_PLUGINS", "bloom")
    assert main(["plugins", "list", "--json"]) == 0
    (bloom,) = (plugin for plugin in json.loads(capsys.readouterr().out) if plugin["name"] == "bloom")
    assert (bloom["state"], bloom["reason"]) == ("disabled", "blocked by RENDERWRIGHT_BLOCK_PLUGINS")
    assert bloom["settings"] == []


def test_info_shows_devices_tools_and_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info"]) == 0
    text = capsys.readouterr().out
    for words in (
        "Vulkan devices",
        "queues",
        "VK_LAYER_KHRONOS_validation",
        "OpenGL 4.5",
        "glslc",
        "spirv-cross",
        "numpy",
    ):
        assert words in text


@pytest.mark.vulkan
def test_info_without_a_driver_says_how_to_get_one() -> None:
    environment = {**os.environ, "VK_DRIVER_FILES": "/nonexistent.json", "VK_ICD_FILENAMES": "/nonexistent.json"}
    done = subprocess.run(
        [sys.executable, "-m", "renderwright.engine.cli", "info"],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert "mesa-vulkan-drivers" in done.stdout
    assert "games are played on opengl, because there is no Vulkan driver on this machine" in done.stdout


def test_a_missing_tool_is_found_missing() -> None:
    assert find_tool(Tool("no-such-tool-anywhere", "nothing", "none")).path == ""
    python = find_tool(Tool(sys.executable, "runs this", "python3"))
    assert python.version.startswith("Python 3.")


def test_package_versions_leave_out_the_development_extras() -> None:
    versions = dict(package_versions())
    assert versions["numpy"]
    assert "pytest" not in versions
    assert package_versions("no-such-distribution") == (("no-such-distribution", ""),)


@pytest.mark.parametrize(
    ("form", "words"), [("text", "[present]"), ("json", "{"), ("dot", "digraph"), ("mermaid", "flowchart")]
)
def test_graph_prints_a_shipped_skeleton_in_every_format(
    form: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    skeleton = REPOSITORY / "skeleton_graphs" / "deferred.yaml"
    assert main(["graph", str(skeleton), "--format", form, "--size", "320x180"]) == 0
    text = capsys.readouterr().out
    assert words in text
    if form == "json":
        json.loads(text)


@pytest.mark.parametrize("command", [("graph", "marbles"), ("plugins", "list")])
def test_a_misspelt_name_in_the_block_list_is_one_warning(
    command: tuple[str, ...], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENDERWRIGHT_BLOCK_PLUGINS", "tonempa,fog,foog,not-installed")
    assert main(list(command)) == 0
    warnings = [record.getMessage() for record in caplog.records if "BLOCK_PLUGINS" in record.getMessage()]
    assert warnings == [
        'RENDERWRIGHT_BLOCK_PLUGINS names a plugin that is not installed: "tonempa"\n  did you mean "tonemap"?'
    ]
