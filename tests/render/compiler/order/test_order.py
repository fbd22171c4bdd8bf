"""Orders under each policy."""

from collections import Counter
from itertools import permutations

import pytest
from declare_helpers import create, culled, graph, ids, modify, node, read

from renderwright.render.compiler.order.stage import POLICIES, order
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.preferred_order import PreferredOrder
from renderwright.render.errors import UsageError


def ordered(*nodes, policy="declared", **more):
    return ids(order(culled(graph(*nodes, **more)), CompileOptions(order=policy)))


def test_declared_order_is_priority_then_registration_then_instance_then_name():
    nodes = (
        node("late", sink=True, index=2),
        node("b", sink=True, index=1, mode="view"),
        node("a", sink=True, index=1, mode="view"),
        node("urgent", sink=True, index=7, priority=1),
    )
    found = ordered(*nodes, counts=(("view", 2),))
    assert found == ["urgent", "a@view=0", "b@view=0", "a@view=1", "b@view=1", "late"]


def test_instances_are_counted_as_numbers():
    found = ordered(node("a", sink=True, mode="tile"), counts=(("tile", 12),))
    assert found == [f"a@tile={i}" for i in range(12)]


def test_edges_come_before_wishes():
    assert ordered(node("a", read("x"), sink=True, index=1, priority=9), node("b", create("x"), index=2)) == ["b", "a"]


def test_nodes_with_the_same_attachments_stay_together():
    color = {"usage": "color"}
    found = ordered(
        node("targets", create("p", **color), index=0),
        node("targets2", create("q", **color), index=1),
        node("draw1", modify("p", **color), index=2),
        node("draw2", modify("q", **color), index=3),
        node("draw3", modify("p", **color), index=4),
        node("draw4", modify("q", **color), index=5),
        sinks=("p", "q"),
    )
    assert found == ["targets", "draw1", "draw3", "targets2", "draw2", "draw4"]


def test_nodes_without_attachments_are_not_drawn_together():
    nodes = (
        node("a", sink=True, index=1),
        node("b", create("x", usage="color"), sink=True, index=2),
        node("c", sink=True, index=3),
    )
    assert ordered(*nodes) == ["a", "b", "c"]


def test_random_orders_are_legal_repeatable_and_different():
    nodes = [node(f"n{i}", create(f"x{i}"), *([read(f"x{i // 2}")] if i else []), sink=True) for i in range(12)]
    found = {tuple(ordered(*nodes, policy=f"random:{seed}")) for seed in range(20)}
    assert len(found) > 15
    for result in found:
        assert all(result.index(f"n{i // 2}") < result.index(f"n{i}") for i in range(1, 12))
    assert ordered(*nodes, policy="random:3") == ordered(*nodes[::-1], policy="random:3")


def chi_square(found, expected):
    """Pearson's statistic of counts against probabilities."""
    total = sum(found.values())
    assert set(found) <= set(expected)
    return sum((found[key] - total * share) ** 2 / (total * share) for key, share in expected.items())


def test_random_takes_each_of_n_free_nodes_in_each_of_n_factorial_orders():
    nodes = [node(name, sink=True) for name in "abc"]
    found = Counter("".join(ordered(*nodes, policy=f"random:{seed}")) for seed in range(1200))
    # 5 degrees of freedom: 20.5 is passed once in 1000.
    assert chi_square(found, {"".join(order): 1 / 6 for order in permutations("abc")}) < 20.5


def test_random_is_uniform_over_ready_nodes_and_not_over_orders():
    """Of a < b and c alone, c comes first half of the time, though it does in one order of three only."""
    nodes = [node("a", sink=True), node("b", sink=True, after=("a",)), node("c", sink=True)]
    found = Counter("".join(ordered(*nodes, policy=f"random:{seed}")) for seed in range(1200))
    # 2 degrees of freedom: 13.8 is passed once in 1000.
    assert chi_square(found, {"cab": 1 / 2, "abc": 1 / 4, "acb": 1 / 4}) < 13.8
    assert chi_square(found, {"cab": 1 / 3, "abc": 1 / 3, "acb": 1 / 3}) > 13.8


@pytest.mark.parametrize("policy", ["fastest", "random", "random:x", "declared:1", ""])
def test_unknown_policy(policy):
    with pytest.raises(UsageError, match="unknown order policy"):
        ordered(node("a"), policy=policy)


def test_an_unknown_policy_is_an_error_where_a_preferred_order_replaces_it():
    frame = culled(graph(node("a", sink=True), node("b", sink=True)))
    with pytest.raises(UsageError, match="unknown order policy"):
        order(frame, CompileOptions(order="fastest", preferred=PreferredOrder(("b", "a"))))


def test_a_policy_with_a_slip_of_the_pen():
    with pytest.raises(UsageError) as caught:
        ordered(node("a"), policy="balenced")
    assert caught.value.hint == 'did you mean "balanced"?'


def test_balanced_is_the_default():
    assert CompileOptions().order == "balanced"
    assert set(POLICIES) == {"balanced", "memory", "overlap", "declared", "random:SEED"}


def test_nodes_that_execute_nothing_are_put_off():
    """A skeleton's node creates; it runs right before the first node that uses what it created."""
    creator = node("creator", create("target"), executes=False)
    other = node("other", create("elsewhere"), sink=True)
    user = node("user", modify("target"), sink=True)
    assert ordered(creator, other, user) == ["other", "creator", "user"]
