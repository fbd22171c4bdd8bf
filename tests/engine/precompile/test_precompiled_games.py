"""Games are compiled ahead by name: their surface functions, and the plugins of their packages."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest
from playing import frames_of

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.plugins.discovery import FoundPlugin, find_plugins
from renderwright.engine.precompile import precompile
from renderwright.engine.precompile.library import RecordingLibrary
from renderwright.engine.precompile.names import Named, named_of
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import UsageError
from renderwright.render.shaders.portable import find_compiled

GAME = """
from pyglm import glm

from renderwright.engine import Camera, Game, GameContext, Material, Transform
from renderwright.engine.scene import SurfaceShader
from renderwright.engine.scene.primitives import box

KEPT = SurfaceShader("kept.glsl", {"tint": (0.1, 0.2, 0.3)})


class Tug(Game):
    title = "Tug"
    plugins = ("tonemap",)
    done = 0.0

    def setup(self, context: GameContext) -> None:
        context.scene.camera = Camera(glm.vec3(0.0, 2.0, 4.0), glm.vec3(0.0))
        context.scene.spawn(box(1.0), Material(surface=SurfaceShader("ball.glsl", {"width": 2.0})))

    def update(self, dt: float) -> None:
        self.done += dt
        if 0.2 < self.done < 0.2 + dt:
            late = Material(alpha_mode="mask", surface=SurfaceShader("late.glsl"))
            self.context.scene.spawn(box(1.0), late)
"""
PLAIN = """
from renderwright.engine import Game


class Plain(Game):
    title = "Plain"
"""
FUNCTIONS = {
    "kept.glsl": "surface.base_color *= parameters.tint;",
    "ball.glsl": "surface.roughness *= parameters.width;",
    "glsl/late.glsl": "surface.alpha = fract(at.uv.x);",
}
VEIL = """
from renderwright.engine.plugins import PluginInfo, hookimpl


@hookimpl
def renderwright_info():
    return PluginInfo("veil_of_tug", "1.0")


@hookimpl
def renderwright_nodes(graph):
    def veil(reg):
        reg.chain("tone")
        pipeline = reg.fullscreen("veil.frag")
        return lambda cmd: cmd.draw(pipeline)
    graph.add_node("veil", veil)
"""
SHADER = """#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 40) uniform sampler2D source;
void main() { color = 0.5 * texture(source, uv); }
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed game with functions in both places and a plugin."""
    folder = tmp_path / "tug_of_names"
    for file, line in FUNCTIONS.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(f"void own_surface(inout Surface surface, SurfacePoint at) {{ {line} }}\n")
    (folder / "__init__.py").write_text(GAME)
    (folder / "veil").mkdir()
    (folder / "veil" / "__init__.py").write_text(VEIL)
    (folder / "veil" / "glsl").mkdir()
    (folder / "veil" / "glsl" / "veil.frag").write_text(SHADER)
    info = tmp_path / "tug_of_names-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tug_of_names\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[renderwright.games]\ntug = tug_of_names:Tug\n[renderwright]\nveil_of_tug = tug_of_names.veil\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "tug_of_names"]:
        del sys.modules[name]


def _named(*names: str) -> Named:
    return named_of(names, {plugin.name: plugin for plugin in find_plugins()})


def test_a_game_brings_the_plugins_and_the_functions_of_its_package(package: Path) -> None:
    named = _named("tug")
    assert named.plugins == ("veil_of_tug",)
    (game,) = named.games
    assert game.plugins == ("tonemap",)
    assert {Path(surface.file) for surface in game.surfaces} == {package / file for file in FUNCTIONS}
    assert set(named.folders) == {package, package / "glsl", package / "veil" / "glsl"}
    assert _named("tug", "veil_of_tug", "tug").plugins == ("veil_of_tug",)


@pytest.fixture
def shiny(package: Path) -> Iterator[str]:
    """The import of a function of another package, which the game uses."""
    folder = package.parent / "shiny_looks"
    folder.mkdir()
    (folder / "shiny.glsl").write_text("void own_surface(inout Surface surface, SurfacePoint at) {}\n")
    (folder / "__init__.py").write_text(
        "from renderwright.engine.scene import SurfaceShader\n\nSHINY = SurfaceShader('shiny.glsl')\n"
    )
    yield "from shiny_looks import SHINY\n"
    sys.modules.pop("shiny_looks", None)


def _with_shiny(line: str) -> str:
    return line + GAME.replace('SurfaceShader("ball.glsl", {"width": 2.0})', "SHINY")


def test_functions_of_other_packages_are_not_those_of_the_game(package: Path, shiny: str) -> None:
    (package / "__init__.py").write_text(_with_shiny(shiny))
    (game,) = _named("tug").games
    assert {Path(surface.file).name for surface in game.surfaces} == {"kept.glsl", "late.glsl"}
    assert set(game.folders) == {package, package / "glsl"}


def test_a_package_beside_a_game_of_one_file_is_another_one(package: Path, shiny: str) -> None:
    file = package.parent / "alone.py"
    file.write_text(_with_shiny(shiny))
    (package / "__init__.py").unlink()
    for name in ("kept.glsl", "glsl"):
        (package / name).rename(package.parent / name)
    (game,) = _named(str(file)).games
    assert {Path(surface.file).name for surface in game.surfaces} == {"kept.glsl", "late.glsl"}


def test_names_without_shaders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    with pytest.raises(UsageError, match="has no shaders of its own, so there is nothing to compile"):
        _named(str(tmp_path / "plain.py"))
    with pytest.raises(UsageError, match='unknown plugin or game "marbels"') as caught:
        _named("marbels")
    assert "marbles" in caught.value.hint


def test_a_plugin_whose_wheel_lacks_its_shaders_hints_at_package_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("bare")
    module.__file__ = str(tmp_path / "bare" / "__init__.py")
    installed = {"bare": FoundPlugin("bare", lambda: module, module="bare")}
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    with pytest.raises(UsageError, match='plugin "bare" has no shaders of its own') as caught:
        named_of(["bare"], installed)
    assert caught.value.hint.endswith("a wheel has the files that package-data of its pyproject.toml names")


def test_a_game_that_is_compiled_ahead_needs_no_compiler(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENDERWRIGHT_PLUGINS", "tonemap")
    file = package / "in_a_file.py"
    file.write_text("\n".join(line for line in GAME.splitlines() if not line.startswith("KEPT")))
    shares: list[float] = []
    results = precompile([str(file)], shares.append)
    assert {result.folder for result in results} == {package, package / "glsl"}
    assert all(result.shaders for result in results)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    played = RecordingLibrary()
    game = find_game(str(file))
    clock = FixedStepClock(game.step, frame=1 / 60)
    with closing(Session(game, NullBackend(), (64, 64), clock=clock, shaders=played)) as session:
        frames_of(session, 40)
    own = [one for one in played.distinct(list(played.requests)) if one.parts]
    assert {Path(part.file).name for one in own for part in one.parts} == {"ball.glsl", "late.glsl"}
    for one in own:
        folders = [Path(part.file).parent for part in one.parts]
        assert find_compiled(played.source(one), folders) is not None, one
