"""Long stages and partial plans call a function between short steps, whose exceptions leave nothing half made."""

from __future__ import annotations

import pytest

from benchmarks.random_graphs import frame_graph, random_nodes
from renderwright.render.compiler.partial import PartialPlans
from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.memory.policy import PackPolicy

NODES = 80
OPTIONS = CompileOptions(packing=PackPolicy.BALANCED)


class StopError(Exception):
    pass


class Counter:
    """Counts the calls, and raises at one of them."""

    def __init__(self, stop: int = -1) -> None:
        self.calls = 0
        self.stop = stop

    def __call__(self) -> None:
        self.calls += 1
        if self.calls == self.stop:
            raise StopError


@pytest.fixture(scope="module")
def parts() -> tuple[PartialPlans, frozenset[str]]:
    graph = frame_graph(random_nodes(4, NODES))
    plan = Compiler(RowMajorModel()).compile(graph.snapshot(), graph.sizes(), OPTIONS)
    skipped = frozenset([node.id for node in plan.graph.nodes[2::7]])
    return PartialPlans(plan), skipped


def test_a_partial_plan_is_made_in_steps(parts: tuple[PartialPlans, frozenset[str]]) -> None:
    whole, skipped = parts[0].whole, parts[1]
    first, second = Counter(), Counter()
    made = PartialPlans(whole)
    made.plan(skipped, between=first)
    made.plan(skipped - {min(skipped)}, between=second)
    assert second.calls >= 8
    assert first.calls >= second.calls + 3, "the first one has what they share to make"
    known = Counter()
    made.plan(skipped, between=known)
    assert known.calls == 0


def test_a_partial_plan_that_is_stopped_is_not_remembered(parts: tuple[PartialPlans, frozenset[str]]) -> None:
    whole, skipped = parts[0].whole, parts[1]
    count = Counter()
    expected = PartialPlans(whole).plan(skipped, between=count)
    stopped = PartialPlans(whole)
    for stop in range(1, count.calls + 1):
        fresh = PartialPlans(whole)
        for plans in (stopped, fresh):
            between = Counter(stop)
            try:
                plans.plan(skipped, between=between)
            except StopError:
                assert not plans.knows(skipped)
            else:
                assert plans is stopped, "what is shared is made once, so this one has fewer steps"
                stopped = PartialPlans(whole)
        assert fresh.plan(skipped) == expected
    assert PartialPlans(whole).plan(skipped) == expected


def test_long_stages_are_several_steps_and_can_be_stopped_in_each() -> None:
    graph = frame_graph(random_nodes(4, NODES))
    snapshot, sizes = graph.snapshot(), graph.sizes()
    between = Counter()
    expected = Compiler(RowMajorModel(), between=between).compile(snapshot, sizes, OPTIONS)
    assert between.calls >= 60, "checks, list scheduling, the packer, and barriers"
    stopping = Counter()
    compiler = Compiler(RowMajorModel(), between=stopping)
    for stop in range(1, between.calls, between.calls // 20):
        stopping.calls, stopping.stop = 0, stop
        try:
            plan = compiler.compile(snapshot, sizes, OPTIONS)
        except StopError:
            continue
        assert plan == expected
    stopping.stop = -1
    assert compiler.compile(snapshot, sizes, OPTIONS) == expected
    stopping.calls = 0
    assert compiler.compile(snapshot, sizes, OPTIONS) == expected
    assert stopping.calls == 0, "a plan that is remembered has no steps"
