"""What outlives an edit: histories, and edits on OpenGL and after the loss of a device."""

from __future__ import annotations

from contextlib import closing

import pytest
from edited_plugins import PYTHON, SHADER, EditedGame, PluginFiles

from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend

GROWING = '''"""A plugin whose picture gets brighter in each frame."""

from renderwright.engine.plugins import PluginGraph, hookimpl
from renderwright.render import Execute, Registry, Texture


def grow(reg: Registry) -> Execute:
    """Add to what the last frame had."""
    reg.history("edited/light").sampled(filter="nearest")
    reg.create("edited/light", Texture("rgba16_sfloat", reg.resolution("main_view"))).color(clear=(0, 0, 0, 0))
    reg.stable()
    pipeline = reg.fullscreen("edited.frag")
    return lambda cmd: cmd.draw(pipeline)


def show(reg: Registry) -> Execute:
    """Show the sum."""
    reg.chain("post_hdr")
    reg.read("edited/light").sampled(filter="nearest")
    reg.stable()
    pipeline = reg.fullscreen("show.frag")
    return lambda cmd: cmd.draw(pipeline)


@hookimpl
def renderwright_nodes(graph: PluginGraph) -> None:
    graph.add_node("grow", grow)
    graph.add_node("show", show)
'''

GROW = """#version 450
layout(set = 0, binding = 0) uniform sampler2D light;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    color = texture(light, uv) + vec4(STEP);
}
"""

SHOW = """#version 450
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D light;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    color = vec4(texture(source, uv).rgb + texture(light, uv).rgb, 1.0);
}
"""


def grow_by(step: float) -> str:
    return GROW.replace("STEP", f"{step:.3f}")


@pytest.mark.vulkan
def test_histories_stay(backend: VulkanBackend, files: PluginFiles) -> None:
    show = files.shader.parent / "show.frag"
    files.python.write_text(GROWING, encoding="utf-8")
    files.shader.write_text(grow_by(0.05), encoding="utf-8")
    show.write_text(SHOW, encoding="utf-8")
    with closing(EditedGame(backend)) as game:
        brightness = [game.frame()[0] for _ in range(4)]
        assert brightness == sorted(set(brightness))
        game.edit(files.shader, grow_by(0.0))
        assert [game.frame()[0] for _ in range(3)] == [brightness[-1]] * 3
        game.edit(files.python, GROWING.replace("gets brighter", "is bright"))
        assert [game.frame()[0] for _ in range(3)] == [brightness[-1]] * 3
        assert game.lines[-1] == "reload: edited: __init__.py in use"
        for broken in (grow_by(0.1).replace("light, uv", "lihgt, uv"), grow_by(0.1).replace("light", "dark")):
            game.edit(files.shader, broken)
            assert [game.frame()[0] for _ in range(3)] == [brightness[-1]] * 3
            assert game.notice
        game.edit(files.python, GROWING.replace("cmd.draw(pipeline)", "cmd.draw(none)"))
        assert [game.frame()[0] for _ in range(3)] == [brightness[-1]] * 3
        assert game.notice


def test_on_opengl(files: PluginFiles) -> None:
    device = OpenGLBackend(validate=True)
    with closing(device), closing(EditedGame(device)) as game:
        before = game.frame()
        game.edit(files.shader, SHADER.replace("tint() *", "2.0 * tint() *"))
        stronger = game.frames(2)
        assert before not in stronger
        for text in ("nonsense", SHADER.replace("source", "before")):
            game.edit(files.shader, text)
            assert game.frames(2) == [stronger[-1]] * 2
            assert game.notice
        game.edit(files.shader, SHADER)
        assert game.frames(2) == [before] * 2
        game.edit(files.python, PYTHON.replace("cmd.draw(pipeline)", "1 / 0"))
        assert game.frames(2) == [before] * 2
        assert "ZeroDivisionError" in game.notice
    assert [message.text for message in device.validation_messages] == []


@pytest.mark.vulkan
def test_a_trial_goes_on_on_another_device(files: PluginFiles) -> None:
    first, second = VulkanBackend(validate=True), VulkanBackend(validate=True)
    with closing(second):
        game = EditedGame(first)
        before = game.frame()
        game.edit(files.shader, SHADER.replace("source", "before"))
        game.reloader.update()
        game.target.close()
        game.session.abandon()
        first.wait_idle()
        first.close()
        game.session.move_to(second)
        game.target = second.create_target(game.session.extent)
        with closing(game):
            assert game.frames(2) == [before] * 2
            assert '"before"' in game.notice
            game.edit(files.shader, SHADER)
            assert game.frames(2) == [before] * 2
            assert game.notice == ""
    assert [message.text for message in second.validation_messages] == []
