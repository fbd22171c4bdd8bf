"""Modes of nodes that declare none: the dimensions of what they use."""

from __future__ import annotations

from typing import Any

from declare_helpers import create, gather, graph, history, ids, member, modify, node, place, problem, read, rename

from renderwright.render.compiler.instances.multiplex import multiplex
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.graph.requests import NodeDeclaration, Request
from renderwright.render.graph.snapshot import Chain, GraphSnapshot


def plain(name: str, *requests: Request, **more: Any) -> NodeDeclaration:
    """A node without a mode of its own."""
    return NodeDeclaration(name, "test", place(), requests=requests, **more)


def modes(snapshot: GraphSnapshot) -> dict[str, str]:
    result = resolve(snapshot)
    assert not result.problems
    return {n.declaration.name: " ".join(sorted(n.mode)) for n in result.nodes}


def test_a_node_has_the_dimensions_of_all_that_it_uses() -> None:
    assert modes(
        graph(
            node("views", create("v"), mode="view"),
            node("eyes", create("e"), mode="eye"),
            node("once", create("o")),
            plain("both", read("v"), history("e2")),
            plain("one", modify("v"), read("o")),
            plain("renames", rename("e", "e2")),
            plain("none", read("o")),
            plain("nothing"),
        )
    ) == {
        "views": "view", "eyes": "eye", "once": "", "both": "eye view", "one": "view", "renames": "eye", "none": "",
        "nothing": "",
    }  # fmt: skip


def test_what_it_gathers_creates_or_does_not_find_adds_nothing() -> None:
    assert (
        modes(
            graph(
                node("views", create("v"), mode="view"),
                node("eyes", create("e"), mode="eye"),
                plain("compose", gather("v"), create("x"), history("x"), read("absent", optional=True), read("e")),
            )
        )["compose"]
        == "eye"
    )


def test_before_and_after_add_nothing() -> None:
    result = modes(graph(node("views", create("v"), mode="view"), plain("late", after=("views",))))
    assert result["late"] == ""


def test_modes_travel_along_created_resources_renames_chains_and_slots() -> None:
    result = modes(
        graph(
            node("a", create("hdr"), mode="view eye"),
            plain("b", read("hdr"), create("b1")),
            plain("c", read("b1"), create("c1")),
            plain("d", rename("c1", "d1")),
            plain("e", read("given")),
            member("effect", "post", mode="view eye"),
            plain("f", read("out")),
            slots=(("given", "d1"),),
            chains=(Chain("post", "hdr", "out"),),
        )
    )
    assert set(result.values()) == {"eye view"}


def test_a_chain_member_without_a_mode_has_its_inputs() -> None:
    where = [read("", chain="post"), create("", None, chain="post")]
    result = modes(
        graph(
            node("a", create("hdr"), mode="view"),
            plain("m", *where),
            plain("n", *where),
            chains=(Chain("post", "hdr", "out"),),
        )
    )
    assert (result["m"], result["n"]) == ("view", "view")


def test_an_empty_mode_is_not_inferred_and_stays_an_error() -> None:
    result = resolve(graph(node("a", create("x"), mode="view"), node("b", read("x"), mode="")))
    found = problem(result, "mode")
    assert "`b` runs once and cannot use `x`, which `a` creates for each `view`" in found.message


def test_inferred_modes_do_not_depend_on_the_order_of_declaration() -> None:
    nodes = [
        node("a", create("x"), mode="view"),
        *(plain(f"n{i}", read(f"x{i - 1}" if i else "x"), create(f"x{i}")) for i in range(6)),
    ]
    assert modes(graph(*nodes)) == modes(graph(*reversed(nodes)))


def test_nodes_in_a_circle_do_not_hang_the_inference() -> None:
    result = resolve(
        graph(
            node("a", create("x"), mode="view"),
            plain("b", read("x"), read("c1"), create("b1")),
            plain("c", read("b1"), create("c1")),
        )
    )
    assert problem(result, "cycle")
    assert {n.declaration.name for n in result.nodes} == {"a", "b"}  # the larger name of the two left
    assert result.nodes[1].mode == {"view"}


def test_a_second_view_needs_no_word_in_the_nodes_that_draw() -> None:
    nodes = (
        node("views", create("x"), mode="view"),
        plain("draw", modify("x")),
        plain("show", gather("x")),
    )
    one, two = (graph(*nodes, counts=(("view", count),)) for count in (1, 2))
    assert ids(multiplex(resolve(one), one)) == ["draw", "show", "views"]
    assert ids(multiplex(resolve(two), two)) == ["draw@view=0", "draw@view=1", "show", "views@view=0", "views@view=1"]
