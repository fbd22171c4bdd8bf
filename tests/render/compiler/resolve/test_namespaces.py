"""Look-up of names from inside out."""

from __future__ import annotations

import pytest
from declare_helpers import (
    create,
    culled,
    edge,
    graph,
    history,
    member,
    modify,
    names,
    node,
    pairs,
    problem,
    read,
    removal,
    rename,
)

from renderwright.render.compiler.resolve.namespaces import full_name
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.precedence import EdgeReason
from renderwright.render.compiler.values.resolved import ResolvedGraph
from renderwright.render.graph.requests import Rate
from renderwright.render.graph.snapshot import Chain
from renderwright.render.types.resources import Blob


def bound(result: ResolvedGraph, name: str) -> list[str]:
    """The names that a node's requests stand for."""
    return [b.name for n in result.nodes if n.declaration.name == name for b in n.requests]


@pytest.mark.parametrize(
    ("known", "found"),
    [
        ({"a/b/x", "a/x", "x"}, "a/b/x"),
        ({"a/x", "x"}, "a/x"),
        ({"x"}, "x"),
        ({"b/x", "c/x"}, "x"),
        (set(), "x"),
    ],
)
def test_the_innermost_namespace_wins(known: set[str], found: str) -> None:
    assert full_name("x", "a/b/node", known) == found
    assert full_name("x", "node", known) == "x"
    assert full_name("/x", "a/b/node", known) == "x"


def test_a_plugin_finds_its_own_resource_first_and_others_do_not() -> None:
    result = resolve(
        graph(
            node("fill", create("map")),
            node("shadows/render", create("shadows/map")),
            node("shadows/resolve", read("map")),
            node("fog/apply", read("map")),
            node("debug/show", read("shadows/map")),
            node("shadows/outer", read("/map")),
        )
    )
    assert bound(result, "shadows/resolve") == ["shadows/map"]
    assert bound(result, "fog/apply") == ["map"]
    assert bound(result, "debug/show") == ["shadows/map"]
    assert bound(result, "shadows/outer") == ["map"]


def test_two_plugins_with_the_same_short_names_do_not_clash() -> None:
    nodes = [
        made
        for plugin in ("one", "two")
        for made in (node(f"{plugin}/write", create(f"{plugin}/map")), node(f"{plugin}/read", read("map"), sink=True))
    ]
    result = culled(graph(*nodes))
    assert result.problems == ()
    assert pairs(result) == {("one/write", "one/read"), ("two/write", "two/read")}


def test_every_verb_is_looked_up_and_what_comes_into_being_is_not() -> None:
    result = resolve(
        graph(
            node("p/make", create("p/a"), create("p/b")),
            node("p/use", modify("a"), history("b"), rename("/p/a", "b2")),
            node("p/new", create("x")),
            node("p/last", read("b2"), read("x")),
        )
    )
    assert bound(result, "p/use") == ["p/a", "p/b", "p/a"]
    assert [r.names for r in result.resources if r.root == "p/a"] == [("p/a", "b2")]
    assert bound(result, "p/last") == ["b2", "x"]


def test_the_blob_of_a_condition_is_looked_up_like_the_request_for_it() -> None:
    result = resolve(
        graph(node("p/make", create("p/sun", Blob("Sun"))), node("p/draw", read("sun"), rate=Rate(when="sun")))
    )
    draw = next(n.declaration for n in result.nodes if n.declaration.name == "p/draw")
    assert (draw.rate.when, draw.requests[0].name) == ("p/sun", "p/sun")


def test_new_names_of_renames_slots_and_chain_outputs_exist_too() -> None:
    result = resolve(
        graph(
            node("p/make", create("p/old"), create("other"), create("in")),
            node("p/rename", rename("old", "p/new")),
            node("p/read", read("new"), read("slot"), read("out")),
            member("effect", "chain"),
            slots=(("p/slot", "other"),),
            chains=(Chain("chain", "in", "p/out"),),
        )
    )
    assert bound(result, "p/read") == ["p/new", "other", "chain/effect"]


def test_a_name_whose_creator_is_removed_does_not_turn_into_another() -> None:
    result = culled(
        graph(
            node("fill", create("map")),
            node("p/make", create("p/map"), read("missing")),
            node("p/use", read("map"), sink=True),
            node("show", read("map"), sink=True),
        )
    )
    assert names(result) == ["fill", "show"]
    assert removal(result, "p/use").message == ("`p/use` removed: it needs `p/map`, whose creator `p/make` was removed")


def test_before_and_after_mean_nodes_of_the_own_plugin_first() -> None:
    result = resolve(
        graph(
            node("combine"),
            node("bloom/combine"),
            node("bloom/down", before=("combine",)),
            node("bloom/up", after=("/combine",)),
            node("fog/apply", before=("combine",)),
            node("glare/apply", after=("bloom/combine",)),
        )
    )
    assert pairs(result) == {
        ("bloom/down", "bloom/combine"),
        ("combine", "bloom/up"),
        ("fog/apply", "combine"),
        ("bloom/combine", "glare/apply"),
    }
    assert edge(result, "bloom/down", "bloom/combine").reason is EdgeReason.EXPLICIT


def test_before_and_after_in_a_chain_are_looked_up_too() -> None:
    result = resolve(
        graph(
            node("c", create("in")),
            member("p/b", "chain"),
            member("p/a", "chain", after=("b",)),
            member("b", "chain", after=("p/a",)),
            chains=(Chain("chain", "in", "out"),),
        )
    )
    assert bound(result, "p/a") == ["chain/p/b", "chain/p/a"]
    assert bound(result, "b") == ["chain/p/a", "chain/b"]


def test_an_absent_node_is_reported_by_the_name_that_was_given() -> None:
    found = problem(resolve(graph(node("p/a", after=("combine",)), node("combined"))), "unknown-node")
    assert "`p/a` is declared to run after `combine`, which is not in the graph" in found.message
