"""The search for orders: legal, within their bound, the same from any declaration, and as good as the best of all."""

import random
from dataclasses import replace
from itertools import islice
from statistics import fmean

import pytest
from feature_checks import wrong
from feature_graphs import SIZES, feature_graph
from order_cases import Frame, all_orders, frame_of, is_legal, node_ids

from benchmarks.exact_orders import least_heap
from benchmarks.random_graphs import Node, random_nodes, shuffled
from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.planning import plan_of
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.preferred_order import PreferredOrder
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.order_search.beam import BeamWeights, Models, beam
from renderwright.render.order_search.better_order import heap_bytes, plan_in_better_order
from renderwright.render.order_search.insertion import insertions
from renderwright.render.order_search.list_orders import list_orders
from renderwright.render.order_search.packed import packed_bytes
from renderwright.render.order_search.pressure import pressure_model
from renderwright.render.order_search.problem import order_problem
from renderwright.render.order_search.schedule_cost import NO_LIMIT, ScheduleCost, schedule_model
from renderwright.render.order_search.search import DEFAULT_BOUND, UNBOUNDED, better_orders
from renderwright.render.order_search.shifts import shifted
from renderwright.render.order_search.unit_sets import units_of
from renderwright.render.order_search.whole_passes import with_whole_passes


def nothing() -> None:
    pass


def random_order(problem, rng):
    """A legal order of the units."""
    done, order = 0, []
    while len(order) < problem.count:
        ready = [u for u in range(problem.count) if not done >> u & 1 and not problem.before[u] & ~done]
        order.append(rng.choice(list(problem.allowed(ready))))
        done |= 1 << order[-1]
    return tuple(order)


@pytest.mark.parametrize("seed", range(8))
def test_the_estimate_is_the_load_of_the_compiled_plan(seed):
    """The peak of live bytes is the load of the heaps, and the fast packing of units is that of the plan's copies."""
    frame = frame_of(random_nodes(seed, 16))
    pressure, rng = pressure_model(frame.problem), random.Random(seed)
    for _ in range(6):
        order = random_order(frame.problem, rng)
        plan = frame.in_order(frame.problem.nodes(order))
        assert node_ids(plan) == frame.problem.nodes(order)
        assert sum(pressure.peaks(order)) == sum(heap.load for heap in plan.placement.heaps)
        assert sum(heap.clique for heap in plan.placement.heaps) <= packed_bytes(frame.problem, order)
        passes = schedule_model(frame.problem.facts).cost(order).passes
        assert passes <= len(plan.pass_plan.passes), "the plan merges what the estimate does not"


@pytest.mark.parametrize("seed", range(6))
def test_a_wide_beam_finds_the_least_peak_of_all_orders(seed):
    problem = frame_of(random_nodes(seed, 9)).problem
    pressure = pressure_model(problem)
    models = Models(pressure, schedule_model(problem.facts), NO_LIMIT)
    found = beam(problem, models, 4096, BeamWeights(), nothing)
    orders = list(islice(all_orders(problem), 20_000))
    assert found in orders
    assert sum(pressure.peaks(found)) <= min(sum(pressure.peaks(order)) for order in orders)


def test_a_beam_keeps_to_its_limit_or_finds_nothing():
    problem = frame_of(random_nodes(3, 12)).problem
    pressure, schedule = pressure_model(problem), schedule_model(problem.facts)
    costs = [schedule.cost(order) for order in islice(all_orders(problem), 5000)]
    least = min(cost.passes for cost in costs)
    assert max(cost.passes for cost in costs) > least
    tight = ScheduleCost(least, 1e9)
    found = beam(problem, Models(pressure, schedule, tight), 4096, BeamWeights(), nothing)
    assert found is None or schedule.cost(found).passes == least
    assert beam(problem, Models(pressure, schedule, ScheduleCost(least - 1, 1e9)), 4096, BeamWeights(), nothing) is None


def test_found_orders_are_legal_and_need_no_more_than_the_policys():
    saved = []
    for seed in range(12):
        frame = frame_of(random_nodes(seed, 14))
        for bound in (DEFAULT_BOUND, UNBOUNDED):
            for nodes in better_orders(frame.problem, frame.nodes, bound, nothing):
                assert is_legal(frame.plan, nodes)
            plan = plan_in_better_order(frame.compiler, frame.snapshot, frame.sizes, frame.options, bound)
            assert heap_bytes(plan) <= heap_bytes(frame.plan)
            assert is_legal(frame.plan, node_ids(plan))
            if bound is DEFAULT_BOUND:
                assert len(plan.pass_plan.passes) <= len(frame.plan.pass_plan.passes)
                saved.append(heap_bytes(plan) / heap_bytes(frame.plan))
    assert fmean(saved) < 0.97


def test_graphs_with_all_features_are_right_in_the_order_found():
    """Views, rates, chains, priorities, several queues: the independent models of the compiler find no fault."""
    found = 0
    for seed in range(30):
        snapshot = feature_graph(seed, 16)
        options = CompileOptions(queues=("graphics", "compute", "copy") if seed % 2 else ("graphics",))
        frame = Frame(snapshot, SIZES, options)
        plan = plan_in_better_order(frame.compiler, snapshot, SIZES, options)
        if plan.graph.preferred is not None:
            found += 1
            assert not wrong(snapshot, replace(options, preferred=plan.graph.preferred), seed)
    assert found > 3


@pytest.mark.parametrize("seed", range(5))
def test_orders_from_shuffled_declarations_need_the_same(seed):
    nodes = random_nodes(seed, 24)
    plans = []
    for declared in (nodes, shuffled(nodes, 1), shuffled(nodes, 2)):
        frame = frame_of(declared)
        plans.append(plan_in_better_order(frame.compiler, frame.snapshot, frame.sizes, frame.options))
    sizes = [heap_bytes(plan) for plan in plans]
    assert max(sizes) <= 1.03 * min(sizes)


def test_equal_inputs_give_equal_orders():
    frames = [frame_of(random_nodes(4, 40)) for _ in range(2)]
    orders = [better_orders(frame.problem, frame.nodes, DEFAULT_BOUND, nothing) for frame in frames]
    assert orders[0] == orders[1]
    assert orders[0]


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5, 6, 7])
def test_small_frames_come_within_two_percent_of_the_least_of_all(seed):
    frame = frame_of(random_nodes(seed, 12 if seed % 2 else 8))
    free = plan_in_better_order(frame.compiler, frame.snapshot, frame.sizes, frame.options, UNBOUNDED)
    least = least_heap(frame.problem, heap_bytes(free), 20.0)
    assert least.proved
    assert least.size <= heap_bytes(free) <= 1.02 * least.size
    bound = replace(UNBOUNDED, keep_passes=True)
    kept = plan_in_better_order(frame.compiler, frame.snapshot, frame.sizes, frame.options, bound)
    whole = with_whole_passes(frame.problem, frame.problem.order_of(frame.nodes), schedule_model(frame.problem.facts))
    assert heap_bytes(kept) <= 1.02 * least_heap(whole, heap_bytes(kept), 20.0).size


@pytest.mark.parametrize("seed", [1, 3, 11])
def test_the_exact_search_agrees_with_trying_all_orders(seed):
    frame = frame_of(random_nodes(seed, 7))
    plans = [frame.in_order(frame.problem.nodes(order)) for order in all_orders(frame.problem)]
    best = min(plans, key=heap_bytes)
    least = least_heap(frame.problem, max(map(heap_bytes, plans)))
    assert least.proved
    assert least.size <= heap_bytes(best)
    if all(heap.optimal for plan in plans for heap in plan.placement.heaps):
        assert least.size == heap_bytes(best)


def test_whole_passes_stay_whole():
    frame = frame_of(random_nodes(2, 40))
    schedule = schedule_model(frame.problem.facts)
    order = frame.problem.order_of(frame.nodes)
    whole = with_whole_passes(frame.problem, order, schedule)
    assert whole.count == schedule.cost(order).passes < frame.problem.count
    assert sorted(node for members in whole.members for node in members) == sorted(frame.nodes)
    assert all(not units_of(whole.before[unit]).count(unit) for unit in range(whole.count))
    assert all(len(set(resource.users)) == len(resource.users) for resource in whole.resources)


def test_larger_priorities_go_first_among_ready_nodes():
    found = 0
    for seed in range(10):
        frame = frame_of(random_nodes(seed, 14))
        rng = random.Random(seed)
        snapshot = replace(
            frame.snapshot, nodes=tuple(replace(one, priority=rng.randrange(2)) for one in frame.snapshot.nodes)
        )
        urgent = Frame(snapshot, frame.sizes)
        priority = {node.id: node.declaration.priority for node in urgent.plan.graph.nodes}
        befores = {node: set() for node in urgent.nodes}
        for edge in urgent.plan.graph.edges:
            befores[edge.after].add(edge.before)
        for nodes in better_orders(urgent.problem, urgent.nodes, DEFAULT_BOUND, nothing):
            assert is_legal(urgent.plan, nodes)
            found += 1
            for number, node in enumerate(nodes):
                ready = [other for other in nodes[number:] if befores[other] <= set(nodes[:number])]
                assert priority[node] == max(priority[other] for other in ready)
    assert found > 2


def test_orders_that_are_asked_for_by_name_stay():
    frame = frame_of(random_nodes(4, 40))
    for options in (CompileOptions(order="declared"), CompileOptions(order="random:3"), CompileOptions(alias=False)):
        plan = plan_in_better_order(frame.compiler, frame.snapshot, frame.sizes, options)
        assert plan.graph.preferred is None
        assert plan is frame.compiler.compile(frame.snapshot, frame.sizes, options)


def test_a_preferred_order_gives_way_to_dependencies_and_to_nodes_that_it_lacks():
    frame = frame_of(random_nodes(4, 20))
    backwards = frame.in_order(frame.nodes[::-1])
    assert is_legal(frame.plan, node_ids(backwards))
    assert node_ids(backwards) != frame.nodes
    options = replace(frame.options, preferred=PreferredOrder(frame.nodes[1:]))
    lacking = compile_snapshot(frame.snapshot, frame.sizes, options, RowMajorModel())
    assert node_ids(lacking) == frame.nodes
    assert lacking.graph.preferred is None


@pytest.mark.parametrize("nodes", [(), (Node("alone"),)])
def test_a_frame_without_memory_keeps_its_order(nodes):
    frame = frame_of(nodes)
    assert better_orders(frame.problem, frame.nodes, DEFAULT_BOUND, nothing) == []
    assert plan_in_better_order(frame.compiler, frame.snapshot, frame.sizes, frame.options) is frame.plan


def test_moves_turn_the_policys_order_into_the_one_found():
    frame = frame_of(random_nodes(4, 40))
    plan = plan_in_better_order(frame.compiler, frame.snapshot, frame.sizes, frame.options)
    preferred = plan.graph.preferred
    assert preferred is not None
    moved = {move.node for move in preferred.moves}
    staying = [node for node in frame.nodes if node not in moved]
    assert [node for node in preferred.nodes if node not in moved] == staying
    sizes = {placed.id: placed.size for placed in plan.placement.resources}
    gains = [move for move in preferred.moves if move.resource]
    assert gains
    for move in preferred.moves:
        assert move.places == preferred.nodes.index(move.node) - frame.nodes.index(move.node)
        assert not move.resource or move.size == sizes[move.resource]


def test_the_search_stops_between_steps():
    class StopError(Exception):
        pass

    def stop():
        raise StopError

    frame = frame_of(random_nodes(4, 40))
    with pytest.raises(StopError):
        better_orders(frame.problem, frame.nodes, DEFAULT_BOUND, stop)


def test_shifts_lower_the_peak_that_a_beam_does_not_see():
    """Views of which each needs much memory for a while are drawn one after the other."""
    choice = PluginChoice(enable=("volumetric_fog",))
    options = PlanOptions("duel", (640, 360), counts=(("view", 4),), plugins=choice)
    plan = plan_of(options)
    problem = order_problem(plan.graph, plan.placement, {})
    pressure, schedule = pressure_model(problem), schedule_model(problem.facts)
    models = Models(pressure, schedule, DEFAULT_BOUND.limit(schedule, problem.order_of(node_ids(plan))))
    known = problem.order_of(node_ids(plan))
    order = shifted(problem, models, known, 4000, nothing)
    assert sum(pressure.peaks(order)) < 0.9 * sum(pressure.peaks(known))
    assert is_legal(plan, problem.nodes(order))
    assert schedule.cost(order).within(models.limit)
    assert shifted(problem, models, known, 0, nothing) == known


class Stopping:
    """Counts the calls, and raises at one of them."""

    class StopError(Exception):
        pass

    def __init__(self, stop=-1):
        self.calls = 0
        self.stop = stop

    def __call__(self):
        self.calls += 1
        if self.calls == self.stop:
            raise self.StopError


def test_moves_that_priorities_forbid_are_steps_too():
    """No move of a unit is legal, and yet each unit's places are looked at in several steps."""
    frame = frame_of(random_nodes(4, 40))
    order, between = frame.problem.order_of(frame.nodes), Stopping()
    problem = replace(frame.problem, priorities=tuple([-order.index(unit) for unit in range(frame.problem.count)]))
    models = Models(pressure_model(problem), schedule_model(problem.facts), NO_LIMIT)
    assert insertions(problem, models, order, 1000, between)[0] == order
    assert between.calls >= problem.count


def test_a_search_that_is_stopped_at_any_step_begins_anew_with_the_same_result():
    frame = frame_of(random_nodes(4, 24))
    between = Stopping()
    expected = plan_in_better_order(frame.compiler, frame.snapshot, frame.sizes, frame.options, between=between)
    for stop in range(1, between.calls, max(1, between.calls // 12)):
        with pytest.raises(Stopping.StopError):
            plan_in_better_order(frame.compiler, frame.snapshot, frame.sizes, frame.options, between=Stopping(stop))
    again = plan_in_better_order(frame.compiler, frame.snapshot, frame.sizes, frame.options)
    assert (again.graph.preferred, again.placement) == (expected.graph.preferred, expected.placement)


def test_list_scheduling_and_canonical_numbers_are_several_steps():
    frame = frame_of(random_nodes(4, 80))
    between = Stopping()
    list_orders(frame.problem, between)
    assert between.calls >= 3 * frame.problem.count // 32
    between = Stopping()
    assert order_problem(frame.plan.graph, frame.plan.placement, {}, between) == frame.problem
    assert between.calls >= 4
