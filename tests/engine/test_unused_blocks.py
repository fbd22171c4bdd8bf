"""Uniform blocks that a node fills and that no shader has are named."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins import FoundPlugin, PluginGraph, discovery, hookimpl, host
from renderwright.engine.renderer.nodes import GLSL
from renderwright.engine.session import Session
from renderwright.games.marbles import Marbles
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import PluginError
from renderwright.render.shaders.library import ShaderLibrary

Install = Callable[..., None]

OUTPUT = "layout(location = 0) out vec4 result;\n"
BLOCK = "layout(set = 0, binding = 0) uniform params { vec4 tint; };\n"
FILES = {
    "plain.frag": f"{OUTPUT}void main() {{ result = vec4(1.0); }} // params\n",
    "filled.frag": f"{OUTPUT}{BLOCK}void main() {{ result = tint; }}\n",
    "optimised.frag": f"{OUTPUT}{BLOCK}void main() {{ result = vec4(1.0); }}\n",
    "variant.frag": f"{OUTPUT}#if HAS_FOG\n{BLOCK}#endif\nvoid main() {{ result = vec4(1.0); }}\n",
    "given.glsl": BLOCK,
    "included.frag": f'#include "given.glsl"\n{OUTPUT}void main() {{ result = vec4(1.0); }}\n',
    "made.frag": f"{OUTPUT}#define GIVEN(name) {BLOCK.strip().replace('params', 'name##ams')}\n"
    "#if HAS_FOG\nGIVEN(par)\n#endif\nvoid main() { result = vec4(1.0); }\n",
    "named.frag": f"{OUTPUT}{BLOCK.replace('params', 'NAME')}void main() {{ result = vec4(1.0); }}\n",
}


@pytest.fixture
def shaders(tmp_path: Path) -> Path:
    for name, code in FILES.items():
        (tmp_path / name).write_text(f"#version 450\n{code}", encoding="utf-8")
    return tmp_path


def play(folder: Path, *, strict: bool = True) -> None:
    backend, shaders = NullBackend(), ShaderLibrary([GLSL, folder])
    choice = PluginChoice(enable=("extra",))
    session = Session(Marbles, backend, (32, 18), choice=choice, strict=strict, shaders=shaders)
    with closing(session), closing(backend.create_target((32, 18))) as target:
        session.step()
        session.render(target)


def fills(name: str, *files: str, needs: str = "", **defines: str) -> Callable[[Any], object]:
    def declare(reg: Any) -> object:
        reg.chain("post_hdr")
        if needs:
            reg.read(needs).sampled()
        reg.uniform(name, {"tint": (1.0, 1.0, 1.0, 1.0)})
        pipelines = [reg.graphics(file, defines=defines) for file in files]
        return lambda cmd: [cmd.draw(pipeline) for pipeline in pipelines]

    return declare


@pytest.mark.parametrize("files", [("plain.frag",), ("plain.frag", "plain.frag")])
def test_a_block_that_no_shader_has_is_told(files: tuple[str, ...], shaders: Path, install_nodes: Install) -> None:
    install_nodes(node=fills("params", *files))
    with pytest.raises(PluginError) as caught:
        play(shaders)
    assert caught.value.message == (
        'node "extra/node" of plugin "extra" fills the block "params", which none of its shaders declares: '
        "fullscreen.vert, plain.frag"
    )
    assert caught.value.hint.startswith("declare `uniform params { ... };` in a shader, or leave reg.uniform out")
    assert caught.value.where is not None
    line = Path(__file__).read_text(encoding="utf-8").splitlines()[caught.value.where.line - 1]
    assert "reg.uniform(name" in line


@pytest.mark.parametrize(
    "declare",
    [
        fills("params", "filled.frag"),
        fills("params", "plain.frag", "filled.frag"),
        fills("params", "optimised.frag"),
        fills("params", "variant.frag"),
        fills("params", "included.frag"),
        fills("params", "made.frag"),
        fills("params", "named.frag", NAME="params"),
        fills("params"),
    ],
)
def test_a_block_that_a_shader_may_have_is_not_told(
    declare: Callable[[Any], object], shaders: Path, install_nodes: Install
) -> None:
    install_nodes(node=declare)
    play(shaders)


@pytest.mark.parametrize("needs", ["", "of_another_scene"])
def test_a_block_that_several_nodes_fill_may_be_for_any_of_them(
    needs: str, shaders: Path, install_nodes: Install
) -> None:
    install_nodes(first=fills("params", "plain.frag"), second=fills("params", "filled.frag", needs=needs))
    play(shaders)


def test_a_mistyped_block_is_told_once(shaders: Path, install_nodes: Install, caplog: pytest.LogCaptureFixture) -> None:
    install_nodes(node=fills("parms", "filled.frag"))
    play(shaders, strict=False)
    (record,) = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert '"params" is bound to nothing' in record.getMessage()
    assert 'did you mean "parms"?' in record.getMessage()


class Settings(BaseModel):
    fine: bool = False


def install_with_settings(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A plugin whose setting chooses between two files, and that fills a block in both cases."""

    class Extra:
        @hookimpl
        def renderwright_settings(self) -> type[Settings]:
            return Settings

        @hookimpl
        def renderwright_nodes(self, graph: PluginGraph, settings: Settings) -> None:
            graph.add_node("node", fills(name, "filled.frag" if settings.fine else "plain.frag"))  # type: ignore[arg-type]

    found = (*discovery.find_plugins(), FoundPlugin("extra", Extra))
    monkeypatch.setattr(host, "find_plugins", lambda: found)


def test_a_block_of_the_file_that_another_setting_chooses_is_not_told(
    shaders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_with_settings(monkeypatch, "params")
    play(shaders)


def test_a_block_that_no_file_beside_has_is_told_of_a_plugin_with_settings(
    shaders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shaders / "made.frag").unlink()  # it makes words
    install_with_settings(monkeypatch, "parasol")
    with pytest.raises(PluginError, match='fills the block "parasol", which none of its shaders declares'):
        play(shaders)
