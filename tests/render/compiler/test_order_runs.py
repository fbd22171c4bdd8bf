"""Runs of alike nodes: what becomes one, what does not, and that the order is that of the runs."""

from dataclasses import replace

import pytest
from declare_helpers import create, culled, graph, ids, modify, node, read
from order_graphs import random_instances
from order_runs import contracted, runs, scheduled

from renderwright.render.compiler.order.facts import FactsOf
from renderwright.render.compiler.order.weighted import weighted_order
from renderwright.render.compiler.order.weights import BALANCED, MEMORY, OVERLAP
from renderwright.render.types.resources import Texture

TARGET = Texture("rgba8_unorm", (256, 256))


def crowd(*more, **changes):
    """Three nodes that draw to one target, and one who shows it; ``changes`` to the second, by keyword of ``node``."""
    made = create("t", TARGET, usage="color")
    draws = [node(name, modify("t", usage="color"), **(changes if name == "b" else {})) for name in "abc"]
    last = node("show", read("t", usage="sampled"), sink=True)
    return culled(graph(*[replace(one, index=n) for n, one in enumerate((node("make", made), *draws, last, *more))]))


def test_alike_modifiers_of_one_target_are_a_run():
    assert runs(crowd()) == [["make"], ["a", "b", "c"], ["show"]]


@pytest.mark.parametrize(
    "changes",
    [
        {"state": (("cull", "back"),)},
        {"priority": -1},
        {"executes": False},
    ],
    ids=["state", "priority", "nothing to execute"],
)
def test_a_node_that_differs_is_no_part_of_it(changes):
    assert all("b" not in run or run == ["b"] for run in runs(crowd(**changes)))


def test_who_waits_for_somebody_else_is_no_part_of_it():
    other = node("other", create("x", TARGET, usage="color"), sink=True)
    found = runs(crowd(other, after=("other",)))
    assert ["a"] in found
    assert ["b", "c"] in found


def test_who_is_waited_for_by_somebody_else_is_no_part_of_it():
    other = node("other", create("x", TARGET, usage="color"), sink=True)
    found = runs(crowd(other, before=("other",)))
    assert ["a", "b"] in found
    assert ["c"] in found


@pytest.mark.parametrize("weights", [BALANCED, MEMORY, OVERLAP], ids=["balanced", "memory", "overlap"])
def test_the_order_is_that_of_the_runs(weights):
    merged = 0
    for seed in range(12):
        instances = random_instances(seed, 60, shuffled=bool(seed % 2))
        found = runs(instances)
        merged += len(instances.nodes) - len(found)
        members = {run[0]: run for run in found}
        order = [each.id for each in weighted_order(instances, (weights,))]
        heads = scheduled(contracted(instances, found), weights)
        assert order == [name for head in heads for name in members[head.id]]
        assert sorted(order) == sorted(ids(instances))
    assert merged > 20


def test_the_first_of_a_crowd_costs_what_all_do():
    known = FactsOf(crowd(), {"a": 50.0})
    together, alone = known.facts(["a", "show"], {"a": known.nodes(["a", "b", "c"])})
    assert together.cost == 150.0
    assert alone.cost == 50.0
    assert together.alike == known.alike(["b"])[0] == known.facts(["c"])[0].alike
