"""Several views of a whole frame: only the skeleton and the engine's cameras know of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import ClassVar

import pytest

from renderwright.engine.frame import build_frame
from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.renderer.motion import MOTION_NODES
from renderwright.engine.scene import Scene
from renderwright.engine.skeleton import find_skeleton
from renderwright.render.backend.null import NullBackend
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.physical import TextureInfo

MODE = "    multiplex: [view, eye, sample, tile]"


def graph_with(skeleton: Path) -> FrameGraph:
    class Scenery(Game):
        plugins: ClassVar[tuple[str, ...]] = ("bloom", "tonemap")

    Scenery.skeleton = str(skeleton)
    frame = FrameInput.of(Scene(), GpuScene(NullBackend()))
    return build_frame(Scenery, PluginChoice(), (640, 360), frame, backend="vulkan").graph


def compiled(graph: FrameGraph) -> Plan:
    assert graph.declare() == ()
    return compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())


def plan_with(skeleton: Path, **counts: int) -> Plan:
    graph = graph_with(skeleton)
    for dimension, count in counts.items():
        graph.set_count(dimension, count)
    return compiled(graph)


@pytest.mark.parametrize("counts", [{"view": 2}, {"eye": 2}, {"view": 2, "eye": 2}, {"sample": 4}, {"tile": 2}])
def test_nodes_without_a_word_about_views_are_repeated_for_each(counts: dict[str, int]) -> None:
    plan = plan_with(find_skeleton("deferred"), **counts)
    unread = {"motion", "opaque_color", "whole_views", *(name for name, _ in MOTION_NODES)}
    assert {removal.node for removal in plan.removed} == unread
    assert not [problem for problem in plan.problems if problem.severity == "error"]
    instances: Counter[str] = Counter()
    for node in plan.graph.nodes:  # some draw both eyes at once
        instances[node.declaration.name] += node.views.count if node.views is not None else 1
    product = 1
    for count in counts.values():
        product *= count
    once = {"scene", "scene_buffers", "display", "present", "hud_data"}
    assert {name for name, count in instances.items() if count == 1} - {"hud"} == once
    assert instances["hud"] == counts.get("view", 1)
    every = {"views", "gbuffer", "opaque", "lighting", "deferred_lighting", "tonemap/tonemap", "compose"}
    every |= {"bloom/down1", "bloom/up1", "bloom/combine"}
    assert every <= {name for name, count in instances.items() if count == product}
    assert {item.id for item in plan.graph.resources} >= {"image", "views", "draws"}


def test_with_one_view_the_plan_is_that_of_a_skeleton_without_views(tmp_path: Path) -> None:
    lines = find_skeleton("deferred").read_text().splitlines()
    assert MODE in lines
    plain_skeleton = tmp_path / "plain.yaml"
    plain_skeleton.write_text("\n".join(line for line in lines if line != MODE))
    views, plain = plan_with(find_skeleton("deferred")), plan_with(plain_skeleton)
    assert [node.id for node in views.graph.nodes] == [node.id for node in plain.graph.nodes]
    assert views.placement == plain.placement
    assert views.sync == plain.sync


def test_no_node_is_declared_anew_when_counts_and_sizes_change() -> None:
    graph = graph_with(find_skeleton("deferred"))
    compiled(graph)
    names = graph.node_names
    before = [graph.declared(name) for name in names]
    for count in (2, 4, 1):
        graph.set_count("view", count)
        graph.set_resolution("viewport", (320 // count, 180))
        compiled(graph)
        assert all(now is then for now, then in zip(map(graph.declared, names), before, strict=True))


def test_textures_of_a_view_have_the_size_of_its_rectangle() -> None:
    graph = graph_with(find_skeleton("forward"))
    graph.set_count("view", 2)
    graph.set_resolution("viewport", (319, 360))
    resources = compiled(graph).placement.resources
    extents = {placed.id: placed.info.extent for placed in resources if isinstance(placed.info, TextureInfo)}
    assert extents["hdr_lit@view=0"] == extents["depth@view=1"] == (319, 360)
    assert extents["image"] == (640, 360)
