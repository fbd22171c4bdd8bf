"""Reports of split barriers: the set stands behind its pass, the wait before a later one."""

from __future__ import annotations

import math

import pytest

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.operations import NodeOp, SetEventOp, WaitEventOp
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.inspect import explain, plan_to_json, plan_to_text
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.resources import Buffer, Texture
from renderwright.render.types.usages import ShaderStage

DESC = Texture("rgba8_unorm", (64, 64))


def compiled(**options: object) -> Plan:
    """``draw`` makes a texture that ``look`` reads after the long work of ``count``."""
    graph = FrameGraph()
    graph.add_sink("end")

    def draw(reg):
        reg.create("picture", DESC).color()

    def count(reg):
        reg.cost(50)
        reg.create("sums", Buffer(256)).storage_write()

    def look(reg):
        reg.create("end", DESC).color()
        reg.read("picture").sampled()
        reg.read("sums").storage_read()

    for name, declare in (("draw", draw), ("count", count), ("look", look)):
        graph.add_node(name, declare)
    assert graph.declare() == ()
    options = CompileOptions(order="declared", keep_images=False, **options)
    return compile_snapshot(graph.snapshot(), graph.sizes(), options, RowMajorModel())


@pytest.fixture(scope="module", params=[False, True], ids=["by usage", "general layout"])
def plan(request: pytest.FixtureRequest) -> Plan:
    return compiled(unified_layouts=request.param)


def test_the_frame_has_a_split_barrier(plan: Plan) -> None:
    kinds = [type(op) for op in plan.program.even if isinstance(op, NodeOp | SetEventOp | WaitEventOp)]
    assert kinds == [NodeOp, SetEventOp, NodeOp, WaitEventOp, NodeOp]


def test_json_tells_the_halves_apart(plan: Plan) -> None:
    rows = [one for one in plan_to_json(plan)["barriers"] if one["frame"] == 0]
    split = [one for one in rows if one["event"] is not None]
    assert [(one["event"], one["behind"], one["before_pass"], one["before_node"]) for one in split] == [
        (0, True, 0, "draw"),
        (0, False, 2, "look"),
    ]
    places = ("behind", "before_pass", "before_node")
    one, other = ({key: value for key, value in row.items() if key not in places} for row in split)
    assert one == other
    assert one["resource"] == "picture"
    assert not any(row["behind"] for row in rows if row["event"] is None)


def test_text_and_explanations_tell_the_halves_apart(plan: Plan) -> None:
    text = plan_to_text(plan)
    assert text.index("  behind pass 0, event 0 is set:\n") < text.index("  before pass 2, event 0 is waited for:\n")
    lines = [line.strip() for line in explain(plan, "picture").splitlines()]
    assert sum(line.startswith("behind pass 0 (`draw`), event 0 is set: ") for line in lines) == 1
    assert sum(line.startswith("before pass 2 (`look`), event 0 is waited for: ") for line in lines) == 1
    halves = [line for line in lines if ", event 0 is " in line]
    assert all("; split: other work runs in between" in line for line in halves)
    assert "written, then read" not in explain(plan, "draw")
    assert "`picture`, this frame's copy: written, then read (by `draw`)" in explain(plan, "look")


def test_explanations_say_why_a_barrier_is_not_split() -> None:
    text = explain(compiled(split_above=math.inf), "picture")
    (line,) = [line for line in text.splitlines() if "(by `draw`)" in line]
    assert line.endswith("; not split: switched off")


def test_a_release_to_another_queue_stands_behind_its_pass() -> None:
    graph = FrameGraph()
    graph.add_sink("end")

    def count(reg):
        reg.queue("compute", "graphics")
        reg.cost(50)
        reg.create("picture", DESC).storage_write(ShaderStage.COMPUTE)

    def draw(reg):
        reg.cost(50)
        reg.create("drawn", DESC).color()

    def look(reg):
        reg.create("end", DESC).color()
        reg.read("picture").sampled()
        reg.read("drawn").sampled()

    for name, declare in (("count", count), ("draw", draw), ("look", look)):
        graph.add_node(name, declare)
    assert graph.declare() == ()
    options = CompileOptions(queues=("graphics", "compute"))
    plan = compile_snapshot(graph.snapshot(), graph.sizes(), options, RowMajorModel())
    released = [one for one in plan_to_json(plan)["barriers"] if one["behind"]]
    assert {(one["resource"], one["before_node"], one["event"]) for one in released} == {("picture", "count", None)}
    assert f"behind pass {released[0]['before_pass']}:" in plan_to_text(plan)


def test_a_semaphore_may_have_waited_for_the_last_users_of_the_memory() -> None:
    graph = FrameGraph()
    graph.add_sink("end")

    def draw(reg):
        reg.create("picture", DESC).color()

    def count(reg):
        reg.queue("compute")
        reg.read("picture").sampled(stage=ShaderStage.COMPUTE)
        reg.create("sums", Buffer(256)).storage_write()

    def look(reg):
        reg.create("end", DESC).color()
        reg.read("sums").storage_read()

    for name, declare in (("draw", draw), ("count", count), ("look", look)):
        graph.add_node(name, declare)
    assert graph.declare() == ()
    options = CompileOptions(queues=("graphics", "compute"), alias=False)
    plan = compile_snapshot(graph.snapshot(), graph.sizes(), options, RowMajorModel())
    (first,) = [line for line in explain(plan, "picture").splitlines() if "contents are discarded" in line]
    assert "discarded (its own memory; a semaphore has waited for its last users); held back" in first
