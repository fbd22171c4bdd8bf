"""Switches of fixed-function state between neighbours, while nodes come, go and change; no GPU is needed."""

from __future__ import annotations

import pytest
from declare_helpers import COLOR, create, graph, modify, node

from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.snapshot import SizeInputs
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.usages import Usage

States = dict[str, dict[str, str]]
BACK, FRONT, NONE = {"cull": "back"}, {"cull": "front"}, {"cull": "none"}


def plan_of(states: States, compiler: Compiler, order: str = "declared") -> Plan:
    """Nodes that draw over one picture, in order of name, each with its state."""
    nodes = []
    for number, (name, state) in enumerate(states.items()):
        request = modify("x", usage=Usage.COLOR) if number else create("x", COLOR, usage=Usage.COLOR)
        priority = len(states) - number
        nodes.append(
            node(name, request, sink=True, state=tuple(sorted(state.items())), priority=priority, index=number)
        )
    return compiler.compile(graph(*nodes), SizeInputs(), CompileOptions(order=order))


def switches(plan: Plan) -> dict[str, dict[str, str]]:
    """What each node has to switch, by name."""
    return {plan.graph.nodes[change.node].id: dict(change.changes) for change in plan.pass_plan.changes}


CASES: dict[str, tuple[States, dict[str, dict[str, str]], int]] = {
    "nobody cares": ({"a": {}, "b": {}}, {}, 0),
    "the first one switches": ({"a": BACK, "b": BACK, "c": BACK}, {"a": BACK}, 2),
    "one in the middle differs": ({"a": BACK, "b": FRONT, "c": BACK}, {"a": BACK, "b": FRONT, "c": BACK}, 0),
    "who asks for nothing switches nothing": ({"a": BACK, "b": {}, "c": BACK}, {"a": BACK}, 1),
    "keys do not mix": (
        {"a": BACK | {"depth": "greater"}, "b": BACK | {"depth": "always"}, "c": FRONT | {"depth": "always"}},
        {"a": BACK | {"depth": "greater"}, "b": {"depth": "always"}, "c": FRONT},
        2,
    ),
    "a key that appears late": ({"a": BACK, "b": BACK | {"blend": "add"}}, {"a": BACK, "b": {"blend": "add"}}, 1),
}


@pytest.mark.parametrize(("states", "expected", "saved"), CASES.values(), ids=CASES)
def test_only_what_differs_is_switched(states: States, expected: dict[str, dict[str, str]], saved: int) -> None:
    plan = plan_of(states, Compiler(RowMajorModel()))
    assert switches(plan) == expected
    assert plan.pass_plan.saved == saved


EDITS: dict[str, tuple[States, States, dict[str, dict[str, str]]]] = {
    "the one in the middle leaves, and its successor switches itself": (
        {"a": NONE, "b": BACK, "c": NONE, "d": NONE},
        {"a": NONE, "b": BACK, "d": NONE},
        {"a": NONE, "b": BACK, "d": NONE},
    ),
    "the first leaves": ({"a": BACK, "b": BACK, "c": NONE}, {"b": BACK, "c": NONE}, {"b": BACK, "c": NONE}),
    "the last leaves": ({"a": BACK, "b": FRONT}, {"a": BACK}, {"a": BACK}),
    "one changes": (
        {"a": NONE, "b": BACK, "c": NONE, "d": NONE},
        {"a": NONE, "b": FRONT, "c": NONE, "d": NONE},
        {"a": NONE, "b": FRONT, "c": NONE},
    ),
    "one becomes like its neighbours": (
        {"a": NONE, "b": BACK, "c": NONE},
        {"a": NONE, "b": NONE, "c": NONE},
        {"a": NONE},
    ),
    "one is added at the end": ({"a": NONE, "b": NONE}, {"a": NONE, "b": NONE, "c": BACK}, {"a": NONE, "c": BACK}),
    "one is added between equals": (
        {"a": NONE, "c": NONE},
        {"a": NONE, "b": BACK, "c": NONE},
        {"a": NONE, "b": BACK, "c": NONE},
    ),
    "nearly all leave": ({"a": NONE, "b": BACK, "c": NONE, "d": BACK}, {"d": BACK}, {"d": BACK}),
}


@pytest.mark.parametrize(("before", "after", "expected"), EDITS.values(), ids=EDITS)
def test_after_an_edit_all_switches_are_right(
    before: States, after: States, expected: dict[str, dict[str, str]]
) -> None:
    compiler = Compiler(RowMajorModel())
    first = plan_of(before, compiler)
    assert switches(plan_of(after, compiler)) == expected
    assert switches(plan_of(before, compiler)) == switches(first)


def test_of_legal_orders_one_with_fewer_switches_is_taken() -> None:
    """Four nodes that nothing orders, two of each state, declared in turn."""
    states = {"a": BACK, "b": FRONT, "c": BACK, "d": FRONT}
    nodes = [
        node(name, create(name, COLOR, usage=Usage.STORAGE_WRITE), sink=True, state=tuple(state.items()), index=number)
        for number, (name, state) in enumerate(states.items())
    ]
    counts = {}
    for order in ("declared", "balanced"):
        plan = Compiler(RowMajorModel()).compile(graph(*nodes), SizeInputs(), CompileOptions(order=order))
        counts[order] = (len(plan.pass_plan.changes), plan.pass_plan.saved)
    assert counts == {"declared": (4, 0), "balanced": (2, 2)}
