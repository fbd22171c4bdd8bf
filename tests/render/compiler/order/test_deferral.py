"""Deferral of nodes that execute nothing: those that are scheduled together are in a legal order."""

from declare_helpers import create, culled, graph, ids, node, read
from order_units import scheduled

from renderwright.render.compiler.order.weights import BALANCED


def idle(name, *requests, **more):
    return node(name, *requests, executes=False, **more)


def test_units_taken_together_are_in_a_legal_order_after_others_were_taken() -> None:
    """``late`` is deferred after two that were deferred before ``early`` were taken, and may not overtake it."""
    nodes = [
        idle("one", create("a"), index=0),
        idle("two", create("b"), index=1),
        idle("early", create("c"), index=2),
        node("taker", read("a", usage="sampled"), read("b", usage="sampled"), create("y"), sink=True, index=3),
        idle("late", create("d"), after=("taker", "early"), index=4),
        node("last", read("c", usage="sampled"), read("d", usage="sampled"), create("z"), sink=True, index=5),
    ]
    instances = culled(graph(*nodes))
    order = [each.id for each in scheduled(instances, BALANCED)]
    assert sorted(order) == sorted(ids(instances))
    assert order.index("early") < order.index("late")
