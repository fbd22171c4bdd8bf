"""The wheel: one top-level package, whole, with compiled shaders, and deaf to what lies beside a game."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from wheels import FOLDERS, Environment, attempt, fresh_environment, run, tracked_files

TRAP = 'raise RuntimeError("a file of the user is taken for one of ours")\n'
GAME = """
from renderwright.engine import Game
from engine import SPEED
from render import WIDTH


class Own(Game):
    skeleton = "forward"

    def setup(self, context):
        assert (SPEED, WIDTH) == (3, 4)
        print("set up")
"""

# Plays each game with every choice of plugins, without a device, in one session in which they come and go.
PLAY_ALL = """
import gc
import json
import sys
from contextlib import closing
from dataclasses import replace

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.garbage import STARTING
from renderwright.engine.options import PluginChoice
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend

SIZE = (96, 54)
gc.set_threshold(*STARTING)  # as commands do


def play(session, target, enable, disable=(), settings=(), players=1, views=None):
    plugins = session.plugins
    for name in enable:
        plugins.enable(name)
    for name in disable:
        plugins.disable(name)
    before = [(plugin, key, getattr(plugins.status(plugin).settings, key)) for plugin, key, value in settings]
    for setting in settings:
        plugins.set(*setting)
    session.set_players(players)
    options = session.runtime.options
    session.runtime.options = replace(options, views=views or options.views)
    for _ in range(2):
        session.step()
        assert session.render(target) is not None
    assert all(plugins.is_enabled(name) for name in enable)
    session.runtime.options = options
    for setting in before:
        plugins.set(*setting)
    for name in enable:
        if name not in session.runner.game.plugins:
            plugins.disable(name)
    for name in disable:
        plugins.enable(name)


for name, choices in json.load(sys.stdin).items():
    game = find_game(name)
    clock = FixedStepClock(game.step, frame=1 / 60)
    # What is placed and not drawn is an error, unless the plugin is left out by name.
    off = PluginChoice(disable=("cookies", "decals", "mirrors", "particles"))
    backend = NullBackend()
    with closing(Session(game, backend, SIZE, choice=off, clock=clock, strict=True)) as session:
        target = backend.create_target(SIZE)
        for choice in choices:
            print(name, choice)
            play(session, target, **choice)
"""
SKELETONS = """
from renderwright.engine import Camera, Game
from renderwright.engine.scene.environment import Environment, Panorama
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box
from renderwright.engine.scene.sky import Sky
from renderwright.plugins.cookies import Cookie
from renderwright.plugins.decals import Decal
from renderwright.plugins.mirrors import Mirror
from renderwright.plugins.particles import Emitter, Particles


class Deferred(Game):
    skeleton = "deferred"
    plugins = ("tonemap",)
    max_players = 4

    def setup(self, context):
        context.scene.cameras = [Camera() for _ in range(4)]
        context.scene.placed.add(Emitter(Particles(additive=False)))
        context.scene.placed.add(Mirror())
        context.scene.spawn(box(1.0), Material(alpha_mode="blend"))


class Forward(Deferred):
    skeleton = "forward"


class Surrounded(Deferred):
    def setup(self, context):
        super().setup(context)
        for decal in Decal.examples():
            context.scene.placed.add(decal)
        for cookie in Cookie.examples():
            context.scene.add_light(cookie.light)
            context.scene.placed.add(cookie)
        context.scene.environment = Environment(Panorama.of_sky(Sky(), height=8))
        context.scene.placed.add(Emitter(Particles(lit=True)))
"""
EFFECTS = (
    *("bloom", "contact_shadows", "cookies", "decals", "depth_of_field", "fog", "fxaa", "grading", "mirrors"),
    *("motion_blur", "oit", "outline", "particles", "shadows", "ssao", "ssr", "taa", "tonemap", "volumetric_fog"),
)
FORWARD_EFFECTS = tuple(name for name in EFFECTS if name != "ssr")
"""Without what reads normals and materials, which the forward skeleton has not."""
OTHERS = ("split_screen", "ssaa", "upscaling", "vr")


def _choices(effects: Sequence[str]) -> Sequence[Mapping[str, object]]:
    """What plays these effects alone and together, in all kinds of views, and settings with own shaders."""

    def choice(*enable: str, settings: Mapping[str, object] = {}, **more: object) -> Mapping[str, object]:
        changes = [(*setting.split("."), value) for setting, value in settings.items()]
        return {"enable": enable, "settings": changes, **more}

    return (
        *(choice(name) for name in (*effects, *OTHERS)),
        choice(*effects),
        choice(*effects, "vr"),
        choice(*effects, "vr", views=1),
        choice(*effects, "vr", "ssaa", settings={"ssaa.samples": 4}),
        choice(*effects, "split_screen", players=3),
        choice(*effects, settings={"shadows.lights": 0, "shadows.edges": "pcss", "shadows.rate": 4}),
        choice("outline", "ssao", "taa", settings={"ssao.quality": "full", "ssao.multi_bounce": False}),
        choice("taa", "upscaling", "bloom", "vr", "split_screen", players=2),
        choice("shadows", "ssao", "vr", settings={"shadows.lights": 2}),
        choice("ssaa", settings={"tonemap.auto_exposure": True, "ssaa.samples": 9}),
        choice("ssaa", disable=["tonemap"], settings={"ssaa.samples": 16}),
    )


PLUGIN = """
from renderwright.engine.plugins import PluginInfo, hookimpl


def declare(reg):
    reg.chain("tone", format="rgba8_srgb", size=reg.resolution("picture"))
    pipeline = reg.graphics("tint.frag", defines={"AMOUNT": 0.5})
    return lambda cmd: cmd.draw(pipeline)


@hookimpl
def renderwright_info():
    return PluginInfo("tint", "0.1.0", "Tints the picture.")


@hookimpl
def renderwright_nodes(graph, settings):
    graph.add_node("tint", declare)
"""
TINT = """#version 450
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = texture(source, uv) * AMOUNT; }
"""


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A fresh environment with the wheel."""
    return fresh_environment(tmp_path_factory.mktemp("fresh") / "environment", wheel)


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    """A folder in which a user's files have the names of our folders."""
    for name in FOLDERS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(TRAP)
    (tmp_path / "render.py").write_text(TRAP)
    return tmp_path


def test_one_package_is_installed_with_all_its_files(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"renderwright"}
    wanted = {f"renderwright/{name}" for name in tracked_files(*FOLDERS)}
    assert len(wanted) > 500
    assert sorted(wanted - names) == []


def test_a_game_plays_beside_folders_of_the_same_names(installed: Environment, traps: Path) -> None:
    program = installed.renderwright
    run([program, "play", "marbles", "--headless", "--frames", "2", "--size", "96x54", "--screenshot", "a.png"], traps)
    assert (traps / "a.png").stat().st_size > 1000
    run([installed.python, "-m", "renderwright.engine.cli", "graph", "deferred"], traps)


def test_a_game_has_modules_of_the_same_names(installed: Environment, tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text("SPEED = 3\n")
    (tmp_path / "render.py").write_text("WIDTH = 4\n")
    (tmp_path / "plugins.py").write_text(GAME)
    line = "play plugins.py --headless --backend null --frames 1 --strict"
    assert "set up" in run([installed.renderwright, *line.split()], tmp_path)


def _without_glslc(folder: Path) -> dict[str, str]:
    return {
        "PATH": "/nonexistent",
        "RENDERWRIGHT_CACHE_DIR": str(folder / "cache"),
        "RENDERWRIGHT_CONFIG_DIR": str(folder / "config"),
    }


@pytest.mark.vulkan
def test_a_game_plays_without_glslc_and_without_a_cache(installed: Environment, tmp_path: Path) -> None:
    line = "play marbles --headless --frames 2 --size 96x54 --strict --screenshot"
    lines = (f"{line} one.png", f"{line} eyes.png --vr", f"{line} players.png --views 2")
    installed.asks(tmp_path, *lines, **_without_glslc(tmp_path))
    for name in ("one", "eyes", "players"):
        assert (tmp_path / f"{name}.png").stat().st_size > 1000
    assert not (tmp_path / "cache" / "shaders").exists()


def test_every_plugin_plays_without_glslc_on_every_skeleton(installed: Environment, tmp_path: Path) -> None:
    (tmp_path / "skeletons.py").write_text(SKELETONS)
    games = {"Deferred": EFFECTS, "Forward": FORWARD_EFFECTS, "Surrounded": EFFECTS}
    choices = {f"skeletons.py:{game}": _choices(effects) for game, effects in games.items()}
    run([installed.python, "-c", PLAY_ALL], tmp_path, json.dumps(choices), **_without_glslc(tmp_path))
    assert not (tmp_path / "cache" / "shaders").exists()


def test_the_plugins_of_the_tests_are_those_of_the_wheel(installed: Environment, traps: Path) -> None:
    listed = json.loads(run([installed.renderwright, "plugins", "list", "--json"], traps))
    names = {plugin["name"] for plugin in listed}
    assert names == {*EFFECTS, *OTHERS, "visor"}


@pytest.fixture
def tint(tmp_path: Path) -> Path:
    """A folder for PYTHONPATH with an installed plugin that brings only GLSL."""
    for name, text in {
        "tint_plugin/__init__.py": PLUGIN,
        "tint_plugin/glsl/tint.frag": TINT,
        "tint-0.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: tint\nVersion: 0.1\n",
        "tint-0.1.dist-info/entry_points.txt": "[renderwright]\ntint = tint_plugin\n",
    }.items():
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text(text)
    return tmp_path / "site"


def test_a_plugin_that_needs_glslc_is_left_out_until_it_brings_compiled_shaders(
    installed: Environment, tint: Path, tmp_path: Path
) -> None:
    program = installed.renderwright
    line = "play marbles --headless --backend null --frames 2 --size 96x54 --screenshot a.png --enable tint"
    variables = {"PYTHONPATH": str(tint), **_without_glslc(tmp_path)}
    left_out = attempt([program, *line.split()], tmp_path, **variables)
    assert left_out.returncode == 0
    assert 'plugin "tint" is quarantined' in left_out.stderr
    assert 'shader tint.frag of node "tint/tint" does not come compiled' in left_out.stderr
    assert "plugins: bloom, shadows, tonemap\n" in left_out.stderr
    assert attempt([program, *line.split(), "--strict"], tmp_path, **variables).returncode == 2

    refused = attempt([program, "precompile", "tint"], tmp_path, **variables)
    assert refused.returncode == 2
    assert "glslc" in refused.stderr
    # It is swept beside all others that may be played: here those of the game, which are enough.
    allowed = {"PYTHONPATH": str(tint), "RENDERWRIGHT_PLUGINS": "tint,bloom,shadows,tonemap,split_screen,vr"}
    told = run([program, "precompile", "tint"], tmp_path, **allowed)
    folder = tint / "tint_plugin" / "glsl" / "compiled"
    assert told == f"1 compiled shaders are in {folder}; 1 more come compiled with renderwright\n"
    played = attempt([program, *line.split(), "--strict"], tmp_path, **variables)
    assert played.returncode == 0, played.stderr
    assert "plugins: bloom, shadows, tint, tonemap\n" in played.stderr


def test_a_wheel_built_without_glslc_says_so(wheel: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(wheel.parent / "source", source)
    command = [sys.executable, "setup.py", "build_py", "--build-lib", str(tmp_path / "built")]
    built = attempt(command, source, PATH="/nonexistent")
    assert built.returncode == 0
    assert "built WITHOUT compiled shaders" in built.stdout + built.stderr
    refused = attempt(command, source, PATH="/nonexistent", RENDERWRIGHT_REQUIRE_COMPILED="1")
    assert refused.returncode != 0
    assert "glslc is not installed" in refused.stderr
