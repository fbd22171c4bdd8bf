"""What holds of every order, whatever the graph."""

import random
from dataclasses import replace
from statistics import fmean

import pytest
from declare_helpers import culled, ids, pairs
from front_graphs import shuffled, valid_graph, wild_graph
from order_graphs import SIZES, random_frame_graph, random_instances, worth
from order_model import OrderModel
from order_units import hinted_facts, scheduled
from ordered_frames import compile_frame

from renderwright.render.compiler.order.open_pass import OpenPass
from renderwright.render.compiler.order.stage import order
from renderwright.render.compiler.order.weights import BALANCED, MEMORY, OVERLAP, Weights
from renderwright.render.compiler.values.options import CompileOptions

GATHERING = Weights(merge=0.1, gather=3.0, memory=1.0)
WEIGHTED = ("balanced", "memory", "overlap")


def frames(seed):
    """A valid graph of any kind with some nodes that execute nothing, and a frame with attachments."""
    rng = random.Random(seed)
    snapshot = valid_graph(seed)
    yield replace(snapshot, nodes=tuple(replace(n, executes=rng.random() < 0.7) for n in snapshot.nodes))
    frame = random_frame_graph(seed, 24, shuffled=bool(seed % 2))
    yield replace(frame, nodes=tuple(replace(n, executes=rng.random() < 0.8) for n in frame.nodes))


@pytest.mark.parametrize("policy", [*WEIGHTED, "declared", "random:5"])
def test_orders_are_legal_and_do_not_depend_on_the_snapshots_order(policy):
    options = CompileOptions(order=policy)
    for seed in range(60):
        for snapshot in (*frames(seed), wild_graph(seed)):
            instances = culled(snapshot)
            result = order(instances, options)
            place_of = {name: number for number, name in enumerate(ids(result))}
            assert sorted(place_of) == sorted(ids(instances))
            assert all(place_of[before] < place_of[after] for before, after in pairs(instances))
            other = replace(snapshot, nodes=tuple(shuffled(snapshot.nodes, random.Random(seed))))
            assert ids(order(culled(other), options)) == ids(result)


@pytest.mark.parametrize("weights", [BALANCED, MEMORY, OVERLAP, GATHERING], ids=[*WEIGHTED, "gathering"])
def test_each_step_takes_the_best_node(weights):
    for seed in range(12):
        for snapshot in frames(seed):
            instances = culled(snapshot)
            model = OrderModel(instances, weights)
            deferred = []
            for chosen in scheduled(instances, weights):
                deferred.append(chosen.id)
                if not model.executes(chosen.id):
                    continue
                assert chosen.id in model.ready()
                rivals = [name for name in model.ready() if model.priority(name) >= model.priority(chosen.id)]
                assert {model.priority(name) for name in rivals} == {model.priority(chosen.id)}
                assert model.score(chosen.id) == pytest.approx(max(model.score(name) for name in rivals))
                # Deferred nodes are scheduled with the node that needs them.
                for name in deferred:
                    model.add(name)
                deferred.clear()


def test_every_pass_of_the_plan_was_one_in_the_order():
    """The cheap rule for joining a pass says yes wherever the whole rule does."""
    merges = 0
    for seed in range(20):
        ordered = order(random_instances(seed, 40, shuffled=True), CompileOptions())
        facts = hinted_facts(ordered)
        for item in compile_frame(ordered, sizes=SIZES).pass_plan.passes:
            together = OpenPass()
            numbers = [n for n in range(item.first, item.last + 1) if ordered.nodes[n].records]
            together.add(facts[numbers[0]])
            assert facts[numbers[0]].targets == ordered.nodes[numbers[0]].attached
            for number in numbers[1:]:
                assert together.takes(facts[number])
                together.add(facts[number])
                merges += 1
    assert merges > 50


def test_balanced_needs_no_more_passes_and_memory_than_declared():
    """On average over frames that were declared in a good order, and in any order."""
    for shuffled_names, slack in ((False, 1.02), (True, 0.9)):
        graphs = [random_instances(seed, 150, shuffled=shuffled_names) for seed in range(3)]
        declared = [worth(one, "declared") for one in graphs]
        balanced = [worth(one, "balanced") for one in graphs]
        assert fmean(b.passes / d.passes for b, d in zip(balanced, declared, strict=True)) <= 1.0
        assert fmean(b.heap / d.heap for b, d in zip(balanced, declared, strict=True)) <= slack


def test_memory_and_overlap_are_good_at_what_they_are_for():
    graphs = [random_instances(seed, 150, shuffled=True) for seed in range(3)]
    found = {policy: [worth(one, policy) for one in graphs] for policy in WEIGHTED}
    heap = {policy: fmean(one.heap for one in results) for policy, results in found.items()}
    tight = {policy: fmean(one.tight for one in results) for policy, results in found.items()}
    assert heap["memory"] < heap["balanced"] < heap["overlap"]
    assert tight["overlap"] < tight["balanced"] < tight["memory"]
