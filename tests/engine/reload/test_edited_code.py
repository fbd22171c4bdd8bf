"""Python of a plugin that is edited while a game runs."""

from __future__ import annotations

import sys
from contextlib import closing

import pytest
from edited_plugins import MODULE, NAME, PYTHON, SHADER, EditedGame, PluginFiles

from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.plugins import PluginState
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

DEFAULT = PYTHON.replace("Field(0.25", "Field(0.75")
BOUND = PYTHON.replace("le=1.0", "le=0.3")
RAISES_IN_EXECUTE = PYTHON.replace("lambda cmd: cmd.draw(pipeline)", "lambda cmd: cmd.draw(missing)")
RAISES_IN_DECLARE = PYTHON.replace("    reg.stable()", "    reg.stabel()")
RAISES_IN_HOOK = PYTHON.replace("    graph.add_node(", "    graph.add_nodes(")
RAISES_IN_IMPORT = PYTHON.replace("import BaseModel", "import BaseModels")
NO_PYTHON = PYTHON.replace("def lighten(", "deff lighten(")
WRONG_LINE = NO_PYTHON[: NO_PYTHON.index("deff")].count("\n") + 1
OTHER_SHADER = PYTHON.replace("edited.frag", "missing.frag")
UNKNOWN_CHAIN = PYTHON.replace('"post_hdr"', '"post_hrd"')
UNKNOWN_RESOURCE = PYTHON.replace("    reg.stable()", '    reg.read("nowhere").sampled()')
RENAMED = PYTHON.replace('"settings", settings', '"knobs", settings')


def test_changed_code_is_in_the_next_frame(game: EditedGame, files: PluginFiles) -> None:
    before = game.frame()
    game.edit(files.python, DEFAULT)
    assert before not in game.frames(2)
    assert game.lines == ["reload: edited: __init__.py in use"]
    game.edit(files.python, PYTHON)
    assert game.frames(2) == [before] * 2


def test_settings_are_carried_over(game: EditedGame, files: PluginFiles) -> None:
    game.frame()
    game.session.plugins.set(NAME, "strength", 0.5)
    before = game.frame()
    game.edit(files.python, PYTHON.replace("class Settings", "class Knobs").replace("Settings", "Knobs"))
    assert game.frames(2) == [before] * 2
    assert game.session.plugins.status(NAME).settings.model_dump() == {"strength": 0.5}
    game.edit(files.python, BOUND)
    assert before not in game.frames(2)
    assert game.session.plugins.status(NAME).settings.model_dump() == {"strength": 0.25}
    assert "edited.strength cannot be 0.5" in game.lines[-1]


def test_a_remembered_value_that_was_invalid_is_used_once_the_code_takes_it(
    backend: VulkanBackend, files: PluginFiles
) -> None:
    files.python.write_text(BOUND, encoding="utf-8")
    choice = PluginChoice(remembered=(SettingChange(NAME, "strength", 0.5),))
    with closing(EditedGame(backend, choice=choice)) as game:
        before = game.frame()
        game.edit(files.python, PYTHON)
        assert before not in game.frames(2)
        assert game.session.plugins.status(NAME).settings.model_dump() == {"strength": 0.5}
        game.session.plugins.set(NAME, "strength", 0.75)
        game.edit(files.python, PYTHON.replace("User settings", "Settings of the user"))
        game.frames(2)
        assert game.session.plugins.status(NAME).settings.model_dump() == {"strength": 0.75}


def test_a_value_that_was_set_precedes_a_remembered_one_that_was_invalid(
    backend: VulkanBackend, files: PluginFiles
) -> None:
    files.python.write_text(BOUND, encoding="utf-8")
    choice = PluginChoice(remembered=(SettingChange(NAME, "strength", 0.5),))
    with closing(EditedGame(backend, choice=choice)) as game:
        game.frame()
        game.session.plugins.set(NAME, "strength", 0.125)
        game.edit(files.python, PYTHON)
        game.frames(2)
        assert game.session.plugins.status(NAME).settings.model_dump() == {"strength": 0.125}


def test_a_plugin_that_could_not_be_imported_has_its_remembered_values(
    backend: VulkanBackend, files: PluginFiles
) -> None:
    files.python.write_text(RAISES_IN_IMPORT, encoding="utf-8")
    choice = PluginChoice(remembered=(SettingChange(NAME, "strength", 0.5),))
    with closing(EditedGame(backend, choice=choice)) as game:
        game.frame()
        game.edit(files.python, PYTHON)
        game.frames(2)
        assert game.session.plugins.status(NAME).settings.model_dump() == {"strength": 0.5}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (RAISES_IN_EXECUTE, "missing"),
        (RAISES_IN_DECLARE, "stabel"),
        (RAISES_IN_HOOK, "add_nodes"),
        (RAISES_IN_IMPORT, "BaseModels"),
        (NO_PYTHON, f"edited_plugin/__init__.py:{WRONG_LINE}: SyntaxError"),
        (OTHER_SHADER, "missing.frag"),
        (RENAMED, "knobs"),
        (UNKNOWN_CHAIN, "post_hrd"),
        (UNKNOWN_RESOURCE, "nowhere"),
    ],
)
def test_code_that_fails_leaves_the_picture(game: EditedGame, files: PluginFiles, text: str, told: str) -> None:
    before = game.frame()
    module = sys.modules[MODULE]
    game.edit(files.python, text)
    assert game.frames(3) == [before] * 3
    assert told in game.notice
    assert game.session.plugins.status(NAME).state is PluginState.ENABLED
    assert sys.modules[MODULE] is module
    game.session.plugins.set(NAME, "strength", 0.5)
    assert game.frame() != before
    game.session.plugins.set(NAME, "strength", 0.25)
    game.edit(files.python, PYTHON)
    assert game.frames(2) == [before] * 2
    assert game.notice == ""


def test_a_strict_game_goes_on_as_well(backend: VulkanBackend, files: PluginFiles) -> None:
    game = EditedGame(backend, strict=True)
    try:
        before = game.frame()
        for text in (RAISES_IN_EXECUTE, RAISES_IN_DECLARE, RAISES_IN_HOOK, NO_PYTHON, UNKNOWN_RESOURCE):
            game.edit(files.python, text)
            assert game.frames(2) == [before] * 2
            assert game.notice
    finally:
        game.close()


def test_shader_and_code_of_one_change_come_together(game: EditedGame, files: PluginFiles) -> None:
    before = game.frame()
    game.edit(files.shader, SHADER.replace("settings", "knobs").replace("uv.x", "uv.y"))
    assert game.frames(2) == [before] * 2
    assert game.notice
    game.edit(files.python, RENAMED)
    assert before not in game.frames(2)
    assert game.notice == ""
    assert game.lines[-1] == "reload: edited: __init__.py, edited.frag in use"


def test_a_plugin_that_was_switched_off_stays_off(game: EditedGame, files: PluginFiles) -> None:
    game.frame()
    game.session.toggle(NAME)
    off = game.frame()
    game.edit(files.python, DEFAULT)
    assert game.frames(2) == [off] * 2
    game.session.toggle(NAME)
    assert game.frame() != off
    assert game.session.plugins.status(NAME).settings.model_dump() == {"strength": 0.75}


@pytest.mark.parametrize("text", [NO_PYTHON, RAISES_IN_DECLARE])
def test_a_plugin_that_fails_at_the_start_is_tried_again(backend: VulkanBackend, files: PluginFiles, text: str) -> None:
    files.python.write_text(text, encoding="utf-8")
    game = EditedGame(backend)
    try:
        without = game.frames(2)[-1]
        assert "stays out of the frame" in game.notice
        game.edit(files.python, RAISES_IN_HOOK)
        assert game.frame() == without
        assert "add_nodes" in game.notice
        game.edit(files.python, PYTHON)
        assert without not in game.frames(2)
        assert game.notice == ""
    finally:
        game.close()


def test_a_new_module_of_the_package(game: EditedGame, files: PluginFiles) -> None:
    before = game.frame()
    (files.python.parent / "numbers.py").write_text("STRENGTH = 0.75\n", encoding="utf-8")
    text = PYTHON.replace("Field(0.25", "Field(STRENGTH")
    game.edit(files.python, text.replace("\n\n\nclass", f"\nfrom {MODULE}.numbers import STRENGTH\n\n\nclass", 1))
    after = game.frames(2)[-1]
    assert after != before
    game.edit(files.python.parent / "numbers.py", "STRENGTH = 0.85\n")
    assert game.frames(2)[-1] not in (before, after)


def test_the_game_goes_on_with_the_choice_of_the_command_line(backend: VulkanBackend, files: PluginFiles) -> None:
    game = EditedGame(backend, choice=PluginChoice(disable=(NAME,)))
    try:
        without = game.frame()
        game.edit(files.python, DEFAULT)
        assert game.frames(2) == [without] * 2
    finally:
        game.close()
