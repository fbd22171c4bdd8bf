"""Which nodes leave the graphics queue, how long that takes, and in which order all are issued."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renderwright.render.compiler.queues.assignment import assign_queues
from renderwright.render.compiler.queues.dependencies import Hyperedge
from renderwright.render.compiler.queues.eligibility import Eligibility
from renderwright.render.compiler.queues.issue_order import issue_order
from renderwright.render.compiler.queues.simulation import simulate

ANYWHERE = Eligibility(("compute",))
GRAPHICS = Eligibility(())


@st.composite
def frames(draw: st.DrawFn) -> tuple[list[Eligibility], list[float], list[Hyperedge]]:
    count = draw(st.integers(1, 16))
    able = [draw(st.sampled_from([GRAPHICS, ANYWHERE, Eligibility(("copy", "compute"))])) for _ in range(count)]
    costs = [float(draw(st.integers(0, 9))) for _ in range(count)]
    edges = []
    for _ in range(draw(st.integers(0, 14))):
        after = draw(st.integers(0, count - 1))
        befores = [node for node in draw(st.lists(st.integers(0, count - 1), max_size=3, unique=True)) if node < after]
        if befores:
            edges.append(Hyperedge(tuple(befores), (after,), draw(st.integers(0, 3)) > 0))
    return able, costs, edges


@given(frames())
@settings(max_examples=200, deadline=None)
def test_no_choice_is_slower_than_the_graphics_queue_alone(
    frame: tuple[list[Eligibility], list[float], list[Hyperedge]],
) -> None:
    able, costs, edges = frame
    choice = assign_queues(able, costs, edges)
    assert choice.time_on_one_queue == pytest.approx(sum(costs))
    assert choice.schedule.end <= choice.time_on_one_queue + 1e-9
    assert all(queue == "graphics" or queue in able[node].queues for node, queue in enumerate(choice.queues))


@given(frames())
@settings(max_examples=200, deadline=None)
def test_a_run_keeps_the_dependencies_and_one_node_a_queue(
    frame: tuple[list[Eligibility], list[float], list[Hyperedge]],
) -> None:
    able, costs, edges = frame
    choice = assign_queues(able, costs, edges)
    run = simulate(choice.queues, costs, edges, 0.5)
    for edge in (each for each in edges if each.on_device):
        for before in edge.befores:
            for after in edge.afters:
                hop = 0.5 if choice.queues[before] != choice.queues[after] else 0.0
                assert run.starts[after] >= run.starts[before] + costs[before] + hop - 1e-9
    for one in range(len(costs)):
        for other in range(one):
            if choice.queues[one] == choice.queues[other]:
                first, second = sorted((one, other), key=lambda node: (run.starts[node], node))
                assert run.starts[second] >= run.starts[first] + costs[first] - 1e-9 or costs[second] == 0


@given(frames())
@settings(max_examples=200, deadline=None)
def test_the_issued_order_is_legal(frame: tuple[list[Eligibility], list[float], list[Hyperedge]]) -> None:
    able, costs, edges = frame
    choice = assign_queues(able, costs, edges)
    order = issue_order(choice.queues, choice.schedule.starts, edges)
    place = {node: number for number, node in enumerate(order)}
    assert sorted(order) == list(range(len(able)))
    assert all(place[before] < place[after] for edge in edges for before in edge.befores for after in edge.afters)


def test_work_that_nothing_waits_for_soon_leaves() -> None:
    """0 -> 1 (may leave) -> 4; 2 and 3 have nothing to do with it."""
    able = [GRAPHICS, ANYWHERE, GRAPHICS, GRAPHICS, GRAPHICS]
    edges = [Hyperedge((0,), (1, 2), True), Hyperedge((2,), (3,), True), Hyperedge((1, 3), (4,), True)]
    choice = assign_queues(able, [1.0, 4.0, 2.0, 2.0, 1.0], edges)
    assert choice.queues == ("graphics", "compute", "graphics", "graphics", "graphics")
    assert choice.time_on_one_queue == 10.0
    assert choice.schedule.end == pytest.approx(6.0 + 2 * 0.05)
    assert "estimated 39 % shorter" in choice.reasons[1]
    assert issue_order(choice.queues, choice.schedule.starts, edges) == [0, 1, 2, 3, 4]


def test_a_link_of_one_chain_stays() -> None:
    choice = assign_queues(
        [GRAPHICS, ANYWHERE, GRAPHICS], [1.0, 4.0, 1.0], [Hyperedge((0,), (1,), True), Hyperedge((1,), (2,), True)]
    )
    assert choice.queues == ("graphics",) * 3
    assert choice.reasons[1] == "no other queue makes the frame shorter"


def test_a_chain_leaves_as_a_whole() -> None:
    able = [GRAPHICS, ANYWHERE, ANYWHERE, ANYWHERE, GRAPHICS, GRAPHICS]
    edges = [Hyperedge((number,), (number + 1,), True) for number in range(3)]
    edges += [Hyperedge((0,), (4,), True), Hyperedge((3, 4), (5,), True)]
    choice = assign_queues(able, [1.0, 2.0, 2.0, 2.0, 6.0, 1.0], edges)
    assert choice.queues == ("graphics", "compute", "compute", "compute", "graphics", "graphics")


def test_later_graphics_work_goes_ahead_while_a_result_is_awaited() -> None:
    """3 waits for 1; 2, which is later in the order of the nodes, need not."""
    able = [GRAPHICS, ANYWHERE, GRAPHICS, GRAPHICS]
    edges = [Hyperedge((0,), (1,), True), Hyperedge((1,), (2,), True)]
    choice = assign_queues(able, [1.0, 5.0, 1.0, 5.0], edges)
    assert choice.queues[1] == "compute"
    assert issue_order(choice.queues, choice.schedule.starts, edges) == [0, 1, 3, 2]


def test_late_work_goes_last_on_its_queue_and_ends_no_frame() -> None:
    """0 and 1 may leave; nobody waits for 0 in the frame."""
    edges = [Hyperedge((1,), (3,), True)]
    run = simulate(["compute", "compute", "graphics", "graphics"], [4.0, 2.0, 3.0, 1.0], edges, 0.0, {0})
    assert run.starts == (2.0, 0.0, 0.0, 3.0)
    assert run.end == 6.0  # the compute queue has as much to do in every frame
    able = [ANYWHERE, ANYWHERE, GRAPHICS, GRAPHICS]
    choice = assign_queues(able, [2.0, 2.0, 3.0, 1.0], edges, {0: set()})
    assert choice.queues == ("compute", "compute", "graphics", "graphics")
    assert choice.schedule.end == 4.0


def test_what_is_read_a_frame_later_need_not_be_there() -> None:
    edges = [Hyperedge((0,), (1,), True), Hyperedge((1,), (2,), False)]
    run = simulate(["graphics", "compute", "graphics"], [2.0, 4.0, 1.0], edges, 0.0, {1})
    assert run.starts == (0.0, 2.0, 2.0)
    assert run.end == 4.0
