"""Reports of dependencies that a barrier of all memory stands for."""

from __future__ import annotations

import pytest

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.inspect import explain, plan_to_json, plan_to_text
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.resources import Buffer, Texture

DESC = Texture("rgba8_unorm", (64, 64))
SCOPES = "color_attachment_output (color_attachment_write) -> fragment_shader (shader_sampled_read)"


@pytest.fixture(scope="module")
def plan() -> Plan:
    """``look`` reads one of two textures that are drawn together, ``end`` the other."""
    graph = FrameGraph()
    graph.add_sink("end")

    def draw(reg):
        reg.create("a", DESC).color()
        reg.create("b", DESC).color()

    def look(reg):
        reg.create("c", DESC).color()
        reg.read("a").sampled()

    def end(reg):
        reg.create("end", DESC).color()
        reg.read("b").sampled()
        reg.read("c").sampled()

    for name, declare in (("draw", draw), ("look", look), ("end", end)):
        graph.add_node(name, declare)
    assert graph.declare() == ()
    options = CompileOptions(unified_layouts=True, keep_images=False)
    return compile_snapshot(graph.snapshot(), graph.sizes(), options, RowMajorModel())


def test_json_says_what_stands_for_a_dependency(plan: Plan) -> None:
    found = {
        (one["resource"], one["before_pass"]): one["memory_barrier"]
        for one in plan_to_json(plan)["barriers"]
        if one["frame"] == 0
    }
    one = {"number": 0, "before_pass": 1, "behind": False, "frame_before": False}
    assert found == {
        ("a", 0): None,
        ("b", 0): None,
        ("a", 1): one,
        ("c", 1): None,
        ("b", 2): one,
        ("c", 2): None,
        ("end", 2): None,
    }


def test_the_text_lists_dependencies_below_what_stands_for_them(plan: Plan) -> None:
    text = plan_to_text(plan)
    assert "barriers, even frame (odd frame: the other copies):" in text
    assert f"  before pass 1:\n    all memory: {SCOPES}\n      a even: {SCOPES}; written, then read\n" in text
    assert f"    b even: {SCOPES}; written, then read; waited for before pass 1\n" in text
    assert f"    c even: {SCOPES}; written, then read\n" in text


def test_explanations_say_how_a_barrier_is_issued(plan: Plan) -> None:
    a, b, c = ([line for line in explain(plan, name).splitlines() if "written, then read" in line] for name in "abc")
    assert [line.partition("; issued")[2] for line in a] == [" as a barrier of all memory, which is also for `b`"]
    assert [line.partition("; issued")[2] for line in b] == [
        " as a barrier of all memory, before pass 1, which is also for `a`"
    ]
    assert [line.partition("; issued")[2] for line in c] == [""]


def test_reports_say_what_the_frame_before_has_waited_for() -> None:
    """Each copy of a buffer is written in every second frame; what the other one waits for holds for both."""
    graph = FrameGraph()

    def write(reg):
        reg.create("a", Buffer(256)).storage_write()

    def read(reg):
        reg.read("a").storage_read()
        reg.side_effects()

    for name, declare in (("write", write), ("read", read)):
        graph.add_node(name, declare)
    assert graph.declare() == ()
    options = CompileOptions(alias=False, unified_layouts=True)
    plan = compile_snapshot(graph.snapshot(), graph.sizes(), options, RowMajorModel())
    found = [one["memory_barrier"] for one in plan_to_json(plan)["barriers"] if one["before_pass"] == 0]
    assert found == [
        {"number": 0, "before_pass": 0, "behind": False, "frame_before": True},
        {"number": 0, "before_pass": 0, "behind": False, "frame_before": False},
    ]
    assert "waited for before pass 0, in the frame before" in plan_to_text(plan)
    assert "issued as a barrier of all memory, before pass 0 of the frame before" in explain(plan, "a")
