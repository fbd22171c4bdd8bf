"""The plugin of docs/writing-plugins.md works as it stands there, and its table names every command."""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from playing import Picture, frames_of

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.frame import build_frame
from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins import FoundPlugin, PluginState, discovery, host
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.renderer.masked import masked_nodes
from renderwright.engine.renderer.surface_nodes import attribute_nodes, layer_nodes
from renderwright.engine.scaffold import PluginKind, new_plugin
from renderwright.engine.scene import Scene
from renderwright.engine.scene.material import AlphaMode
from renderwright.engine.session import Session
from renderwright.engine.testing import PlayedGame
from renderwright.render import Commands
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.memory.needs import RowMajorModel

PAGE = (Path(__file__).parents[1] / "docs" / "writing-plugins.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Commands\n")[2].partition("\n## ")[0]
OF_THE_RUNTIME = {"finish", "start"}
"""Methods that a node does not call."""


class Bright(Game):
    """A sky and nothing else."""

    title = "Bright"
    plugins = ("tonemap",)


def _example(language: str, containing: str) -> str:
    blocks = re.findall(rf"^```{language}\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL)
    (block,) = (block for block in blocks if containing in block)
    return str(block)


def _lens(folder: Path) -> ModuleType:
    """The page's plugin as a module in ``folder``, with its shaders."""
    (folder / "glsl").mkdir()
    (folder / "glsl" / "mask.comp").write_text(_example("glsl", "imageStore"))
    (folder / "glsl" / "apply.frag").write_text(_example("glsl", "out vec4 color"))
    module = ModuleType("lens")
    module.__file__ = str(folder / "lens.py")
    exec(compile(_example("python", "graph.add_node"), "writing-plugins.md", "exec"), vars(module))
    return module


def _picture(backend: VulkanBackend, *plugins: str) -> Picture:
    clock = FixedStepClock(Bright.step, frame=1 / 60)
    choice = PluginChoice(enable=plugins)
    with closing(Session(Bright, backend, (48, 27), choice=choice, clock=clock, strict=True)) as session:
        picture = frames_of(session, 1)[0]
        assert all(session.plugins.status(name).state is PluginState.ENABLED for name in plugins)
    return picture


@pytest.mark.vulkan
def test_the_compute_node_and_its_reader_darken_the_picture(
    backend: VulkanBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lens = FoundPlugin("lens", lambda: module)
    module = _lens(tmp_path)
    found = (*discovery.find_plugins(), lens)
    monkeypatch.setattr(host, "find_plugins", lambda: found)
    plain, masked = _picture(backend), _picture(backend, "lens")
    assert np.all(masked[..., :3] <= plain[..., :3] + 1)
    assert masked[..., :3].mean() < plain[..., :3].mean() - 1.0


def test_the_new_plugin_is_the_one_of_the_page() -> None:
    files = new_plugin("vignette").files
    tree, packaging = (block.partition("\n")[2] for block in PAGE.split("```")[3:6:2])
    assert {line.split()[0].rpartition("/")[2] for line in tree.splitlines() if not line.split()[0].endswith("/")} == {
        path.rpartition("/")[2] for path in files
    }
    shown, written = tomllib.loads(packaging), tomllib.loads(files["pyproject.toml"])
    assert written["project"]["entry-points"] == shown["project"]["entry-points"]
    assert written["tool"]["setuptools"]["package-data"] == shown["tool"]["setuptools"]["package-data"]
    table = PAGE.partition("| kind |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == set(PluginKind)


def test_the_table_names_every_command() -> None:
    members = {name for name in vars(Commands) if not name.startswith("_")} - OF_THE_RUNTIME
    members |= {"frame", "slot", "index", "extent", "views", "recorder"}
    named = set(re.findall(r"`cmd\.(\w+)", SECTION))
    assert members == named


@pytest.mark.parametrize(("skeleton", "column"), [("deferred", 2), ("forward", 3)])
def test_the_nodes_of_the_table_of_geometry_are_the_engines(skeleton: str, column: int) -> None:
    game = type("Empty", (Game,), {"skeleton": skeleton, "plugins": ()})
    with closing(Session(game, NullBackend(), (64, 36))) as session:
        names = set(session.graph.node_names)
    modes: tuple[AlphaMode, ...] = ("opaque", "mask")
    for mode in modes:
        names |= {**attribute_nodes(names, mode), **layer_nodes(names, mode)}.keys()
    names |= masked_nodes(names).keys() | {"blended"}
    table = PAGE.partition("### Opaque geometry of your own\n")[2].partition("| writes |")[2].partition("\n\n")[0]
    rows = [line.split("|") for line in table.splitlines()[2:]]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row[column])} - {"depth"}
    assert "attributes_opaque" in named
    assert named <= names


@pytest.fixture
def vignette(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The plugin that `renderwright new plugin vignette` writes, as an installed one."""
    package = new_plugin("vignette")
    for path, text in package.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    found = (*discovery.find_plugins(), FoundPlugin("vignette", lambda: importlib.import_module("vignette_plugin")))
    monkeypatch.setattr(host, "find_plugins", lambda: found)
    yield
    sys.modules.pop("vignette_plugin", None)


def _examples(section: str) -> dict[str, Any]:
    """The names after all examples of a section of the page have run, one after the other."""
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", section, re.MULTILINE | re.DOTALL):
        exec(compile(block, "writing-plugins.md", "exec"), names)
    return names


@pytest.mark.vulkan
@pytest.mark.usefixtures("vignette")
def test_the_test_of_a_node_passes_as_it_stands() -> None:
    names = _examples(PAGE.partition("## Testing a node\n")[2].partition("\n## ")[0])
    names["test_the_corners_alone_are_dark"]()


@pytest.mark.vulkan
@pytest.mark.usefixtures("vignette")
@pytest.mark.parametrize("name", ["vulkan", "opengl"])
def test_the_tests_of_a_plugin_pass_as_they_stand(backend: VulkanBackend, name: str) -> None:
    section = PAGE.partition("## Testing a plugin in a game\n")[2].partition("\n## ")[0]
    names = _examples(section)
    with ExitStack() as games:

        def played(game: str, **options: Any) -> PlayedGame:
            return games.enter_context(PlayedGame(game, backend=backend, **options))

        if name == "vulkan":
            names["test_corners_are_dark"]()
            names["test_input"](played)
        names["test_corners_are_dark_on_both_backends"](name)
        game = played("marbles", enable=["vignette"], size=(96, 54))
        game.picture()
        for switch, there in ((game.session.plugins.disable, False), (game.session.plugins.enable, True)):
            assert f'{switch.__name__}("vignette")' in section
            switch("vignette")
            game.picture(2)
            assert ("vignette/darken" in game.nodes) == there


def test_both_eyes_share_the_exposure_of_the_page() -> None:
    section = PAGE.partition("## Views, eyes, samples, tiles\n")[2].partition("\n## ")[0]
    (block,) = (block for block in re.findall(r"^```python\n(.*?)^```", section, re.M | re.S) if "def adapt" in block)
    names: dict[str, Any] = {}
    exec(compile(block, "writing-plugins.md", "exec"), names)
    frame = FrameInput.of(Scene(), GpuScene(NullBackend()))
    graph = build_frame(Bright, PluginChoice(), (640, 360), frame, backend="vulkan", strict=True).graph
    nodes = ("begin", "measure", "adapt", "expose")
    for name in nodes:
        graph.add_node(f"meter/{name}", names[name])
    for players in (1, 2):
        graph.set_count("view", players)
        graph.set_count("eye", 2)
        assert graph.declare() == ()
        plan = compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())
        counts = Counter(node.declaration.name for node in plan.graph.nodes)
        assert [counts[f"meter/{name}"] for name in nodes] == [players, 2 * players, players, 2 * players]
