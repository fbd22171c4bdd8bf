"""Nodes that render to a target which no shader of theirs writes are named."""

from __future__ import annotations

import logging
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
from renderwright.render.types.resources import Texture

FIRST = "layout(location = 0) out vec4 first;\nvoid main() { first = vec4(1.0); }\n"
SECOND = "layout(location = 1) out vec4 second;\nvoid main() { second = vec4(1.0); }\n"
NONE = "void main() { }\n"

Install = Callable[[Callable[[Any], object]], None]


def frames_of_a_plugin(folder: Path, *, strict: bool = True, frames: int = 1) -> None:
    backend, shaders = NullBackend(), ShaderLibrary([GLSL, folder])
    chosen = PluginChoice(enable=("extra",))
    session = Session(Marbles, backend, (32, 18), choice=chosen, strict=strict, shaders=shaders)
    with closing(session), closing(backend.create_target((32, 18))) as target:
        for _ in range(frames):
            session.step()
            session.render(target)
        assert "extra/node" in [node.declaration.name for node in session.runtime.plan.graph.nodes]


def draws(*files: str, kind: str = "graphics", clear: tuple[float, ...] | None = None) -> Callable[[Any], object]:
    """Declares a node that draws to two targets."""

    def declare(reg: Any) -> object:
        reg.modify("albedo").color()
        reg.create("own", Texture("rgba8_unorm", reg.resolution("main_view"))).color(clear=clear)
        pipelines = [getattr(reg, kind)(file) for file in files]
        return lambda cmd: [cmd.draw(pipeline) for pipeline in pipelines]

    return declare


@pytest.fixture
def shaders(tmp_path: Path) -> Path:
    for name, code in {"first.frag": FIRST, "second.frag": SECOND, "none.frag": NONE}.items():
        (tmp_path / name).write_text(f"#version 450\n{code}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("kind", ["graphics", "fullscreen"])
@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("first.frag", 'to "own", but `first.frag` has no output at location 1: its contents are undefined'),
        ("second.frag", 'to "albedo", but `second.frag` has no output at location 0: it stays as it was'),
    ],
)
def test_a_target_that_the_shader_does_not_write_is_named(
    kind: str, file: str, words: str, shaders: Path, install: Install
) -> None:
    install(draws(file, kind=kind))
    with pytest.raises(PluginError) as caught:
        frames_of_a_plugin(shaders)
    assert caught.value.message == f'node "extra/node" of plugin "extra" renders {words}'
    assert "out in the shader, or leave the request out" in caught.value.hint
    assert caught.value.where is not None
    line = Path(__file__).read_text(encoding="utf-8").splitlines()[caught.value.where.line - 1]
    assert ('"own"' if file == "first.frag" else '"albedo"') in line


def test_several_shaders_that_do_not_write_a_target_are_named(shaders: Path, install: Install) -> None:
    install(draws("first.frag", "none.frag"))
    with pytest.raises(PluginError, match=r"but `first.frag` and `none.frag` have no output at location 1"):
        frames_of_a_plugin(shaders)


def test_a_pipeline_without_a_fragment_shader_is_named(shaders: Path, install: Install) -> None:
    install(draws(""))
    with pytest.raises(PluginError, match="but its pipeline without a fragment shader has no output at location 0"):
        frames_of_a_plugin(shaders)


def test_a_target_that_one_of_several_pipelines_writes_is_not_named(shaders: Path, install: Install) -> None:
    install(draws("first.frag", "second.frag"))
    frames_of_a_plugin(shaders)


def test_a_target_that_is_cleared_may_stay_so(shaders: Path, install: Install) -> None:
    install(draws("first.frag", clear=(0.0, 0.0, 0.0, 0.0)))
    frames_of_a_plugin(shaders)


def test_an_array_of_outputs_writes_as_many_targets(shaders: Path, install: Install) -> None:
    code = "layout(location = 0) out vec4 both[2];\nvoid main() { both[0] = both[1] = vec4(1.0); }\n"
    (shaders / "both.frag").write_text(f"#version 450\n{code}", encoding="utf-8")
    install(draws("both.frag"))
    frames_of_a_plugin(shaders)


@pytest.mark.parametrize("condition", ["HAS_FOG_MAP", "HAS_FOG_MAP == 1"])
def test_an_output_under_the_macro_of_an_optional_that_is_absent_is_not_named(
    condition: str, shaders: Path, install: Install
) -> None:
    code = f"#if {condition}\n{SECOND.splitlines()[0]}\n#endif\n{FIRST}"
    (shaders / "fog.frag").write_text(f"#version 450\n{code}", encoding="utf-8")

    def declare(reg: Any) -> object:
        reg.read("fog_map").sampled().optional()
        return draws("fog.frag")(reg)

    install(declare)
    frames_of_a_plugin(shaders)


@pytest.mark.parametrize("present", ["depth", "fog_map"])
def test_it_is_named_beside_an_optional_that_is_there_or_has_a_value(
    present: str, shaders: Path, install: Install
) -> None:
    def declare(reg: Any) -> object:
        reg.read(present).sampled().optional(1.0 if present == "fog_map" else None)
        return draws("first.frag")(reg)

    install(declare)
    with pytest.raises(PluginError, match="has no output at location 1"):
        frames_of_a_plugin(shaders)


def test_a_target_for_the_extent_of_a_shader_that_stores_is_not_named(shaders: Path, install: Install) -> None:
    code = "layout(rgba8, set = 0, binding = 0) uniform writeonly image2D grid;\n"
    code += "void main() { imageStore(grid, ivec2(gl_FragCoord.xy), vec4(1.0)); }\n"
    (shaders / "voxels.frag").write_text(f"#version 450\n{code}", encoding="utf-8")

    def declare(reg: Any) -> object:
        reg.modify("albedo").color()
        reg.create("own", Texture("rgba8_unorm", reg.resolution("main_view"))).storage_write().bind("grid")
        pipeline = reg.graphics("voxels.frag")
        return lambda cmd: cmd.draw(pipeline)

    install(declare)
    frames_of_a_plugin(shaders)


def test_a_node_without_pipelines_is_not_named(shaders: Path, install: Install) -> None:
    install(draws())
    frames_of_a_plugin(shaders)


def test_it_is_a_warning_of_the_first_frame_alone(
    shaders: Path, install: Install, caplog: pytest.LogCaptureFixture
) -> None:
    install(draws("first.frag"))
    frames_of_a_plugin(shaders, strict=False, frames=4)
    (record,) = [one for one in caplog.records if "has no output" in one.getMessage()]
    assert record.levelno == logging.WARNING
