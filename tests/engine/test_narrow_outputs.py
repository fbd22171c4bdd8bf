"""Outputs with fewer channels than the target that others read are named."""

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

WAYS = [Fullscreen.FRAGMENT, Fullscreen.COMPUTE]


def play_strictly(folder: Path, fullscreen: Fullscreen = Fullscreen.AUTO) -> None:
    backend, shaders = NullBackend(), ShaderLibrary([GLSL, folder])
    choice, options = PluginChoice(enable=("extra",)), CompileOptions(fullscreen=fullscreen)
    session = Session(Marbles, backend, (32, 18), choice=choice, strict=True, shaders=shaders, options=options)
    with closing(session), closing(backend.create_target((32, 18))) as target:
        session.step()
        session.render(target)
        assert "extra/node" in [node.declaration.name for node in session.runtime.plan.graph.nodes]


def in_a_chain(reg: Any) -> object:
    reg.chain("post_hdr")
    pipeline = reg.fullscreen("look.frag")
    return lambda cmd: cmd.draw(pipeline)


def draws(request: Callable[[Any], Any], **state: Any) -> Callable[[Any], object]:
    def declare(reg: Any) -> object:
        request(reg).color()
        reg.side_effects()
        pipeline = reg.graphics("look.frag", **state)
        return lambda cmd: cmd.draw(pipeline)

    return declare


@pytest.fixture
def look(tmp_path: Path) -> Callable[[str], Path]:
    """Writes the shader, whose output has that type."""

    def written(kind: str) -> Path:
        code = f"layout(location = 0) out {kind} result;\nvoid main() {{ result = {kind}(1.0); }}\n"
        (tmp_path / "look.frag").write_text(f"#version 450\n{code}", encoding="utf-8")
        return tmp_path

    return written


@pytest.mark.parametrize("fullscreen", WAYS)
def test_alpha_that_a_chain_does_not_get_is_told(
    fullscreen: Fullscreen, look: Callable[[str], Path], install: Install
) -> None:
    install(in_a_chain)
    folder = look("vec3")
    with pytest.raises(PluginError) as caught:
        play_strictly(folder, fullscreen)
    assert caught.value.message == (
        'node "extra/node" of plugin "extra" renders to the result in the chain "post_hdr" of format rgba16_sfloat, '
        "but the output `result` of `look.frag` is a vec3: alpha is undefined"
    )
    assert caught.value.hint.startswith("declare it as vec4\n")
    assert caught.value.where is not None
    assert (Path(caught.value.where.file).name, caught.value.where.line) == ("look.frag", 2)


def test_channels_of_a_target_of_the_skeleton_are_told(look: Callable[[str], Path], install: Install) -> None:
    install(draws(lambda reg: reg.modify("albedo")))
    folder = look("vec2")
    with pytest.raises(PluginError, match=r"`look\.frag` is a vec2: blue and alpha are undefined") as caught:
        play_strictly(folder)
    assert 'declare it as vec4, or keep the old values by reg.graphics(..., color_write="rg")' in caught.value.hint


@pytest.mark.parametrize("fullscreen", WAYS)
def test_a_whole_output_is_not_told(fullscreen: Fullscreen, look: Callable[[str], Path], install: Install) -> None:
    install(in_a_chain)
    play_strictly(look("vec4"), fullscreen)


@pytest.mark.parametrize(
    "declare",
    [
        draws(lambda reg: reg.modify("albedo"), color_write="rgb"),
        draws(lambda reg: reg.create("own", Texture("rgba8_unorm", (8, 8)))),
        draws(lambda reg: reg.create("shared", Texture("b10g11r11_ufloat", (8, 8)))),
    ],
)
def test_channels_that_are_masked_or_absent_or_of_the_plugin_are_not_told(
    declare: Callable[[Any], object], look: Callable[[str], Path], install: Install
) -> None:
    install(declare)
    play_strictly(look("vec3"))


@pytest.mark.parametrize("fullscreen", WAYS)
def test_the_output_of_another_variant_is_not_told(fullscreen: Fullscreen, tmp_path: Path, install: Install) -> None:
    outputs = "#ifdef NARROW\nOUT vec3 result;\n#else\nOUT vec4 result;\n#endif\n".replace(
        "OUT", "layout(location = 0) out"
    )
    (tmp_path / "look.frag").write_text(f"#version 450\n{outputs}void main() {{ result.r = 1.0; }}\n", encoding="utf-8")
    install(in_a_chain)
    play_strictly(tmp_path, fullscreen)


def test_components_of_several_outputs_are_not_told(tmp_path: Path, install: Install) -> None:
    outputs = "layout(location = 0) out vec3 rgb;\nlayout(location = 0, component = 3) out float alpha;\n"
    code = f"#version 450\n{outputs}void main() {{ rgb = vec3(1.0); alpha = 1.0; }}\n"
    (tmp_path / "look.frag").write_text(code, encoding="utf-8")
    install(draws(lambda reg: reg.modify("albedo")))
    play_strictly(tmp_path)


READ = "layout(set = 0, binding = 0) uniform sampler2D own;\nlayout(location = 0) out vec4 result;\n"


def glow_and(
    further: Callable[[Any], object] | None, draw: str = "graphics", **state: Any
) -> dict[str, Callable[[Any], object]]:
    """A node that renders to a texture of the plugin, and one that reads it."""

    def look(reg: Any) -> object:
        reg.create("own", Texture("rgba8_unorm", (8, 8))).color()
        pipeline = getattr(reg, draw)("look.frag", **state)
        return lambda cmd: cmd.draw(pipeline)

    def node(reg: Any) -> object:
        reg.chain("post_hdr")
        reg.read("own").sampled()
        pipeline = reg.graphics("read.frag")
        return lambda cmd: cmd.draw(pipeline)

    return {"look": look, "node": node, **({"further": further} if further is not None else {})}


def reading(folder: Path, body: str) -> None:
    (folder / "read.frag").write_text(f"#version 450\n{READ}void main() {{ {body} }}\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "body", "lacking"),
    [
        ("vec3", "result = vec4(texture(own, vec2(0.5)).a);", "alpha is"),
        ("vec3", "vec4 all = texture(own, vec2(0.5)); result = mix(vec4(0.5), vec4(all.rgb, 1.0), all.a);", "alpha is"),
        ("vec3", "result = texelFetch(own, ivec2(0), 0).wwww;", "alpha is"),
        ("vec3", "result = textureGather(own, vec2(0.5), 3);", "alpha is"),
        ("float", "result = vec4(texture(own, vec2(0.5)).rgb, 1.0);", "green and blue are"),
    ],
)
def test_channels_of_an_own_texture_that_a_shader_reads_are_told(
    kind: str, body: str, lacking: str, look: Callable[[str], Path], install_nodes: Callable[..., None]
) -> None:
    install_nodes(**glow_and(None))
    folder = look(kind)
    reading(folder, body)
    with pytest.raises(PluginError) as caught:
        play_strictly(folder)
    assert caught.value.message == (
        'node "extra/look" of plugin "extra" renders to "own" of format rgba8_unorm, but the output `result` of '
        f"`look.frag` is a {kind}: {lacking} undefined, and `read.frag` of `extra/node` reads it"
    )
    assert caught.value.hint.startswith("declare it as vec4\n")
    assert caught.value.where is not None
    assert (Path(caught.value.where.file).name, caught.value.where.line) == ("look.frag", 2)


@pytest.mark.parametrize(
    "body",
    [
        "result = vec4(texture(own, vec2(0.5)).rgb, 1.0);",
        "result.rgb = texture(own, vec2(0.5)).rgb; result.a = 1.0;",
        "vec4 all = texture(own, vec2(0.5)) * 2.0; result = vec4(all.xyz, 1.0);",
        "result = texture(own, vec2(0.5)).bgra;",
        "vec4 all = texture(own, vec2(0.5)); all.rgb *= all.b; result = all;",
    ],
)
def test_channels_of_an_own_texture_that_no_shader_takes_out_are_not_told(
    body: str, look: Callable[[str], Path], install_nodes: Callable[..., None]
) -> None:
    install_nodes(**glow_and(None))
    folder = look("vec3")
    reading(folder, body)
    play_strictly(folder)


@pytest.mark.parametrize("fullscreen", WAYS)
def test_alpha_of_an_own_texture_is_told_either_way(
    fullscreen: Fullscreen, look: Callable[[str], Path], install_nodes: Callable[..., None]
) -> None:
    install_nodes(**glow_and(None, "fullscreen"))
    folder = look("vec3")
    reading(folder, "result = vec4(texture(own, vec2(0.5)).a);")
    with pytest.raises(PluginError, match=r"alpha is undefined, and `read\.frag` of `extra/node` reads it"):
        play_strictly(folder, fullscreen)


def fills_alpha(reg: Any) -> object:
    reg.modify("own").color()
    pipeline = reg.graphics("fill.frag", color_write="a")
    return lambda cmd: cmd.draw(pipeline)


def copies(reg: Any) -> object:
    reg.modify("own").copy_dst()
    return lambda cmd: None


@pytest.mark.parametrize(("further", "state"), [(fills_alpha, {"color_write": "rgb"}), (fills_alpha, {}), (copies, {})])
def test_a_channel_of_an_own_texture_that_another_node_may_write_is_not_told(
    further: Callable[[Any], object],
    state: dict[str, str],
    look: Callable[[str], Path],
    install_nodes: Callable[..., None],
) -> None:
    install_nodes(**glow_and(further, **state))
    folder = look("vec3")
    fill = (folder / "look.frag").read_text(encoding="utf-8").replace("vec3", "vec4")
    (folder / "fill.frag").write_text(fill, encoding="utf-8")
    reading(folder, "result = vec4(texture(own, vec2(0.5)).a);")
    play_strictly(folder)
