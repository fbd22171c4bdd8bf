"""Full-screen nodes that become compute nodes, and the reasons of those that cannot."""

from __future__ import annotations

from dataclasses import replace

import pytest
from declare_helpers import COLOR, DEPTH, create, external, graph, modify, node, place, read

from renderwright.render.compiler.pipeline import CompileOptions, compile_snapshot
from renderwright.render.compiler.resolve.fullscreen import store_from_compute_shaders
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.requests import PipelineRequest
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.inspect import explain, plan_to_json, plan_to_text
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.parts import Part
from renderwright.render.types.usages import ShaderStage, Usage

SHADERS = ((ShaderStage.VERTEX, "fullscreen.vert"), (ShaderStage.FRAGMENT, "a.frag"))
FULLSCREEN = PipelineRequest("graphics", SHADERS, place(), fullscreen=True)
FORMATS = frozenset({"rgba8_unorm"})


def target(name: str = "picture", desc=COLOR, **more):
    return create(name, desc, usage=Usage.COLOR, **more)


def fullscreen(*requests, **more):
    return node("cover", *requests, pipelines=(FULLSCREEN,), sink=True, **more)


def obstacle(*nodes) -> str:
    """Why the node draws; '' if it is a compute node."""
    found = store_from_compute_shaders(resolve(graph(*nodes)), FORMATS)
    cover = next(one for one in found.nodes if one.name == "cover")
    (pipeline, *_) = cover.declaration.pipelines
    assert (pipeline.kind == "compute") == (not found.drawn)
    return found.drawn[0].reason if found.drawn else ""


def test_render_targets_become_images_in_the_order_of_locations() -> None:
    sampled = read("depth", usage=Usage.SAMPLED)
    cover = fullscreen(target("first"), sampled, modify("second", usage=Usage.COLOR, binding="second"))
    made = node("make", target("second"), create("depth", DEPTH, usage=Usage.DEPTH))
    found = store_from_compute_shaders(resolve(graph(cover, made)), FORMATS)
    (node_,) = [one for one in found.nodes if one.name == "cover"]
    assert [(one.usage, one.stages, one.binding) for one in node_.declaration.requests] == [
        (Usage.STORAGE_WRITE, (ShaderStage.COMPUTE,), "fullscreen_output_0"),
        (Usage.SAMPLED, (ShaderStage.COMPUTE,), sampled.binding),
        (Usage.STORAGE_WRITE, (ShaderStage.COMPUTE,), "fullscreen_output_1"),
    ]
    assert [bound.request for bound in node_.requests] == list(node_.declaration.requests)
    (pipeline,) = node_.declaration.pipelines
    assert (pipeline.kind, pipeline.shaders) == ("compute", ((ShaderStage.COMPUTE, "a.frag"),))
    assert [one.declaration.pipelines for one in found.nodes if one.name == "make"] == [()]


def test_layers_and_samples() -> None:
    layered = replace(COLOR, layers=3)
    assert obstacle(fullscreen(target(desc=layered))) == "it draws to several layers of `picture`"
    assert obstacle(fullscreen(target(desc=layered, part=Part(layers=(1, 1))))) == ""
    assert obstacle(fullscreen(target(desc=replace(COLOR, samples=4)))) == "`picture` has several samples a texel"


def test_fixed_function_state() -> None:
    other = PipelineRequest("graphics", SHADERS, place())
    assert obstacle(fullscreen(target(), state=(("blend", "alpha"),))) == "it sets fixed-function state"
    assert obstacle(node("cover", target(), pipelines=(FULLSCREEN, other), sink=True)) == "it has another pipeline"
    tested = fullscreen(target(), create("depth", DEPTH, usage=Usage.DEPTH))
    assert obstacle(tested) == "it uses `depth` as depth"


def test_textures_that_no_shader_stores_to() -> None:
    reason = "compute shaders cannot store to `picture`, whose format is r16_sfloat"
    assert obstacle(fullscreen(target(desc=replace(COLOR, format="r16_sfloat")))) == reason
    outside = fullscreen(external("window", usage=Usage.COLOR))
    assert obstacle(outside) == "`window` comes from outside the frame"
    made = node("make", target())
    assert obstacle(made, fullscreen(modify("picture", usage=Usage.COLOR, optional=True))) == "`picture` may be absent"


def test_several_views_at_once_are_several_compute_nodes() -> None:
    found = store_from_compute_shaders(resolve(graph(fullscreen(target(), multiview="eye"))), FORMATS)
    assert [one.declaration.multiview for one in found.nodes] == [""]


@pytest.fixture
def frame() -> GraphSnapshot:
    shown = node("show", read("picture", usage=Usage.SAMPLED), sink=True)
    return graph(fullscreen(target(), queues=("compute", "graphics")), shown)


def planned(frame: GraphSnapshot, **more) -> Plan:
    return compile_snapshot(frame, SizeInputs(), CompileOptions(**more), RowMajorModel())


def test_without_a_device_full_screen_nodes_draw(frame: GraphSnapshot) -> None:
    for how, passes in ((Fullscreen.AUTO, 1), (Fullscreen.FRAGMENT, 1), (Fullscreen.COMPUTE, 0)):
        plan = planned(frame, fullscreen=how)
        assert sum(1 for one in plan.pass_plan.passes if one.attachments) == passes


def test_reports_say_how_a_node_runs_and_why(frame: GraphSnapshot) -> None:
    reason = "compute shaders cannot store to `picture`, whose format is rgba8_unorm"
    found = {
        "fragment": planned(frame, fullscreen=Fullscreen.FRAGMENT),
        "compute": planned(frame, fullscreen=Fullscreen.COMPUTE),
        "obstacle": planned(frame, fullscreen=Fullscreen.COMPUTE, storage_formats=frozenset({"r32_sfloat"})),
    }
    nodes = {name: next(n for n in plan_to_json(plan)["nodes"] if n["name"] == "cover") for name, plan in found.items()}
    assert (nodes["fragment"]["fullscreen"], nodes["compute"]["fullscreen"]) == ("fragment", "compute")
    assert (nodes["obstacle"]["fullscreen"], nodes["obstacle"]["fullscreen_obstacle"]) == ("fragment", reason)
    assert all("fullscreen_obstacle" not in nodes[name] for name in ("fragment", "compute"))
    assert "runs full screen as a compute shader" in explain(found["compute"], "cover")
    assert f"cannot be a compute shader: {reason}" in explain(found["obstacle"], "cover")
    texts = {name: plan_to_text(plan) for name, plan in found.items()}
    assert f"    [cover] (full screen, draws: {reason}) create" in texts["obstacle"]
    assert "    [cover] (full screen, draws) create" in texts["fragment"]
    assert "    [cover] (full screen, as a compute shader) create" in texts["compute"]
    assert "full screen" not in explain(found["fragment"], "cover")


def test_a_compute_node_may_leave_the_graphics_queue(frame: GraphSnapshot) -> None:
    both = ("graphics", "compute")
    drawn, computed = (planned(frame, queues=both, fullscreen=how) for how in (Fullscreen.FRAGMENT, Fullscreen.COMPUTE))
    assert drawn.queues.reasons[0] == "not on the compute queue: it has a graphics pipeline"
    assert computed.queues.reasons[0] == "no other queue makes the frame shorter"
