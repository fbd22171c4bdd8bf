"""The file of preferences changes while a game runs."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from edited_plugins import NAME, EditedGame, PluginFiles

from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.plugins import PluginState
from renderwright.engine.reload import PreferencesPlace
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

STRONGER = "version: 1\nall_games:\n  edited: {settings: {strength: 0.75}}\n"
OFF = "version: 1\nall_games:\n  edited: {enabled: false}\n"


@pytest.fixture
def preferences(tmp_path: Path) -> Path:
    return tmp_path / "plugins.yaml"


def playing(backend: VulkanBackend, file: Path, choice: PluginChoice | None = None) -> EditedGame:
    place = PreferencesPlace(file, "empty", choice or PluginChoice())
    return EditedGame(backend, choice=choice, preferences=place)


def test_settings_follow_the_file(backend: VulkanBackend, files: PluginFiles, preferences: Path) -> None:
    with closing(playing(backend, preferences)) as game:
        before = game.frame()
        assert preferences.parent in game.watcher.folders
        game.edit(preferences, STRONGER)
        assert before not in game.frames(2)
        assert game.lines == ["reload: preferences: plugins.yaml in use"]
        game.edit(preferences, "version: 1\n")
        assert game.frames(2) == [before] * 2


def test_a_folder_of_preferences_that_does_not_exist_yet_is_watched(
    backend: VulkanBackend, files: PluginFiles, tmp_path: Path
) -> None:
    file = tmp_path / "config" / "renderwright" / "plugins.yaml"
    with closing(playing(backend, file)) as game:
        before = game.frame()
        assert file.parent.is_dir(), "nothing watches a folder that comes later"
        game.edit(file, OFF)
        assert before not in game.frames(2)


def test_plugins_are_switched(backend: VulkanBackend, files: PluginFiles, preferences: Path) -> None:
    with closing(playing(backend, preferences)) as game:
        before = game.frame()
        game.edit(preferences, OFF)
        off = game.frames(2)
        assert before not in off
        assert game.session.plugins.status(NAME).reason == "switched off in the preferences"
        preferences.unlink()
        game.watcher.tell(preferences)
        assert game.frames(2) == [before] * 2


def test_the_command_line_takes_precedence(backend: VulkanBackend, files: PluginFiles, preferences: Path) -> None:
    choice = PluginChoice(enable=(NAME,), settings=(SettingChange(NAME, "strength", 0.5),))
    with closing(playing(backend, preferences, choice)) as game:
        before = game.frame()
        game.edit(preferences, STRONGER.replace("settings:", "enabled: false, settings:"))
        assert game.frames(2) == [before] * 2


@pytest.mark.parametrize(
    ("text", "told"), [("version: 1\nall_games: [", "invalid"), (STRONGER.replace("0.75", "75"), "less than")]
)
def test_a_wrong_file_changes_nothing(
    backend: VulkanBackend, files: PluginFiles, preferences: Path, text: str, told: str
) -> None:
    with closing(playing(backend, preferences)) as game:
        before = game.frame()
        game.edit(preferences, text)
        assert game.frames(2) == [before] * 2
        assert told in game.notice
        game.edit(preferences, "version: 1\n")
        assert game.frames(2) == [before] * 2
        assert game.notice == ""


def test_a_plugin_that_fails_when_it_is_switched_on_is_off_again(
    backend: VulkanBackend, files: PluginFiles, preferences: Path
) -> None:
    preferences.write_text(OFF, encoding="utf-8")
    files.shader.write_text("nonsense", encoding="utf-8")
    with closing(
        EditedGame(
            backend,
            choice=PluginChoice(disable=(NAME,)),
            preferences=PreferencesPlace(preferences, "empty", PluginChoice()),
        )
    ) as game:
        before = game.frame()
        game.edit(preferences, "version: 1\n")
        assert game.frames(3) == [before] * 3
        assert "edited.frag" in game.notice
        assert game.session.plugins.status(NAME).state is PluginState.DISABLED
