"""A second view of the whole frame: only the skeleton knows of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import ClassVar

import pytest

from engine.frame import build_frame
from engine.game import Game
from engine.options import PluginChoice
from engine.renderer.frame_input import FrameInput
from engine.renderer.gpu_scene import GpuScene
from engine.renderer.motion import MOTION_NODES
from engine.scene import Scene
from engine.skeleton import find_skeleton
from render.backend.null import NullBackend
from render.compiler.pipeline import compile_snapshot
from render.compiler.plan import Plan
from render.compiler.snapshot import CompileOptions
from render.memory.needs import RowMajorModel


def plan_with(skeleton: Path, views: int) -> Plan:
    class Scenery(Game):
        plugins: ClassVar[tuple[str, ...]] = ("shadows", "bloom", "tonemap")

    Scenery.skeleton = str(skeleton)
    frame = FrameInput.of(Scene(), GpuScene(NullBackend()))
    graph = build_frame(Scenery, PluginChoice(), (640, 360), frame, backend="vulkan").graph
    graph.set_count("view", views)
    assert graph.declare() == ()
    return compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())


@pytest.fixture
def split_screen(tmp_path: Path) -> Path:
    """The deferred skeleton with its creators repeated over views and eyes."""
    lines = find_skeleton("deferred").read_text().splitlines()
    for name in ("gbuffer", "lighting"):
        lines.insert(lines.index(f"  - name: {name}") + 1, "    multiplex: [view, eye]")
    path = tmp_path / "split_screen.yaml"
    path.write_text("\n".join(lines))
    return path


def test_nodes_without_a_word_about_views_are_repeated_for_each(split_screen: Path) -> None:
    plan = plan_with(split_screen, 2)
    unread = {"motion", *(name for name, _ in MOTION_NODES)}
    assert {removal.node for removal in plan.removed} == unread
    assert not [problem for problem in plan.problems if problem.severity == "error"]
    instances = Counter(node.declaration.name for node in plan.graph.nodes)
    once = {"scene", "display", "present", "hud", "shadows/fit", "shadows/render"}
    assert {name for name, count in instances.items() if count == 1} == once
    twice = {"gbuffer", "opaque", "lighting", "deferred_lighting", "shadows/resolve", "tonemap/tonemap", "compose"}
    twice |= {"bloom/down1", "bloom/up1", "bloom/combine"}
    assert twice <= {name for name, count in instances.items() if count == 2}
    assert {item.id for item in plan.graph.resources} >= {"hdr@view=0", "hdr@view=1", "image", "shadows/map"}


def test_with_one_view_the_plan_is_that_of_the_plain_skeleton(split_screen: Path) -> None:
    split, plain = plan_with(split_screen, 1), plan_with(find_skeleton("deferred"), 1)
    assert [node.id for node in split.graph.nodes] == [node.id for node in plain.graph.nodes]
    assert split.placement == plain.placement
    assert split.sync == plain.sync
