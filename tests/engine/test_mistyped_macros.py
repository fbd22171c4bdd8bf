"""A plugin whose shader mistypes the macro of an optional request is told the one that is meant."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.nodes import GLSL
from renderwright.engine.session import Session
from renderwright.games.marbles import Marbles
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import PluginError
from renderwright.render.shaders.library import ShaderLibrary

Install = Callable[[Callable[[Any], object]], None]

SHADER = """#version 450
layout(set = 0, binding = 0) uniform sampler2D source;
#ifdef UNUSED
#include "more.glsl"
#endif
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() {
    color = texture(source, uv);
    // HAS_SHADOWZ is only a word here
#if %s
    color *= 0.5;
#endif
}
"""


def reads(name: str, binding: str) -> Callable[[Any], object]:
    def declare(reg: Any) -> object:
        reg.chain("post_hdr")
        reg.read(name).sampled().optional().bind(binding)
        pipeline = reg.graphics("look.frag")
        return lambda cmd: cmd.draw(pipeline)

    return declare


def play_strictly(folder: Path) -> None:
    backend, shaders = NullBackend(), ShaderLibrary([GLSL, folder])
    choice = PluginChoice(enable=("extra",))
    session = Session(Marbles, backend, (32, 18), choice=choice, strict=True, shaders=shaders)
    with closing(session), closing(backend.create_target((32, 18))) as target:
        session.step()
        session.render(target)


@pytest.mark.parametrize("condition", ["HAS_SHADOW", "defined(HAS_SHADOW)", "HAS_SHADOSW == 1"])
def test_a_mistyped_macro_is_told_at_its_line(condition: str, install: Install, tmp_path: Path) -> None:
    (tmp_path / "look.frag").write_text(SHADER % condition, encoding="utf-8")
    (tmp_path / "more.glsl").write_text("", encoding="utf-8")
    install(reads("sun_visibility", "shadows"))
    with pytest.raises(PluginError) as caught:
        play_strictly(tmp_path)
    macro = "HAS_SHADOSW" if "SHADOSW" in condition else "HAS_SHADOW"
    assert caught.value.message == f'plugin "extra": no request of `extra/node` defines {macro}, which counts as 0'
    assert caught.value.hint.startswith("did you mean HAS_SHADOWS?")
    assert str(caught.value.where) == f"{tmp_path / 'look.frag'}:11"


@pytest.mark.parametrize("condition", ["HAS_SHADOWS", "HAS_WIND", "SHADOW"])
def test_another_macro_is_not_told(condition: str, install: Install, tmp_path: Path) -> None:
    (tmp_path / "look.frag").write_text(SHADER % condition, encoding="utf-8")
    (tmp_path / "more.glsl").write_text("", encoding="utf-8")
    install(reads("sun_visibility", "shadows"))
    play_strictly(tmp_path)


def test_a_macro_of_the_shader_itself_is_not_told(install: Install, tmp_path: Path) -> None:
    text = (SHADER % "HAS_SHADOW").replace("#version 450\n", "#version 450\n#define HAS_SHADOW 1\n")
    (tmp_path / "look.frag").write_text(text, encoding="utf-8")
    (tmp_path / "more.glsl").write_text("", encoding="utf-8")
    install(reads("sun_visibility", "shadows"))
    play_strictly(tmp_path)


@pytest.mark.parametrize("included", ["lib/macros.glsl", "macros.glsl"])
def test_a_macro_of_a_file_that_is_included_is_not_told(included: str, install: Install, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / included).write_text("#define HAS_SHADOW 1\n", encoding="utf-8")
    (tmp_path / "more.glsl").write_text("", encoding="utf-8")
    text = (SHADER % "HAS_SHADOW").replace("#ifdef UNUSED", f'#include "{included}"\n#ifdef UNUSED')
    (tmp_path / "look.frag").write_text(text, encoding="utf-8")
    install(reads("sun_visibility", "shadows"))
    play_strictly(tmp_path)


def test_the_guard_of_a_file_that_is_included_is_not_told(install: Install, tmp_path: Path) -> None:
    guarded = "#ifndef HAS_SHADOWS_H\n#define HAS_SHADOWS_H\n#endif\n"
    (tmp_path / "more.glsl").write_text(guarded, encoding="utf-8")
    (tmp_path / "look.frag").write_text((SHADER % "1").replace("UNUSED", "GL_SPIRV"), encoding="utf-8")
    install(reads("sun_visibility", "shadows"))
    play_strictly(tmp_path)


def test_a_constant_of_glsl_is_not_told(install: Install, tmp_path: Path) -> None:
    constant = "const bool HAS_SHADOW = true;\nfloat shade() { return HAS_SHADOW ? 1.0 : 0.0; }\nvoid main() {"
    (tmp_path / "more.glsl").write_text("", encoding="utf-8")
    (tmp_path / "look.frag").write_text((SHADER % "1").replace("void main() {", constant), encoding="utf-8")
    install(reads("sun_visibility", "shadows"))
    play_strictly(tmp_path)


def test_a_macro_in_the_second_line_of_a_condition_is_told(install: Install, tmp_path: Path) -> None:
    (tmp_path / "more.glsl").write_text("", encoding="utf-8")
    (tmp_path / "look.frag").write_text(SHADER % "HAS_SHADOWS && \\\n    HAS_SHADOW", encoding="utf-8")
    install(reads("sun_visibility", "shadows"))
    with pytest.raises(PluginError) as caught:
        play_strictly(tmp_path)
    assert str(caught.value.where) == f"{tmp_path / 'look.frag'}:12"


def test_a_macro_of_a_node_that_this_frame_lacks_is_not_told(
    install_nodes: Callable[..., None], tmp_path: Path
) -> None:
    """Two nodes share a shader; the one that defines the macro waits for something that is not there."""
    (tmp_path / "more.glsl").write_text("", encoding="utf-8")
    (tmp_path / "look.frag").write_text(SHADER % "HAS_SHADOW_MASK", encoding="utf-8")

    def waits(reg: Any) -> object:
        reg.read("snow_cover").sampled()
        return reads("sun_visibility", "shadow_mask")(reg)

    install_nodes(node=reads("sun_visibility", "shadow_map"), other=waits)
    play_strictly(tmp_path)
