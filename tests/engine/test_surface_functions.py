"""Which surface functions are drawn: those that compile, and of plugins those that are on. The others are told once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from edited_plugins import MODULE, NAME, PluginFiles, installed
from playing import frames_of

from renderwright.engine import Game, GameContext
from renderwright.engine.cli import main
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins import PluginState
from renderwright.engine.renderer.surface_variants import SURFACE_FACT
from renderwright.engine.scene import Image, Material, SurfaceShader
from renderwright.engine.scene.primitives import box
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import PluginError, UsageError

EXTENT = (64, 64)
PICTURE = Image("picture", np.zeros((1, 1, 4), np.uint8))
FUNCTION = """void own_surface(inout Surface surface, SurfacePoint at) {
    surface.base_color *= parameters.tint * parameters.strength;
}
"""
WRONG = FUNCTION.replace("parameters.tint", "parameters.tin")
PLUGIN = """
from renderwright.engine.plugins import PluginInfo, hookimpl
from renderwright.engine.scene import SurfaceShader

RUST = SurfaceShader("rust.glsl", {"tint": (1.0, 0.5, 0.2), "strength": 1.0}, plugin="edited")


@hookimpl
def renderwright_info() -> PluginInfo:
    return PluginInfo("edited", "0.1.0", "Rust.", surfaces=(RUST,))
"""


class Boxes(Game):
    plugins = ()
    materials: tuple[Material, ...] = ()

    def setup(self, context: GameContext) -> None:
        for material in self.materials:
            context.scene.spawn(box(1.0), material)


@contextmanager
def playing(*surfaces: SurfaceShader | None, on: bool = False, strict: bool = False) -> Iterator[Session]:
    game = type("Placed", (Boxes,), {"materials": tuple(Material(surface=surface) for surface in surfaces)})
    choice = PluginChoice(enable=(NAME,) if on else ())
    with closing(Session(game, NullBackend(), EXTENT, choice=choice, strict=strict)) as session:
        yield session


@pytest.fixture
def own(tmp_path: Path) -> SurfaceShader:
    (tmp_path / "own.glsl").write_text(FUNCTION)
    return SurfaceShader(str(tmp_path / "own.glsl"), {"tint": (1.0, 0.5, 0.2), "strength": 1.0})


@pytest.fixture
def files(tmp_path: Path) -> Iterator[PluginFiles]:
    with installed(tmp_path) as files:
        files.python.write_text(PLUGIN)
        (files.shader.parent / "rust.glsl").write_text(FUNCTION)
        yield files


def rust(**parameters: object) -> SurfaceShader:
    return SurfaceShader("rust.glsl", parameters, plugin=NAME)  # type: ignore[arg-type]


def opaque(session: Session) -> int:
    """The pipelines of the node that draws opaque surfaces."""
    return len(session.graph.declared("opaque").declaration.pipelines)


def told(caplog: pytest.LogCaptureFixture, log: str = "renderwright.scene") -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == log]


def test_materials_that_differ_in_values_share_shaders(own: SurfaceShader) -> None:
    other = replace(own, parameters={"tint": (0.0, 0.0, 1.0), "strength": 0.5})
    with playing(own, other, None) as session:
        frames_of(session, 2)
        assert opaque(session) == 4
        assert len({chosen.variant for chosen in session._surfaces.chosen.values()}) == 1
    with playing(own, replace(own, images={"pattern": PICTURE})) as session:
        frames_of(session, 2)
        assert opaque(session) == 6


def test_a_scene_without_them_has_todays_plan_and_shaders(own: SurfaceShader) -> None:
    with playing(None) as session:
        frames_of(session, 2)
        pipelines = session.graph.declared("opaque").declaration.pipelines
        assert [pipeline.parts for pipeline in pipelines] == [(), ()]
        assert "surface_rows" not in session.graph.node_names
        assert session.graph.declared("opaque").facts == {SURFACE_FACT: None}
        plain = session.graph.snapshot()
        entity = session.context.scene.entities[0]
        entity.material = Material(surface=own)
        frames_of(session, 2)
        assert opaque(session) == 4
        assert "surface_rows" in session.graph.node_names
        entity.material = Material()
        frames_of(session, 2)
        assert [node.pipelines for node in session.graph.snapshot().nodes] == [node.pipelines for node in plain.nodes]
        assert session._surfaces.chosen == {}


def test_one_that_does_not_compile_is_left_out(own: SurfaceShader, caplog: pytest.LogCaptureFixture) -> None:
    wrong = Path(own.file).with_name("wrong.glsl")
    wrong.write_text(WRONG)
    with playing(own, replace(own, file=str(wrong)), None) as session:
        frames_of(session, 3)
        assert opaque(session) == 4
        assert list(session._surfaces.chosen) == [own]
    (message,) = told(caplog)
    assert message.startswith(f"{wrong}:2")
    assert f"materials with the surface function of {wrong} (made at {__file__}:" in message
    assert "are drawn without it" in message
    assert "2 |     surface.base_color *= parameters.tin * parameters.strength;" in message


def test_one_of_another_name_is_told_what_to_define(own: SurfaceShader, caplog: pytest.LogCaptureFixture) -> None:
    file = Path(own.file)
    file.write_text(file.read_text().replace("own_surface", "my_surface"))
    with playing(own, None) as session:
        frames_of(session, 2)
    (message,) = told(caplog)
    assert message.startswith(f"{file}:")
    assert "own_surface is missing" in message
    assert "define `void own_surface(inout Surface surface, SurfacePoint at)`" in message
    assert "forward.frag" not in message
    assert "gbuffer.frag" not in message


def test_one_that_declares_resources_is_left_out(own: SurfaceShader, caplog: pytest.LogCaptureFixture) -> None:
    Path(own.file).write_text(f"layout(set = 0, binding = 60) uniform sampler2D noise;\n{FUNCTION}")
    with playing(own, None) as session:
        frames_of(session, 2)
        assert opaque(session) == 2
    (message,) = told(caplog)
    assert message.startswith(f"{own.file}:1")
    assert "declares an input, an output or a resource" in message


def test_a_missing_compiler_is_told_at_the_line_of_the_material(
    own: SurfaceShader, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENDERWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    with playing(None) as session:
        frames_of(session, 2)
    monkeypatch.setenv("PATH", "/nonexistent")
    with playing(own) as session:
        frames_of(session, 2)
    (message,) = told(caplog)
    assert message.startswith(f"{own.made_at}: materials with the surface function of {own.file} are drawn without it")
    assert "the compiler glslc is not installed" in message
    assert "with the name of a plugin or a game for its shaders" in message


def test_strict_makes_that_an_error(own: SurfaceShader) -> None:
    Path(own.file).write_text(WRONG)
    with playing(own, strict=True) as session, pytest.raises(UsageError, match=r"parameters\.tin"):
        frames_of(session, 2)


def test_one_of_a_plugin_has_what_is_left_out_from_the_plugin(files: PluginFiles) -> None:
    with playing(rust(strength=0.5), rust(), on=True) as session:
        frames_of(session, 2)
        assert opaque(session) == 4
        values = [chosen.values for chosen in session._surfaces.chosen.values()]
        assert values == [((1.0, 0.5, 0.2), 0.5), ((1.0, 0.5, 0.2), 1.0)]
        (variant,) = {chosen.variant for chosen in session._surfaces.chosen.values()}
        assert variant.file == str(files.folder / MODULE / "glsl" / "rust.glsl")


def test_a_plugin_that_is_off_leaves_the_plain_material(files: PluginFiles, caplog: pytest.LogCaptureFixture) -> None:
    with playing(rust()) as session:
        frames_of(session, 3)
        assert opaque(session) == 2
        (message,) = told(caplog)
        assert 'surface function "rust.glsl" of plugin "edited" are drawn without it' in message
        assert f'add "{NAME}" to the plugins of the game' in message
        assert f"{__file__}:" in message
        session.toggle(NAME)
        frames_of(session, 2)
        assert opaque(session) == 4
        session.toggle(NAME)
        frames_of(session, 2)
        assert opaque(session) == 2


@pytest.mark.parametrize(
    ("surface", "message"),
    [
        (SurfaceShader("rust.glsl", plugin="edit"), 'there is no such plugin\n  did you mean "edited"?'),
        (SurfaceShader("rus.glsl", plugin=NAME), 'the plugin brings no such file\n  did you mean "rust.glsl"?'),
        (rust(strenght=1.0), 'the plugin has no "strenght" among its parameters\n  did you mean "strength"?'),
        (rust(tint=1.0), 'its parameter "tint" has 1 components\n  give 3'),
        (
            SurfaceShader("rust.glsl", images={"pattern": PICTURE}, plugin=NAME),
            'the plugin has no "pattern" among its images\n  known: ',
        ),
    ],
)
def test_what_a_plugin_does_not_have_is_told(
    files: PluginFiles, surface: SurfaceShader, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    with playing(surface, on=True) as session:
        frames_of(session, 2)
        assert opaque(session) == 2
    (line,) = told(caplog)
    assert message in line


def test_a_plugin_whose_function_does_not_compile_is_quarantined(
    files: PluginFiles, caplog: pytest.LogCaptureFixture
) -> None:
    (files.shader.parent / "rust.glsl").write_text(WRONG)
    with playing(rust(), None, on=True) as session:
        frames_of(session, 3)
        status = session.plugins.status(NAME)
        assert status.state is PluginState.QUARANTINED
        assert "rust.glsl:2" in status.reason
        assert opaque(session) == 2
        (files.shader.parent / "rust.glsl").write_text(FUNCTION)
        session.plugins.retry(NAME)
        frames_of(session, 2)
        assert opaque(session) == 4
    assert told(caplog) == []
    (message,) = told(caplog, "renderwright.plugins")
    assert f'plugin "{NAME}" is quarantined' in message


def test_info_lists_the_functions_of_a_plugin(files: PluginFiles, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugins", "info", NAME]) == 0
    assert "  surface   rust.glsl: tint=(1.0, 0.5, 0.2), strength=1.0\n" in capsys.readouterr().out
    assert main(["plugins", "info", NAME, "--json"]) == 0
    (surface,) = json.loads(capsys.readouterr().out)["surfaces"]
    assert surface == {"file": "rust.glsl", "parameters": {"tint": [1.0, 0.5, 0.2], "strength": 1.0}, "images": []}


def test_surfaces_of_a_plugin_are_its_own(files: PluginFiles) -> None:
    files.python.write_text(PLUGIN.replace('plugin="edited")', 'plugin="other")'))
    with pytest.raises(PluginError, match="surfaces of PluginInfo"), playing(None, on=True, strict=True):
        pass
