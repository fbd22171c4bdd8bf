"""What requests mean: edges through new names, one life for one memory, reports with every place, a repair that does
not depend on the order of declaration."""

from __future__ import annotations

from itertools import permutations

import pytest
from declare_helpers import (
    COLOR,
    create,
    culled,
    edge,
    gather,
    graph,
    history,
    modify,
    names,
    node,
    pairs,
    problem,
    read,
    rename,
)

from renderwright.render.compiler.diagnostics.findings import Severity
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.precedence import EdgeReason
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.types.resources import Blob, Buffer


def test_who_renames_to_a_name_comes_before_its_modifiers_and_readers() -> None:
    result = resolve(
        graph(
            node("make", create("hdr")),
            node("take", rename("hdr", "lit")),
            node("change", modify("lit")),
            node("look", read("lit")),
            node("remember", history("lit")),
            node("collect", gather("lit")),
        )
    )
    for user, reason in [
        ("change", EdgeReason.CREATE_MODIFY),
        ("look", EdgeReason.CREATE_READ),
        ("remember", EdgeReason.CREATE_READ),
        ("collect", EdgeReason.CREATE_READ),
    ]:
        assert edge(result, "take", user).reason is reason
        assert edge(result, "take", user).resource == "lit"


def test_all_users_of_the_old_name_come_before_its_rename() -> None:
    result = resolve(
        graph(
            node("make", create("hdr")),
            node("change", modify("hdr")),
            node("look", read("hdr")),
            node("collect", gather("hdr")),
            node("take", rename("hdr", "lit")),
        )
    )
    assert {first for first, second in pairs(result) if second == "take"} == {"make", "change", "look", "collect"}


def test_before_and_after_need_no_resource_and_run_one_way_each() -> None:
    result = resolve(graph(node("a", before=("b", "c")), node("b"), node("c", after=("b",))))
    assert pairs(result) == {("a", "b"), ("a", "c"), ("b", "c")}


def test_users_of_unrelated_names_are_not_ordered() -> None:
    result = resolve(graph(node("a", create("x")), node("b", create("y")), node("c", read("x")), node("d", read("y"))))
    assert pairs(result) == {("a", "c"), ("b", "d")}


def test_readers_of_one_name_are_not_ordered_among_themselves() -> None:
    result = resolve(graph(node("a", create("x")), node("b", read("x")), node("c", read("x"))))
    assert pairs(result) == {("a", "b"), ("a", "c")}


def test_a_rename_keeps_the_memory_through_a_chain_of_any_length() -> None:
    steps = [node(f"n{i:02}", rename(f"x{i}", f"x{i + 1}")) for i in range(20)]
    result = culled(graph(node("make", create("x0")), *steps, node("last", read("x20"), sink=True)))
    (resource,) = result.resources
    assert resource.id == "x0"
    assert resource.resource.names == tuple(f"x{i}" for i in range(21))
    assert {use.resources for n in result.nodes for use in n.uses} == {("x0",)}


def test_a_name_can_be_used_again_only_by_another_name() -> None:
    """A rename ends the old name's life: nobody can create it anew in the same frame."""
    result = resolve(graph(node("a", create("x")), node("b", rename("x", "y")), node("c", create("x"))))
    assert "`x` is created by `a` and `c`" in problem(result, "two-creators").message


def test_the_note_on_modifiers_comes_once_and_is_no_error() -> None:
    result = resolve(
        graph(node("c", create("x")), *(node(f"m{i}", modify("x")) for i in range(4)), node("r", read("x")))
    )
    (only,) = result.problems
    assert (only.severity, only.code) == (Severity.NOTE, "modifier-order")
    assert "before/after or priorities" in only.hint
    assert names(result) == ["c", "m0", "m1", "m2", "m3", "r"]


FAULTY: dict[str, tuple[NodeDeclaration, ...]] = {
    "cycle": (node("a", create("x"), read("y")), node("b", create("y"), read("x"))),
    "two-creators": (node("a", create("x")), node("b", create("x"))),
    "renamed-twice": (node("a", create("x")), node("b", rename("x", "y")), node("c", rename("x", "z"))),
    "history": (node("a", create("x")), node("b", rename("x", "y")), node("c", history("x"))),
    "kind": (node("a", create("x", COLOR)), node("b", read("x", desc=Buffer(16)))),
    "blob-type": (node("a", create("x", Blob("Camera"))), node("b", read("x", desc=Blob("Light")))),
    "mode": (node("a", create("x"), mode="view"), node("b", read("x"))),
}


@pytest.mark.parametrize("code", FAULTY)
def test_a_report_names_every_node_involved_with_its_place(code: str) -> None:
    nodes = FAULTY[code]
    found = problem(resolve(graph(*nodes)), code)
    assert found.severity is Severity.ERROR
    involved = {"renamed-twice": "bc", "history": "bc"}.get(code, "ab")
    for name in involved:
        assert f"`{name}`" in found.message
        declaration = next(n for n in nodes if n.name == name)
        assert {declaration.source, *(r.source for r in declaration.requests)} & set(found.where)
    assert all(place.file == "plugin.py" and place.line for place in found.where)


@pytest.mark.parametrize("code", FAULTY)
def test_a_repair_is_small_and_does_not_depend_on_the_order_of_declaration(code: str) -> None:
    bystanders = (node("p", create("picture"), sink=True), node("q", read("picture"), sink=True))
    results = [resolve(graph(*order)) for order in permutations((*FAULTY[code], *bystanders))]
    assert len({(r.nodes, r.removed, r.problems, r.edges) for r in results}) == 1
    (removed,) = results[0].removed
    assert removed.node in "abc"
    assert {"p", "q"} <= set(names(results[0]))
    assert removed.message.startswith(f"`{removed.node}` removed: ")


def test_what_a_cycle_leaves_is_still_ordered() -> None:
    result = resolve(
        graph(
            node("a", create("x"), read("y", optional=True)),
            node("b", create("y"), read("x")),
            node("c", read("x"), sink=True),
        )
    )
    assert names(result) == ["a", "c"]
    assert pairs(result) == {("a", "c")}
