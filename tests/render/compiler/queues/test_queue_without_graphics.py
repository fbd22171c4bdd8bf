"""Nodes whose declaration does not allow the graphics queue."""

from __future__ import annotations

import pytest
from declare_helpers import create, read
from test_queue_stage import dispatch, draws, frame_with, plan_of, queue_of, reason_of, storage

from renderwright.render.compiler.queues.assignment import assign_queues
from renderwright.render.compiler.queues.dependencies import Hyperedge
from renderwright.render.compiler.queues.eligibility import Eligibility
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.types.usages import ShaderStage, Usage

GRAPHICS = Eligibility(())
ANYWHERE = Eligibility(("compute",))
COMPUTE_ONLY = Eligibility(("compute",), must_leave_graphics=True)
SEEN = read("made", usage=Usage.STORAGE_READ, stages=(ShaderStage.FRAGMENT,))


def test_a_node_leaves_the_graphics_queue_though_the_frame_gets_no_shorter() -> None:
    work, end = dispatch("work", storage("made"), queues=("compute",)), draws("end", "image", SEEN)
    plan = plan_of(work, end)
    assert (queue_of(plan, "work"), queue_of(plan, "end")) == ("compute", "graphics")
    assert reason_of(plan, "work") == "its declaration does not allow the graphics queue"
    willing = plan_of(dispatch("work", storage("made")), end)
    assert queue_of(willing, "work") == "graphics"


def test_a_node_whose_queues_the_device_lacks_stays() -> None:
    work, end = dispatch("work", storage("made"), queues=("compute",)), draws("end", "image", SEEN)
    plan = plan_of(work, end, options=CompileOptions(queues=("graphics", "copy")))
    assert queue_of(plan, "work") == "graphics"
    assert reason_of(plan, "work") == "not on the compute queue: the device has none"


def test_a_node_that_its_queue_cannot_run_stays() -> None:
    plan = plan_of(*frame_with(dispatch("work", create("made", usage=Usage.COLOR), queues=("compute",))))
    assert queue_of(plan, "work") == "graphics"
    assert reason_of(plan, "work") == 'not on the compute queue: it renders to "made"'


@pytest.mark.parametrize("queues", [("copy", "compute"), ("compute", "copy")])
def test_the_first_possible_queue_is_taken(queues: tuple[str, ...]) -> None:
    plan = plan_of(dispatch("work", storage("made"), queues=queues), draws("end", "image", SEEN))
    assert queue_of(plan, "work") == "compute"


def test_other_nodes_leave_only_where_it_pays() -> None:
    """0 must leave; 1 reads it and could follow, which does not make the frame shorter."""
    edges = [Hyperedge((0,), (1,), True), Hyperedge((1,), (2,), True)]
    choice = assign_queues([COMPUTE_ONLY, ANYWHERE, GRAPHICS], [1.0, 1.0, 8.0], edges)
    assert choice.queues == ("compute", "graphics", "graphics")
    assert choice.worthwhile
    assert choice.reasons[1:] == ("no other queue makes the frame shorter", "")
    assert choice.schedule.end > choice.time_on_one_queue


def test_the_estimated_gain_of_others_does_not_count_the_forced_move() -> None:
    edges = [Hyperedge((0,), (3,), True), Hyperedge((1, 2), (3,), True)]
    choice = assign_queues([COMPUTE_ONLY, ANYWHERE, GRAPHICS, GRAPHICS], [0.0, 8.0, 8.0, 1.0], edges)
    assert choice.queues == ("compute", "compute", "graphics", "graphics")
    assert "% shorter" in choice.reasons[1]
    assert "-" not in choice.reasons[1].partition("estimated")[2]
