"""Scheduling units: which nodes become one, which do not, and that the order is that of the units."""

from dataclasses import replace

import pytest
from declare_helpers import create, culled, graph, ids, modify, node, read
from order_graphs import random_instances
from order_units import by_tie_break, contracted, hinted_facts, scheduled, units

from renderwright.render.compiler.order.costs import node_costs
from renderwright.render.compiler.order.dependency_graph import hyperedges
from renderwright.render.compiler.order.list_scheduling import weighted_order
from renderwright.render.compiler.order.node_facts import node_facts
from renderwright.render.compiler.order.scheduling_units import scheduling_units
from renderwright.render.compiler.order.weights import BALANCED, MEMORY, OVERLAP
from renderwright.render.types.resources import Texture

TARGET = Texture("rgba8_unorm", (256, 256))


def draws(*more, **changes):
    """Three nodes that draw to one target, and one that shows it; ``changes`` to the second, by keyword of ``node``."""
    made = create("t", TARGET, usage="color")
    three = [node(name, modify("t", usage="color"), **(changes if name == "b" else {})) for name in "abc"]
    last = node("show", read("t", usage="sampled"), sink=True)
    return culled(graph(*[replace(one, index=n) for n, one in enumerate((node("make", made), *three, last, *more))]))


def test_alike_modifiers_of_one_target_are_a_unit():
    assert units(draws()) == [["make"], ["a", "b", "c"], ["show"]]


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
    assert all("b" not in unit or unit == ["b"] for unit in units(draws(**changes)))


def test_a_node_with_another_predecessor_starts_a_unit():
    other = node("other", create("x", TARGET, usage="color"), sink=True)
    found = units(draws(other, after=("other",)))
    assert ["a"] in found
    assert ["b", "c"] in found


def test_a_node_with_another_successor_ends_a_unit():
    other = node("other", create("x", TARGET, usage="color"), sink=True)
    found = units(draws(other, before=("other",)))
    assert ["a", "b"] in found
    assert ["c"] in found


@pytest.mark.parametrize("weights", [BALANCED, MEMORY, OVERLAP], ids=["balanced", "memory", "overlap"])
def test_the_order_is_that_of_the_units(weights):
    merged = 0
    for seed in range(12):
        instances = random_instances(seed, 60, shuffled=bool(seed % 2))
        found = units(instances)
        merged += len(instances.nodes) - len(found)
        members = {unit[0]: unit for unit in found}
        order = [each.id for each in weighted_order(instances, (weights,))]
        heads = scheduled(contracted(instances, found), weights)
        assert order == [name for head in heads for name in members[head.id]]
        assert sorted(order) == sorted(ids(instances))
    assert merged > 20


def test_a_unit_costs_what_all_its_nodes_cost():
    graph = by_tie_break(draws())
    found = scheduling_units(node_facts(graph, node_costs(graph.nodes, {"a": 50.0})), hyperedges(graph))
    names = [graph.nodes[members[0]].id for members in found.members]
    assert dict(zip(names, [unit.cost for unit in found.facts], strict=True)) == {
        "make": 50.0,
        "a": 150.0,
        "show": 50.0,
    }


def test_edges_of_the_nodes_of_a_unit_are_added_up_and_none_is_inside():
    graph = by_tie_break(draws())
    once = hyperedges(graph)
    found = scheduling_units(hinted_facts(graph), once + once).dependencies
    assert found.predecessors == [[], [0], [0, 1]]
    assert found.successors == [[1, 2], [2], []]
    assert found.dependents == [4, 2, 0]
