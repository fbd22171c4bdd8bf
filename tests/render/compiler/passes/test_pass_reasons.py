"""Each pass but the first says why the one before did not take it in, in the plan and in its reports."""

from order_graphs import SIZES, random_frame_graph
from ordered_frames import compile_frame
from random_frames import random_frame

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.inspect import plan_to_json, plan_to_text
from renderwright.render.memory.needs import RowMajorModel


def test_every_pass_but_the_first_has_a_reason():
    reasons = set()
    for seed in range(60):
        passes = compile_frame(random_frame(seed)).pass_plan.passes
        assert passes[0].merge_blocker == ""
        assert all(item.merge_blocker for item in passes[1:])
        reasons |= {item.merge_blocker.split('"')[0] for item in passes[1:]}
    # Other targets, no targets, a hazard, shared memory: each kind of reason has occurred.
    assert len(reasons) >= 4


def test_the_reports_tell_the_reasons():
    for policy in ("balanced", "random:1"):
        snapshot = random_frame_graph(3, 40, shuffled=False)
        plan = compile_snapshot(snapshot, SIZES, CompileOptions(order=policy), RowMajorModel())
        told = [item["alone"] for item in plan_to_json(plan)["passes"]]
        assert told == [item.merge_blocker for item in plan.pass_plan.passes]
        assert told[0] == ""
        assert len(told) > 5
        assert all(told[1:])
        assert plan_to_text(plan).count("not merged: ") == len(told) - 1
