"""Plans under the eyes of the oracle: random ones are clean, and each barrier of theirs is needed."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "compiler"))

import pytest
from declare_helpers import create, external, graph, node, read
from feature_checks import compiled
from feature_graphs import feature_graph
from hazards import hazards
from ordered_frames import Frame, compile_frame, compute, fragment
from plan_mutants import mutants
from random_frames import random_frame
from rated_frames import random_rated_frame
from view_graphs import view_graph

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.operations import BarrierOp, Op, SetEventOp, WaitEventOp
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CompileError
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_stream import judge, plan_stream, require_sound
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.sync.flags import Stage
from renderwright.render.sync.oracle import check, read_stream_text, write_stream
from renderwright.render.sync.oracle.stream import Work
from renderwright.render.types.resources import Buffer, Texture
from renderwright.render.types.usages import ShaderStage, Usage

POLICIES = ("balanced", "memory", "overlap", "declared", "random:3")


def test_random_frames_are_clean() -> None:
    for seed in range(120):
        frame = compile_frame(random_frame(seed), alias=seed % 5 != 0)
        assert judge([frame] * 4).findings == (), f"seed {seed}"


def test_frames_with_rates_are_clean() -> None:
    runs = 0
    for seed in range(80):
        frame = random_rated_frame(seed, alias=seed % 5 != 0)
        if frame is not None:
            carried = seed % 3 == 0
            frames = frame.sequence(random.Random(seed), 6, carried=carried)
            assert judge(frames, carried=carried).findings == (), f"seed {seed}"
            runs += 1
    assert runs > 40


def test_random_graphs_of_all_features_are_clean() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        options = CompileOptions(order=rng.choice(POLICIES), alias=seed % 5 != 0)
        plan = compiled(feature_graph(seed, rng.randint(1, 16)), options)
        found = judge(list(frame_plans(plan, 5))).findings
        assert [str(one) for one in found] == [], f"seed {seed}"


def test_every_barrier_is_needed() -> None:
    tried, missed = 0, []
    for seed in range(1000, 1003):
        frame = compile_frame(random_frame(seed))
        for what, mutant in mutants(frame):
            tried += 1
            if not judge([mutant] * 4).findings:
                missed.append(f"seed {seed}: {what}")
    assert tried > 150
    assert len(missed) <= 0.01 * tried, missed


@pytest.mark.parametrize(("state", "blends"), [({}, False), ({"blend": "none"}, False), ({"blend": "add"}, True)])
def test_a_node_blends_by_its_own_state_or_by_that_of_a_pipeline(state: dict[str, str], blends: bool) -> None:
    def whole(reg: Registry) -> Execute:
        reg.create("whole", Texture("rgba8_unorm", (4, 4))).color()
        reg.state(**state)
        return lambda cmd: None

    def pipeline(reg: Registry) -> Execute:
        reg.create("pipeline", Texture("rgba8_unorm", (4, 4))).color()
        drawn = reg.graphics("a.frag", **state)
        return lambda cmd: cmd.draw(drawn)

    frame = FrameGraph()
    for name, declare in (("whole", whole), ("pipeline", pipeline)):
        frame.add_node(name, declare)
        frame.add_sink(name)
    assert frame.declare() == ()
    plan = compile_snapshot(frame.snapshot(), frame.sizes(), CompileOptions(), RowMajorModel())
    assert [item.blends for item in plan_stream([plan]).items if isinstance(item, Work)] == [blends, blends]


def test_what_comes_with_contents_is_sampled_outside_of_frames_too() -> None:
    copies = node("copies", external("asset"), create("made"), sink=True)
    requests = (replace(copies.requests[0], usage=Usage.COPY_SRC), replace(copies.requests[1], usage=Usage.COPY_DST))
    plan = compiled(graph(replace(copies, requests=requests)), CompileOptions())
    assert judge([plan] * 4).findings == ()
    weaker = [(what, mutant) for what, mutant in mutants(plan) if "'asset'" in what]
    assert {what.split()[1] for what, _ in weaker} == {"dropped", "no", "nothing"}
    assert [what for what, mutant in weaker if not judge([mutant] * 4).findings] == []


def test_buffers_are_judged_whose_size_only_their_provider_knows() -> None:
    def write(reg: Registry) -> Execute:
        reg.external("rows", Buffer(0)).storage_write("compute")
        return lambda cmd: None

    def show(reg: Registry) -> Execute:
        reg.read("rows").storage_read("fragment")
        reg.create("shown", Texture("rgba8_unorm", (4, 4))).color()
        return lambda cmd: None

    frame = FrameGraph()
    frame.add_node("write", write)
    frame.add_node("show", show)
    frame.add_sink("shown")
    assert frame.declare() == ()
    plan = compile_snapshot(frame.snapshot(), frame.sizes(), CompileOptions(), RowMajorModel())
    assert judge([plan] * 4).findings == ()
    weaker = [(what, mutant) for what, mutant in mutants(plan) if "'rows'" in what]
    assert len(weaker) >= 4
    assert [what for what, mutant in weaker if not judge([mutant] * 4).findings] == []


def test_barriers_of_layers_that_are_drawn_at_once_are_needed() -> None:
    tried, missed = 0, []
    for seed in range(12):
        plan = compiled(view_graph(seed, 10), CompileOptions())
        if not any(node.views for node in plan.graph.nodes):
            continue
        layered = [(what, mutant) for what, mutant in mutants(plan) if "*" in what]
        for what, mutant in random.Random(seed).sample(layered, min(12, len(layered))):
            tried += 1
            if not judge([mutant] * 4).findings:
                missed.append(f"seed {seed}: {what}")
    assert tried > 20
    assert missed == []


def test_two_judges_agree_on_missing_barriers() -> None:
    """The one in the tests replays memory byte by byte and knows the graph; this one knows the stream alone."""
    rng = random.Random(3)
    for seed in range(30):
        dropped = [mutant for what, mutant in mutants(compile_frame(random_frame(seed))) if "dropped" in what]
        for mutant in rng.sample(dropped, min(3, len(dropped))):
            assert bool(hazards(mutant)) == bool(judge([mutant] * 4).findings), f"seed {seed}"


def test_a_plan_is_written_down_and_read_again() -> None:
    stream = plan_stream([compile_frame(random_frame(7))] * 3)
    assert check(read_stream_text(write_stream(stream).splitlines())) == check(stream)


def test_findings_name_nodes_and_resources() -> None:
    frame = Frame().texture("light").sink("light")
    frame.node("draw", fragment("light", Usage.COLOR)).node("look", compute("light", Usage.SAMPLED))
    whole = compile_frame(frame)
    first, *rest = (op for op in whole.program.even if isinstance(op, BarrierOp))
    ops = tuple(op for op in whole.program.even if op not in rest)
    broken = replace(whole, program=replace(whole.program, even=ops))
    (first, *_) = judge([broken]).findings
    assert (first.resource, first.at.node, first.at.frame) == ("light (even)", "look", 0)


def test_an_unsound_plan_is_refused() -> None:
    plan = compiled(feature_graph(4, 12), CompileOptions())
    require_sound(plan)
    ops = tuple(op for op in plan.program.even if not isinstance(op, BarrierOp | SetEventOp | WaitEventOp))
    with pytest.raises(CompileError, match="not synchronised"):
        require_sound(replace(plan, program=replace(plan.program, even=ops)))


def test_two_stages_of_a_node_wait_for_what_they_read() -> None:
    """In each frame both stages wait for the write, and the next write for both stages."""
    both = (ShaderStage.VERTEX, ShaderStage.FRAGMENT)
    made = create("made", Buffer(64), usage=Usage.STORAGE, stages=(ShaderStage.COMPUTE,))
    seen = read("made", usage=Usage.STORAGE_READ, stages=both)
    snapshot = graph(node("make", made), node("draw", create("image", usage=Usage.COLOR), seen, sink=True))
    plan = compiled(snapshot, CompileOptions())
    require_sound(plan)
    wanted = Stage.VERTEX_SHADER | Stage.FRAGMENT_SHADER
    before, after = _stages_of(plan, "dst_stages"), _stages_of(plan, "src_stages")
    assert wanted in before
    assert wanted in after
    for which in ("dst_stages", "src_stages"):
        for stage in (Stage.VERTEX_SHADER, Stage.FRAGMENT_SHADER):
            ops = tuple(_with_stage(op, which, wanted, stage) for op in plan.program.even)
            with pytest.raises(CompileError, match="not synchronised"):
                require_sound(replace(plan, program=replace(plan.program, even=ops, odd=ops)))


def _stages_of(plan: Plan, which: str) -> set[Stage]:
    barriers = [each for op in plan.program.even if isinstance(op, BarrierOp) for each in op.barriers]
    return {getattr(each, which) for each in barriers}


def _with_stage(op: Op, which: str, wanted: Stage, stage: Stage) -> Op:
    """The operation with one stage in place of those wanted in its barriers."""
    if not isinstance(op, BarrierOp):
        return op
    changed = [each._replace(**{which: stage}) if getattr(each, which) == wanted else each for each in op.barriers]
    return replace(op, barriers=tuple(changed))


def test_a_host_read_waits_for_its_frame() -> None:
    frame = Frame().buffer("sum").sink("sum")
    frame.node("add", compute("sum", Usage.STORAGE_WRITE)).node("see", compute("sum", Usage.HOST_READ))
    assert judge([compile_frame(frame)] * 3).findings == ()
