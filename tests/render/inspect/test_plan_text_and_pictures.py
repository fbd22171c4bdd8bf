"""The text dump, and the pictures in DOT and Mermaid."""

from __future__ import annotations

from dataclasses import replace

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import NodeDeclaration, Rate, Request, Verb
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.inspect import plan_to_dot, plan_to_json, plan_to_mermaid, plan_to_text
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.sync.barriers import SyncPlan
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage

TEXT = """\
nodes: 2 in 2 passes
  pass 0: render 64x32
    color color clear (0, 0, 0, 1) -> store
    [effects/draw@view=0] create color color, read camera
  pass 1: commands (not merged: it renders to nothing)
    [effects/blur] read sampled color
resources:
  camera: blob, external
  color: rgba8_unorm 64x32 2 mips 4 samples, by effects/draw@view=0, color = final
    65536 bytes (64 KiB) at heap 0 + 0 [0, 2); heap 0 + 512 [2, 4), with history
heaps:
  0: textures, 66048 bytes (64.5 KiB), load 65536 bytes (64 KiB)
barriers, even frame (odd frame: the other copies):
  before pass 1:
    color even: color_attachment_output (color_attachment_write) -> compute_shader (shader_sampled_read), \
color_attachment -> shader_read_only; written, then read
  at the end:
    color even: color_attachment_output (color_attachment_write) -> compute_shader (shader_sampled_read), \
color_attachment -> shader_read_only; written, then read
state (3 switches saved):
  effects/draw@view=0: blend=color, depth_bias=(1.0, 2.0)
removed:
  effects/idle (dangling): "effects/idle" removed: nobody reads "x<y>"
problems:
  note order: two modifiers in an order of its own; say which
  error cycle: two modifiers in an order of its own; say which
"""


def test_text(plan: Plan) -> None:
    assert plan_to_text(plan) == TEXT


def test_frames_that_differ_are_both_printed(plan: Plan) -> None:
    text = plan_to_text(replace(plan, sync=SyncPlan(plan.sync.even, ())))
    assert "barriers, even frame:\n  before pass 1:" in text
    assert "barriers, odd frame:\nstate" in text


def test_rates_are_named() -> None:
    here = SourceLocation("a.py", 1)
    map_ = Request(Verb.CREATE, "map", here, usage=Usage.COLOR, desc=Texture("rgba8_unorm", (64, 64)))
    node = NodeDeclaration("draw", "", here, requests=(map_,), side_effects=True, rate=Rate(every=4, phase=1))
    plan = compile_snapshot(GraphSnapshot(nodes=(node,)), SizeInputs(), CompileOptions(), RowMajorModel())
    text = plan_to_text(plan)
    assert "[draw] (every 4 frames, 1 later) create color map" in text
    assert "65536 bytes (64 KiB) at heap 0 + 0 [0, 2); heap 0 + 0 [0, 2), kept" in text
    assert plan_to_json(plan)["nodes"][0]["rate"] == "every 4 frames, 1 later"


def test_dot(plan: Plan) -> None:
    lines = [line.strip() for line in plan_to_dot(plan).splitlines()]
    assert lines[0] == "digraph plan {"
    assert lines[-1] == "}"
    cluster = lines.index("subgraph cluster_0 {")
    assert lines[cluster + 1 : cluster + 4] == ['label="pass 0 64x32";', 'n0 [label="effects/draw@view=0"];', "}"]
    assert 'n1 [label="effects/blur"];' in lines
    assert 'n0 -> n1 [label="color"];' in lines
    (removed,) = [line for line in lines if line.startswith("r0 ")]
    assert 'label="effects/idle\\ndangling"' in removed
    assert 'nobody reads \\"x<y>\\""' in removed
    assert sum(line.count("{") - line.count("}") for line in lines) == 0


def test_mermaid(plan: Plan) -> None:
    assert plan_to_mermaid(plan).splitlines() == [
        "flowchart LR",
        '  subgraph p0["pass 0 64x32"]',
        '    n0["effects/draw@view=0"]',
        "  end",
        '  n1["effects/blur"]',
        '  n0 -->|"color"| n1',
        '  r0["effects/idle: dangling"]:::removed',
        "  classDef removed stroke-dasharray: 4 4, color: gray",
    ]


def test_names_cannot_break_out_of_a_picture(plan: Plan) -> None:
    odd = replace(plan.graph.nodes[1], id='a"]\n<b>\\')
    graph = replace(plan.graph, nodes=(plan.graph.nodes[0], odd), groups=())
    changed = replace(plan, graph=graph)
    assert 'n1 [label="a\\"]\\n<b>\\\\"];' in plan_to_dot(changed)
    assert 'n1["a&quot;] &lt;b&gt;\\"]' in plan_to_mermaid(changed)


def test_a_compiled_plan_is_reported_by_all() -> None:
    where = SourceLocation("a.py", 1)
    create = Request(Verb.CREATE, "image", where, usage=Usage.COLOR, desc=Texture("rgba8_unorm", (16, 8)))
    nodes = (NodeDeclaration("paint", "", where, requests=(create,)),)
    snapshot = GraphSnapshot(nodes, sinks=("image",))
    plan = compile_snapshot(snapshot, SizeInputs(), CompileOptions(), RowMajorModel())
    assert [resource["id"] for resource in plan_to_json(plan)["resources"]] == ["image"]
    assert "image: rgba8_unorm 16x8, by paint" in plan_to_text(plan)
    assert '"paint"' in plan_to_dot(plan)
    assert '"paint"' in plan_to_mermaid(plan)
