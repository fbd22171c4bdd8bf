"""Nodes whose shaders declare an output and never assign it are named."""

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
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import PluginError
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.resources import Texture

Install = Callable[[Callable[[Any], object]], None]

OUTPUTS = """#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
"""
SECOND = "layout(location = 1) out vec4 second;\n"


def play_strictly(folder: Path, fullscreen: Fullscreen = Fullscreen.AUTO) -> None:
    backend, shaders = NullBackend(), ShaderLibrary([GLSL, folder])
    choice, options = PluginChoice(enable=("extra",)), CompileOptions(fullscreen=fullscreen)
    session = Session(Marbles, backend, (32, 18), choice=choice, strict=True, shaders=shaders, options=options)
    with closing(session), closing(backend.create_target((32, 18))) as target:
        session.step()
        session.render(target)


def two_targets(*files: str) -> Callable[[Any], object]:
    def declare(reg: Any) -> object:
        reg.modify("albedo").color()
        reg.create("own", Texture("rgba8_unorm", reg.resolution("main_view"))).color()
        pipelines = [reg.graphics(file) for file in files]
        return lambda cmd: [cmd.draw(pipeline) for pipeline in pipelines]

    return declare


def in_a_chain(reg: Any) -> object:
    reg.chain("post_hdr")
    pipeline = reg.fullscreen("look.frag")
    return lambda cmd: cmd.draw(pipeline)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], None]:
    return lambda file, text: (tmp_path / file).write_text(text, encoding="utf-8") and None


@pytest.mark.parametrize("fullscreen", [Fullscreen.FRAGMENT, Fullscreen.COMPUTE])
@pytest.mark.parametrize("body", ["", "vec4 color = vec4(1.0);"])
def test_an_output_of_a_full_screen_node_in_a_chain_is_named(
    body: str, fullscreen: Fullscreen, write: Callable[[str, str], None], install: Install, tmp_path: Path
) -> None:
    write("look.frag", f"{OUTPUTS}void main() {{ {body} }}\n")
    install(in_a_chain)
    with pytest.raises(PluginError) as caught:
        play_strictly(tmp_path, fullscreen)
    assert caught.value.message == (
        'node "extra/node" of plugin "extra" renders to the result in the chain "post_hdr", but `look.frag` declares '
        "the output at location 0 and never assigns it: what it draws is undefined"
    )
    assert str(caught.value.where) == f"{tmp_path / 'look.frag'}:3"


def test_the_one_of_two_outputs_that_is_not_assigned_is_named(
    write: Callable[[str, str], None], install: Install, tmp_path: Path
) -> None:
    write("two.frag", f"{OUTPUTS}{SECOND}void main() {{ color = vec4(1.0); }}\n")
    install(two_targets("two.frag"))
    with pytest.raises(
        PluginError, match=r'renders to "own", but `two.frag` declares the output at location 1'
    ) as caught:
        play_strictly(tmp_path)
    assert str(caught.value.where) == f"{tmp_path / 'two.frag'}:4"


def test_without_a_line_that_states_the_location_the_request_is_named(
    write: Callable[[str, str], None], install: Install, tmp_path: Path
) -> None:
    second = "#define PLACE 1\nlayout(location = PLACE) out vec4 second;\n"
    write("two.frag", f"{OUTPUTS}{second}void main() {{ color = vec4(1.0); }}\n")
    install(two_targets("two.frag"))
    with pytest.raises(PluginError) as caught:
        play_strictly(tmp_path)
    assert caught.value.where is not None
    line = Path(__file__).read_text(encoding="utf-8").splitlines()[caught.value.where.line - 1]
    assert '"own"' in line


def test_an_output_that_another_pipeline_assigns_is_not_named(
    write: Callable[[str, str], None], install: Install, tmp_path: Path
) -> None:
    write("a.frag", f"{OUTPUTS}{SECOND}void main() {{ color = vec4(1.0); }}\n")
    write("b.frag", f"{OUTPUTS}{SECOND}void main() {{ second = vec4(1.0); }}\n")
    install(two_targets("a.frag", "b.frag"))
    play_strictly(tmp_path)


@pytest.mark.parametrize(
    "body",
    [
        "if (false) second = vec4(1.0);",
        "if (false) { second.rgb *= uv.xyx; }",
        "if (false) all_of(second);",
        "\n#if 0\n    second = vec4(1.0);\n#endif\n",
    ],
)
def test_an_output_of_a_part_that_is_left_out_is_not_named(
    body: str, write: Callable[[str, str], None], install: Install, tmp_path: Path
) -> None:
    """The shader may have that part in another frame."""
    function = "void all_of(out vec4 target) { target = vec4(1.0); }\n"
    write("two.frag", f"{OUTPUTS}{SECOND}{function}void main() {{ color = vec4(1.0); {body} }}\n")
    install(two_targets("two.frag"))
    play_strictly(tmp_path)


def test_a_shader_that_only_discards_is_not_named(
    write: Callable[[str, str], None], install: Install, tmp_path: Path
) -> None:
    write("two.frag", f"{OUTPUTS}{SECOND}void main() {{ if (gl_FragCoord.x > 3.0) discard; }}\n")
    install(two_targets("two.frag"))
    play_strictly(tmp_path)


def test_an_output_beside_a_store_is_not_named(
    write: Callable[[str, str], None], install: Install, tmp_path: Path
) -> None:
    image = "layout(rgba8, set = 0, binding = 0) uniform writeonly image2D grid;\n"
    write("voxels.frag", f"{OUTPUTS}{image}void main() {{ imageStore(grid, ivec2(gl_FragCoord.xy), vec4(1.0)); }}\n")

    def declare(reg: Any) -> object:
        reg.modify("albedo").color()
        reg.create("own", Texture("rgba8_unorm", reg.resolution("main_view"))).storage_write().bind("grid")
        pipeline = reg.graphics("voxels.frag")
        return lambda cmd: cmd.draw(pipeline)

    install(declare)
    play_strictly(tmp_path)
