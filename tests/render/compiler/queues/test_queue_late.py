"""Late work: what may go on beside the next frame, and where that waits for it; the oracle finds no fault."""

from __future__ import annotations

import random
from dataclasses import replace

from declare_helpers import create, graph, history, node, read
from feature_checks import compiled
from late_graphs import late_graph
from plan_mutants import mutants

from renderwright.render.compiler.queues.skipped_nodes import without_skipped
from renderwright.render.compiler.values.operations import Submission
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.queue_plan import CrossFrameWork, QueuePlan
from renderwright.render.graph.requests import NodeDeclaration, Request
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_json import plan_to_json
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.inspect.plan_text import plan_to_text
from renderwright.render.sync.queues import ALL_QUEUES
from renderwright.render.types.resources import Buffer, Texture
from renderwright.render.types.usages import ShaderStage, Usage

BYTES = Buffer(4096)
SMALL = Texture("rgba8_unorm", (16, 16))
EVERYWHERE = CompileOptions(order="declared", queues=ALL_QUEUES)


def draws(name: str, target: str, *requests: Request) -> NodeDeclaration:
    return node(name, create(target, usage=Usage.COLOR), *requests, cost=8.0)


def dispatch(name: str, made: str, *requests: Request) -> NodeDeclaration:
    target = create(made, BYTES, usage=Usage.STORAGE_WRITE, stages=(ShaderStage.COMPUTE,))
    return node(name, target, *requests, queues=("compute", "graphics"), cost=4.0)


def sampled(name: str, stage: ShaderStage = ShaderStage.FRAGMENT) -> Request:
    return read(name, usage=Usage.SAMPLED, stages=(stage,))


def last(name: str, stage: ShaderStage = ShaderStage.FRAGMENT) -> Request:
    return history(name, usage=Usage.STORAGE_READ, stages=(stage,))


def plan_of(*nodes: NodeDeclaration, sinks: tuple[str, ...] = ("image",)) -> Plan:
    numbered = [replace(one, index=number) for number, one in enumerate(nodes)]
    plan = compiled(graph(*numbered, sinks=sinks), EVERYWHERE)
    assert [str(one) for one in judge(list(frame_plans(plan, 6))).findings] == []
    return plan


def measured(sinks: tuple[str, ...] = ("image",)) -> Plan:
    """``measure`` looks at the scene on the compute queue, and ``show`` reads what it found in the frame before."""
    return plan_of(
        draws("draw", "scene"),
        dispatch("measure", "level", sampled("scene", ShaderStage.COMPUTE)),
        draws("shade", "shaded", sampled("scene")),
        draws("show", "image", sampled("shaded"), last("level")),
        sinks=sinks,
    )


def test_the_next_frame_waits_where_it_reads_what_was_found() -> None:
    plan = measured()
    assert plan.queues.cross_frame_work == (CrossFrameWork((1,), 3),)
    assert plan.program.submissions == (
        Submission("graphics", 0),
        Submission("compute", 1, (0,), cross_frame=0),
        Submission("graphics", 2),
        Submission("graphics", 3, cross_frame_waits=(0,)),
    )


def test_reports_tell_until_when_it_goes_on() -> None:
    plan = measured()
    assert "  pass 1: commands on the compute queue until [show] of the next frame (not merged" in plan_to_text(plan)
    nodes = {node["id"]: node for node in plan_to_json(plan)["nodes"]}
    assert (nodes["measure"]["late_until"], "late_until" in nodes["show"]) == ("show", False)


def test_memory_of_late_work_is_its_own_until_it_is_waited_for() -> None:
    plan = measured()
    ranges = {placed.id: placed.copies[0].live_range for placed in plan.placement.resources}
    assert plan.queues.execution_intervals[1] == (1, 4 + 3)
    assert ranges["scene"] == (0, 4 + 3)
    assert ranges["level"] == (1, 4 + 4)
    assert ranges["shaded"] == (2, 4)


def test_the_wait_is_needed() -> None:
    found = [mutant for what, mutant in mutants(measured()) if "cross-frame work" in what]
    assert [bool(judge([mutant] * 5).findings) for mutant in found] == [True]


def test_a_history_is_not_written_anew_while_late_work_reads_it() -> None:
    """The copy that "draw" renders to is the one that "measure" of the frame before may still be reading."""
    plan = plan_of(
        draws("first", "start"),
        draws("draw", "scene", sampled("start")),
        dispatch("measure", "level", history("scene", usage=Usage.SAMPLED, stages=(ShaderStage.COMPUTE,))),
        draws("shade", "shaded", sampled("scene")),
        draws("show", "image", sampled("shaded"), last("level")),
    )
    names = [each.id for each in plan.graph.nodes]
    assert [names[work.wait_point] for work in plan.queues.cross_frame_work] == ["draw"]


def test_a_history_is_waited_for_where_late_work_clears_it_and_only_reads_it() -> None:
    """Compute clears the texture in front of "look" and changes its layout. Nobody has to wait for "again", which but
    reads it in that layout."""
    target = create("t", SMALL, usage=Usage.SAMPLED, stages=(ShaderStage.COMPUTE,), clear=(1.0, 0.0, 0.0, 1.0))
    plan = plan_of(
        node("look", target, queues=("compute", "graphics"), cost=4.0),
        dispatch("again", "level", sampled("t", ShaderStage.COMPUTE)),
        draws("show", "scene", history("t", usage=Usage.SAMPLED)),
        draws("end", "image", sampled("scene"), last("level")),
    )
    names = [each.id for each in plan.graph.nodes]
    works = [([names[each] for each in work.nodes], names[work.wait_point]) for work in plan.queues.cross_frame_work]
    assert works == [(["look"], "show"), (["again"], "end")]
    found = [mutant for what, mutant in mutants(plan) if "cross-frame work" in what]
    assert [bool(judge([mutant] * 5).findings) for mutant in found] == [True, True]


def test_a_wait_for_the_queue_is_a_wait_for_its_late_work_too() -> None:
    """Nobody has to be told to wait: "show" waits for "light", which runs behind it."""
    plan = plan_of(
        dispatch("light", "lights"),
        draws("draw", "scene"),
        draws("shade", "shaded", sampled("scene"), read("lights", usage=Usage.STORAGE_READ)),
        dispatch("measure", "level", sampled("shaded", ShaderStage.COMPUTE)),
        draws("more", "soft", sampled("shaded")),
        draws("show", "image", sampled("soft"), last("level")),
    )
    names = [each.id for each in plan.graph.nodes]
    (work,) = plan.queues.cross_frame_work
    assert ([names[each] for each in work.nodes], names[work.wait_point], work.implied) == (["measure"], "shade", True)
    assert plan.queues.cross_frame_waits == {}


def test_what_the_frame_is_made_for_is_there_when_it_ends() -> None:
    plan = measured(sinks=("image", "level"))
    assert plan.queues.several
    assert plan.queues.cross_frame_work == ()


def test_who_would_wait_may_rest() -> None:
    """The next node on the graphics queue waits instead."""
    spread = QueuePlan(
        ("graphics", "compute", "graphics", "graphics"),
        ((), (0,), (), ()),
        ((0, 1), (1, 6), (2, 3), (3, 4)),
        ("",) * 4,
        cross_frame_work=(CrossFrameWork((1,), 2),),
    )
    assert spread.cross_frame_waits == {2: (0,)}
    assert without_skipped(spread, [True, True, False, True]).cross_frame_work == (CrossFrameWork((1,), 2),)
    assert without_skipped(spread, [False, True, False, True]).cross_frame_work == (CrossFrameWork((0,), 1),)
    assert without_skipped(spread, [True, True, False, False]).cross_frame_work == (CrossFrameWork((1,), 2),)
    assert without_skipped(spread, [True, True, True, False]).cross_frame_waits == {2: (0,)}


def test_random_frames_with_late_work_are_clean_and_every_wait_for_it_is_needed() -> None:
    found, tried = 0, 0
    for seed in range(40):
        rng = random.Random(seed)
        order = rng.choice(["balanced", "memory", "overlap", "declared", f"random:{seed}"])
        queues = ALL_QUEUES if seed % 2 else ("graphics", "compute")
        plan = compiled(late_graph(seed), CompileOptions(order, seed % 5 != 0, queues=queues))
        assert [one for one in plan.problems if one.severity == "error"] == []
        assert [str(one) for one in judge(list(frame_plans(plan, 6))).findings] == [], f"seed {seed}"
        found += bool(plan.queues.cross_frame_work)
        for what, mutant in mutants(plan):
            if "cross-frame work" in what:
                tried += 1
                assert judge([mutant] * 5).findings, f"seed {seed}: {what}"
    assert found > 10
    assert tried > 5


def test_a_first_use_that_another_stands_for_counts_for_that_one() -> None:
    """Found by chance: one barrier stands for those of two buffers that are written anew, and what it waits for is over
    for one of the two alone, by a barrier of the frame before."""
    options = CompileOptions(alias=False, queues=("graphics", "compute"), split_above=0.0, unified_layouts=True)
    plan = compiled(late_graph(508), options)
    assert judge(list(frame_plans(plan, 4))).findings == ()
