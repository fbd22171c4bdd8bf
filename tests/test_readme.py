"""The README's examples work as they stand."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

from renderwright.engine.cli import main
from renderwright.engine.game import Game, GameContext, GameRunner
from renderwright.engine.plugins import FoundPlugin, PluginHost, PluginState
from renderwright.engine.skeleton import VIEWPORT, parse_skeleton, to_snapshot
from renderwright.render.compiler.pipeline import CompileOptions, compile_snapshot
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.snapshot import ResolutionRule, SizeInputs
from renderwright.render.memory.needs import RowMajorModel

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def _example(language: str, containing: str) -> str:
    blocks = re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    (block,) = (block for block in blocks if containing in block)
    return str(block)


def _module(text: str) -> Any:
    module = ModuleType("readme_example")
    exec(compile(text, "README.md", "exec"), vars(module))
    return module


def test_the_game_turns_its_cube() -> None:
    game = _module(_example("python", "Spinner")).Spinner()
    assert isinstance(game, Game)
    runner = GameRunner(game, GameContext())
    runner.start()
    before = game.cube.transform.copy()
    runner.frame(0.1)
    assert game.cube.transform.rotation != before.rotation
    runner.close()


def test_the_plugin_adds_its_node(tmp_path: Path) -> None:
    module = _module(_example("python", "VignetteSettings"))
    module.__file__ = str(tmp_path / "vignette.py")
    graph = FrameGraph()
    host = PluginHost(graph, strict=True, found=[FoundPlugin("vignette", lambda: module)], environment={})
    assert host.enable("vignette").state is PluginState.ENABLED
    host.set("vignette", "strength", "0.7")
    assert graph.declare() == ()
    (node,) = graph.snapshot().nodes
    assert (node.name, [member.chain for member in node.chains]) == ("vignette/darken", ["post_hdr"])


def test_the_shader_compiles(tmp_path: Path) -> None:
    shader = tmp_path / "vignette.frag"
    shader.write_text(_example("glsl", "strength"))
    subprocess.run(["glslc", str(shader), "-o", str(tmp_path / "out.spv")], check=True)


def test_the_skeleton_plans_alone() -> None:
    skeleton = parse_skeleton(_example("yaml", "smallest").encode(), "README.md")
    sizes = SizeInputs(resolutions=(ResolutionRule("output", size=(64, 36)), VIEWPORT, *skeleton.resolutions))
    plan = compile_snapshot(to_snapshot(skeleton), sizes, CompileOptions(), RowMajorModel())
    assert [node.id for node in plan.graph.nodes] == ["forward", "transparent", "display", "present"]


def test_the_game_plays_on_the_skeleton(tmp_path: Path) -> None:
    (tmp_path / "smallest.yaml").write_text(_example("yaml", "smallest"))
    game = tmp_path / "spinner.py"
    game.write_text(_example("python", "Spinner").replace('"forward"', '"smallest.yaml"'))
    line = f"play {game} --headless --backend null --frames 2 --size 64x36 --strict --screenshot {tmp_path / 'a.png'}"
    assert main(line.split()) == 0


def test_every_file_that_is_linked_exists() -> None:
    root = Path(__file__).parents[1]
    for file in (root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))):
        for target in re.findall(r"\]\(([^)#:]+)\)", file.read_text(encoding="utf-8")):
            assert (file.parent / target).exists(), f"{file.name} links to {target}"
