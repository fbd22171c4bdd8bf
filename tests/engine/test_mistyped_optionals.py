"""A plugin whose optional request, or whose macro for it, mistypes a name is told the one that is meant."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.plan_review import findings
from renderwright.engine.planning import plan_of
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


def reads(name: str, binding: str = "", otherwise: float | None = None) -> Callable[[Any], object]:
    def declare(reg: Any) -> object:
        reg.chain("post_hdr")
        request = reg.read(name).sampled().optional(otherwise)
        if binding:
            request.bind(binding)
        pipeline = reg.graphics("look.frag")
        return lambda cmd: cmd.draw(pipeline)

    return declare


def told(enable: tuple[str, ...] = ("extra",)) -> list[str]:
    plan = plan_of(PlanOptions("marbles", plugins=PluginChoice(enable=enable)))
    return [finding.message for finding in findings(plan, ())]


@pytest.mark.parametrize(
    ("name", "meant"),
    [("dpeth", "depth"), ("depht", "depth"), ("sun_visibilty", "sun_visibility"), ("albeod", "albedo")],
)
def test_a_mistyped_optional_request_is_told_with_the_name_that_is_meant(
    name: str, meant: str, install: Install
) -> None:
    install(reads(name))
    assert told() == [
        f'plugin "extra": `extra/node` requests `{name}` as optional, which nobody creates; did you mean `{meant}`?'
    ]


def test_a_value_in_place_of_what_is_absent_hides_no_mistake(install: Install) -> None:
    install(reads("sun_visibilty", otherwise=1.0))
    (message,) = told()
    assert message.endswith("did you mean `sun_visibility`?")


@pytest.mark.parametrize(
    "name", ["ambient_occlusion", "contact_visibility", "wind", "depth_9", "sun_maps_7", "hdr_extra", "extra/mask"]
)
def test_what_another_frame_may_have_is_not_told(name: str, install: Install) -> None:
    install(reads(name))
    assert told() == []


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
