"""Waits and execution intervals against a model that spells out every path."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from renderwright.render.compiler.queues.dependencies import Hyperedge
from renderwright.render.compiler.queues.semaphore_waits import SemaphoreWaits, semaphore_waits

QUEUES = ("graphics", "compute", "copy")


@st.composite
def frames(draw: st.DrawFn) -> tuple[list[str], list[Hyperedge]]:
    count = draw(st.integers(1, 14))
    queues = [draw(st.sampled_from(QUEUES)) for _ in range(count)]
    edges = []
    for _ in range(draw(st.integers(0, 10))):
        cut = draw(st.integers(0, count - 1))
        befores = draw(st.lists(st.integers(0, cut), min_size=1, max_size=3, unique=True))
        afters = draw(st.lists(st.integers(cut, count - 1), min_size=1, max_size=3, unique=True))
        afters = [node for node in afters if node not in befores]
        if afters:
            edges.append(Hyperedge(tuple(befores), tuple(afters), draw(st.booleans())))
    return queues, edges


def happens_before(queues: list[str], waits: tuple[tuple[int, ...], ...]) -> list[set[int]]:
    """All nodes that have finished when each begins, or are ahead of it on its own queue."""
    known: list[set[int]] = []
    for node, queue in enumerate(queues):
        direct = set(waits[node]) | {other for other in range(node) if queues[other] == queue}
        known.append(direct.union(*(known[other] for other in direct)))
    return known


def kept(queues: list[str], edges: list[Hyperedge], waits: tuple[tuple[int, ...], ...]) -> bool:
    known = happens_before(queues, waits)
    return all(
        before in known[after] for edge in edges if edge.on_device for before in edge.befores for after in edge.afters
    )


@given(frames())
@settings(max_examples=200, deadline=None)
def test_waits_keep_every_dependency_and_none_can_be_left_out(frame: tuple[list[str], list[Hyperedge]]) -> None:
    queues, edges = frame
    waits = semaphore_waits(queues, edges).waits
    assert kept(queues, edges, waits)
    for node, those in enumerate(waits):
        for wait in those:
            fewer = tuple(
                tuple(other for other in each if (number, other) != (node, wait)) for number, each in enumerate(waits)
            )
            assert not kept(queues, edges, fewer), f"{node} need not wait for {wait}"


@given(frames())
@settings(max_examples=200, deadline=None)
def test_windows_of_nodes_meet_unless_one_is_known_to_come_first(frame: tuple[list[str], list[Hyperedge]]) -> None:
    queues, edges = frame
    result = semaphore_waits(queues, edges)
    known = happens_before(queues, result.waits)
    for first, second in combinations(range(len(queues)), 2):
        if queues[first] == queues[second] or first in known[second]:
            continue
        assert _meet(result, first, second), f"{first} and {second} may run at once"


def _meet(waits: SemaphoreWaits, first: int, second: int) -> bool:
    return max(waits.execution_intervals[first][0], waits.execution_intervals[second][0]) < min(
        waits.execution_intervals[first][1], waits.execution_intervals[second][1]
    )


def test_a_wait_for_the_last_covers_all_before_it() -> None:
    queues = ["compute", "compute", "graphics", "graphics"]
    edges = [Hyperedge((0,), (2,), True), Hyperedge((1,), (2, 3), True)]
    assert semaphore_waits(queues, edges).waits == ((), (), (1,), ())


def test_what_others_waited_for_is_not_waited_for_again() -> None:
    queues = ["copy", "compute", "graphics"]
    edges = [Hyperedge((0,), (1, 2), True), Hyperedge((1,), (2,), True)]
    assert semaphore_waits(queues, edges).waits == ((), (0,), (1,))


def test_a_node_beside_graphics_may_run_until_it_is_waited_for() -> None:
    queues = ["graphics", "compute", "graphics", "graphics", "graphics"]
    edges = [Hyperedge((0,), (1,), True), Hyperedge((1,), (3,), True)]
    assert semaphore_waits(queues, edges).execution_intervals == ((0, 1), (1, 3), (2, 3), (3, 4), (4, 5))


def test_what_nobody_waits_for_may_run_to_the_end_of_the_frame() -> None:
    assert semaphore_waits(["graphics", "compute", "graphics"], []).execution_intervals == ((0, 1), (0, 3), (2, 3))


def test_what_records_nothing_is_not_waited_for_but_what_it_came_after() -> None:
    queues = ["compute", "graphics", "graphics"]
    edges = [Hyperedge((0,), (1,), True), Hyperedge((1,), (2,), True)]
    assert semaphore_waits(queues, edges, {1}).waits == ((), (), (0,))


def test_a_value_that_the_cpu_passes_on_is_not_waited_for() -> None:
    queues = ["compute", "graphics", "graphics"]
    edges = [Hyperedge((0,), (1,), True), Hyperedge((1,), (2,), False)]
    assert semaphore_waits(queues, edges, {1}).waits == ((), (), ())
