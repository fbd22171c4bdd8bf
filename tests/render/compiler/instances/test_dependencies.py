"""Dependencies between the users of one name, topological sorts, strongly connected components."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from renderwright.render.compiler.instances.dependencies import NameUsers, Role
from renderwright.render.compiler.instances.strongly_connected import components
from renderwright.render.compiler.instances.topological_sort import first_order
from renderwright.render.compiler.values.precedence import EdgeReason, Precedence, edges_of, precedences

NODES = st.integers(0, 9)
PAIRS = st.lists(st.tuples(NODES, NODES), max_size=25)


def reached(graph: dict[str, list[str]], start: str) -> set[str]:
    found: set[str] = set()
    work = [start]
    while work:
        new = set(graph.get(work.pop(), ())) - found
        found |= new
        work += new
    return found


@given(PAIRS)
def test_two_nodes_of_a_component_reach_each_other(pairs: list[tuple[int, int]]) -> None:
    graph: dict[str, list[str]] = {}
    for before, after in pairs:
        graph.setdefault(f"n{before}", []).append(f"n{after}")
    mutual = {
        tuple(sorted({node} | {other for other in reached(graph, node) if node in reached(graph, other)}))
        for node in graph
    }
    assert sorted(map(tuple, components(graph))) == sorted(members for members in mutual if len(members) > 1)


@given(PAIRS)
def test_the_first_ready_node_comes_next(pairs: list[tuple[int, int]]) -> None:
    names = [f"n{number}" for number in range(10)]
    ordered = [sorted((names[one], names[other])) for one, other in pairs if one != other]
    forwards = [Precedence((first,), (then,), EdgeReason.EXPLICIT) for first, then in ordered]
    assert first_order(names, forwards) == names
    order = first_order(names, [Precedence((then,), (first,), EdgeReason.EXPLICIT) for first, then in ordered])
    assert sorted(order) == names
    assert all(order.index(then) < order.index(first) for first, then in ordered)


def test_nodes_on_a_cycle_and_behind_it_are_left_out() -> None:
    groups = [Precedence(("b",), ("c",), EdgeReason.EXPLICIT), Precedence(("c",), ("b", "d"), EdgeReason.EXPLICIT)]
    assert first_order(["d", "c", "b", "a"], groups) == ["a"]


def test_creators_modifiers_readers_and_renamers_follow_one_another() -> None:
    users = NameUsers()
    for role, node in ((Role.READ, "r"), (Role.MODIFY, "m"), (Role.RENAME, "n"), (Role.CREATE, "c")):
        users.add(role, node)
    pairs = {(edge.before, edge.after): edge.reason for edge in edges_of(users.precedences("x"))}
    assert pairs == {
        ("c", "m"): EdgeReason.CREATE_MODIFY,
        ("c", "r"): EdgeReason.CREATE_READ,
        ("m", "r"): EdgeReason.MODIFY_READ,
        ("c", "n"): EdgeReason.USE_RENAME,
        ("m", "n"): EdgeReason.USE_RENAME,
        ("r", "n"): EdgeReason.USE_RENAME,
    }


def test_instances_of_one_node_do_not_depend_on_one_another() -> None:
    owners = {"a@view=0": "a", "a@view=1": "a", "b": "b"}
    found = precedences(("a@view=0", "a@view=1"), ("a@view=1", "b"), EdgeReason.MODIFY_READ, "x", owners)
    assert [(group.befores, group.afters) for group in found] == [(("a@view=0",), ("b",)), (("a@view=1",), ("b",))]
