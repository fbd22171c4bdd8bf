"""Outputs with the names of one another's targets are named."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.nodes import GLSL
from renderwright.engine.session import Session
from renderwright.games.marbles import Marbles
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import PluginError
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.resources import Texture

Install = Callable[[Callable[[Any], object]], None]


def play_strictly(folder: Path, fullscreen: Fullscreen = Fullscreen.AUTO) -> None:
    backend, shaders = NullBackend(), ShaderLibrary([GLSL, folder])
    choice, options = PluginChoice(enable=("extra",)), CompileOptions(fullscreen=fullscreen)
    session = Session(Marbles, backend, (32, 18), choice=choice, strict=True, shaders=shaders, options=options)
    with closing(session), closing(backend.create_target((32, 18))) as target:
        session.step()
        session.render(target)
        assert "extra/node" in [node.declaration.name for node in session.runtime.plan.graph.nodes]


def renders(names: tuple[str, ...]) -> Callable[[Any], object]:
    """A full-screen node that renders to these textures."""

    def declare(reg: Any) -> object:
        for name in names:
            reg.create(f"/{name}_own", Texture("rgba8_unorm", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.fullscreen("look.frag")
        return lambda cmd: cmd.draw(pipeline)

    return declare


@pytest.fixture
def look(tmp_path: Path) -> Callable[[tuple[str, ...]], Path]:
    """Writes a shader with outputs of these names."""

    def written(names: tuple[str, ...]) -> Path:
        code = "#version 450\n"
        for location, name in enumerate(names):
            code += f"layout(location = {location}) out vec4 {name};\n"
        code += f"void main() {{ {' = '.join(names)} = vec4(1.0); }}\n"
        (tmp_path / "look.frag").write_text(code, encoding="utf-8")
        return tmp_path

    return written


@pytest.mark.parametrize("fullscreen", [Fullscreen.FRAGMENT, Fullscreen.COMPUTE])
@pytest.mark.parametrize("prefix", ["", "out_"])
def test_outputs_that_have_changed_places_are_told(
    prefix: str, fullscreen: Fullscreen, look: Callable[[tuple[str, ...]], Path], install: Install
) -> None:
    install(renders(("color", "mask", "glow")))
    folder = look((f"{prefix}mask_own", f"{prefix}color_own", f"{prefix}glow_own"))
    with pytest.raises(PluginError) as caught:
        play_strictly(folder, fullscreen)
    assert caught.value.message == (
        'node "extra/node" of plugin "extra" requests "color_own" as color target 0 and "mask_own" as color target 1, '
        f"but `look.frag` declares `{prefix}mask_own` at location 0 and `{prefix}color_own` at location 1"
    )
    assert caught.value.hint.startswith("locations count from 0, in the order of the requests with .color()")
    assert caught.value.where is not None
    assert (Path(caught.value.where.file).name, caught.value.where.line) == ("look.frag", 2)


def test_a_ring_of_three_is_told(look: Callable[[tuple[str, ...]], Path], install: Install) -> None:
    install(renders(("color", "mask", "glow")))
    folder = look(("mask_own", "glow_own", "color_own"))
    with pytest.raises(
        PluginError, match="declares `mask_own` at location 0 and `glow_own` at location 1 and `color_o"
    ):
        play_strictly(folder)


@pytest.mark.parametrize(
    "outputs",
    [
        ("color_own", "mask_own"),
        ("mask_own", "other"),  # names for something else
        ("mask_own", "mask"),
        ("first", "second"),
        ("mask", "color"),
    ],
)
def test_other_names_are_not_told(
    outputs: tuple[str, ...], look: Callable[[tuple[str, ...]], Path], install: Install
) -> None:
    install(renders(("color", "mask")))
    play_strictly(look(outputs))


RIGHT = "OUT(0) color_own;\nOUT(1) mask_own;\n"
WRONG = "OUT(0) mask_own;\nOUT(1) color_own;\n"


@pytest.mark.parametrize(
    ("fullscreen", "used", "other", "is_told"),
    [
        (Fullscreen.FRAGMENT, RIGHT, WRONG, False),
        (Fullscreen.FRAGMENT, WRONG, RIGHT, True),
        (Fullscreen.FRAGMENT, WRONG, WRONG, True),
        # Code that computes has no names of outputs, so that the text has to be clear.
        (Fullscreen.COMPUTE, RIGHT, WRONG, False),
        (Fullscreen.COMPUTE, WRONG, RIGHT, False),
        (Fullscreen.COMPUTE, WRONG, WRONG, True),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_the_outputs_of_the_variant_in_use_count(
    first: bool, fullscreen: Fullscreen, used: str, other: str, is_told: bool, tmp_path: Path, install: Install
) -> None:
    parts = ("#ifndef HAS_FOG", used, other) if first else ("#ifdef HAS_FOG", other, used)
    outputs = "{}\n{}#else\n{}#endif\n".format(*parts)
    outputs = outputs.replace("OUT(", "layout(location = ").replace(") ", ") out vec4 ")
    code = f"#version 450\n{outputs}void main() {{ color_own = mask_own = vec4(1.0); }}\n"
    (tmp_path / "look.frag").write_text(code, encoding="utf-8")
    install(renders(("color", "mask")))
    with pytest.raises(PluginError, match="declares `mask_own` at location 0") if is_told else nullcontext():
        play_strictly(tmp_path, fullscreen)
