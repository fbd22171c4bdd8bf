"""Shaders that are edited while a game runs."""

from __future__ import annotations

import pytest
from edited_plugins import NAME, SHADER, TINT, EditedGame, PluginFiles
from hand_driven import HandDriven

from renderwright.engine.plugins import PluginState
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

STRONGER = SHADER.replace("tint() *", "2.0 * tint() *")
RENAMED = SHADER.replace("source", "before")


def test_a_changed_shader_is_in_the_next_frame(game: EditedGame, files: PluginFiles) -> None:
    before = game.frame()
    game.edit(files.shader, STRONGER)
    after = game.frames(3)
    assert after[0] != before
    assert after == [after[0]] * 3
    assert game.lines == ["reload: edited: edited.frag in use"]
    assert game.notice == ""


def test_a_changed_include_is_in_the_next_frame(game: EditedGame, files: PluginFiles) -> None:
    before = game.frame()
    game.edit(files.tint, TINT.replace("1.0", "0.1"))
    assert game.frame() != before


def test_a_shader_that_does_not_compile_leaves_the_picture(game: EditedGame, files: PluginFiles) -> None:
    before = game.frame()
    game.edit(files.shader, SHADER.replace("vec4(tint()", "vec5(tint()"))
    assert game.frames(3) == [before] * 3
    assert game.session.plugins.status(NAME).state is PluginState.ENABLED
    assert "edited" in game.notice
    assert "edited.frag:13" in game.notice
    assert "vec5" in game.notice


def test_a_binding_that_no_request_has_leaves_the_picture(game: EditedGame, files: PluginFiles) -> None:
    before = game.frame()
    game.edit(files.shader, RENAMED)
    assert game.frames(3) == [before] * 3
    assert '"before"' in game.notice
    assert game.session.plugins.status(NAME).state is PluginState.ENABLED


def test_the_old_text_makes_the_old_picture(game: EditedGame, files: PluginFiles) -> None:
    before = game.frame()
    game.edit(files.shader, STRONGER)
    assert before not in game.frames(2)
    game.edit(files.shader, SHADER)
    assert game.frames(2) == [before] * 2
    game.edit(files.shader, "nonsense")
    game.frame()
    assert game.notice
    game.edit(files.shader, SHADER)
    assert game.frame() == before
    assert game.notice == ""


def test_what_else_changes_uses_the_last_good_text(game: EditedGame, files: PluginFiles) -> None:
    before = game.frame()
    game.edit(files.tint, "nonsense")
    game.frame()
    game.session.toggle(NAME)
    assert game.frame() != before
    game.session.toggle(NAME)
    assert game.frame() == before
    game.session.plugins.set(NAME, "strength", 0.5)
    assert game.frame() != before
    assert game.session.plugins.status(NAME).state is PluginState.ENABLED


def test_a_file_that_is_gone_for_a_while(game: EditedGame, files: PluginFiles) -> None:
    before = game.frame()
    files.tint.unlink()
    game.watcher.tell(files.tint)
    assert game.frames(2) == [before] * 2
    assert "tint.glsl" in game.notice
    game.edit(files.tint, TINT)
    assert game.frame() == before
    assert game.notice == ""


def test_a_shader_of_the_engine(game: EditedGame, files: PluginFiles) -> None:
    before = game.frame()
    taken = game.reloader._shaders
    shader = next(path for path in taken.paths if path.name == "compose.frag")
    text = shader.read_text(encoding="utf-8")
    # The engine's own file stays as it is: another text is held as if it had been read at first.
    held = taken._held[shader]
    taken._held[shader] = type(held)(f"{text}\n// another comment", held.version)
    game.watcher.tell(shader)
    assert game.frames(2) == [before] * 2
    assert game.lines == ["reload: shaders: compose.frag in use"]


def test_beside_the_frames(backend: VulkanBackend, files: PluginFiles) -> None:
    worker = HandDriven()
    game = EditedGame(backend, worker=worker)
    try:
        before = game.frame()
        game.edit(files.shader, STRONGER)
        assert game.frames(2) == [before] * 2
        worker.work()
        stronger = game.frame()
        assert stronger != before
        game.edit(files.shader, "nonsense")
        assert game.frames(2) == [stronger] * 2
        worker.work()
        assert game.frames(2) == [stronger] * 2
        assert "edited.frag" in game.notice
        game.edit(files.shader, RENAMED)
        game.frame()
        worker.work()
        assert game.frames(2) == [stronger] * 2
        assert '"before"' in game.notice
    finally:
        game.close()
