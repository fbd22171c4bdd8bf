"""Names, renames, slots, edges and the row of modifiers in a valid graph."""

from dataclasses import replace

import pytest
from declare_helpers import (
    COLOR,
    create,
    edge,
    external,
    gather,
    graph,
    history,
    modify,
    node,
    pairs,
    problem,
    read,
    rename,
)

from renderwright.render.compiler.diagnostics.findings import Severity
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.precedence import EdgeReason


def test_life_of_a_name_orders_create_modify_read_rename():
    result = resolve(
        graph(
            node("r", read("x")),
            node("n", rename("x", "y")),
            node("m", modify("x")),
            node("c", create("x")),
            node("last", read("y")),
        )
    )
    assert pairs(result) == {("c", "m"), ("c", "r"), ("m", "r"), ("c", "n"), ("m", "n"), ("r", "n"), ("n", "last")}
    assert edge(result, "c", "m").reason is EdgeReason.CREATE_MODIFY
    assert edge(result, "c", "r").reason is EdgeReason.CREATE_READ
    assert edge(result, "m", "r").reason is EdgeReason.MODIFY_READ
    assert edge(result, "r", "n").reason is EdgeReason.USE_RENAME
    assert edge(result, "n", "last").resource == "y"


@pytest.mark.parametrize("ask", [history, gather])
def test_histories_and_gathers_order_like_reads(ask):
    result = resolve(graph(node("c", create("x")), node("m", modify("x")), node("h", ask("x"))))
    assert {("c", "h"), ("m", "h")} <= pairs(result)


def test_a_node_has_no_edge_to_itself():
    result = resolve(graph(node("taa", create("x"), history("x"), modify("x"))))
    assert result.edges == ()
    assert result.problems == ()


def test_external_counts_as_creation():
    result = resolve(graph(node("e", external("backbuffer")), node("w", modify("backbuffer"))))
    assert pairs(result) == {("e", "w")}
    assert result.resources[0].external
    assert result.resources[0].creator == "e"


def test_renames_lead_to_one_resource_with_all_its_names():
    result = resolve(
        graph(
            node("a", create("hdr", clear=(0.0, 0.0, 0.0, 1.0))),
            node("b", rename("hdr", "ldr")),
            node("c", rename("ldr", "shown")),
            node("h", history("shown")),
            sinks=("ldr",),
        )
    )
    (resource,) = result.resources
    assert resource.names == ("hdr", "ldr", "shown")
    assert resource.creator == "a"
    assert resource.clear == (0.0, 0.0, 0.0, 1.0)
    assert result.sinks == ("hdr",)
    bound = {n.declaration.name: n.requests[0] for n in result.nodes}
    assert (bound["c"].name, bound["c"].to, bound["c"].root) == ("ldr", "shown", "hdr")
    assert (bound["h"].name, bound["h"].root) == ("shown", "hdr")


def test_slots_are_followed_through_slots():
    result = resolve(
        graph(
            node("g", create("gbuffer_depth")),
            node("fog", read("depth_for_fog")),
            slots=(("depth_for_fog", "scene_depth"), ("scene_depth", "gbuffer_depth")),
            sinks=("scene_depth",),
        )
    )
    assert pairs(result) == {("g", "fog")}
    assert result.sinks == ("gbuffer_depth",)
    assert ("depth_for_fog", "gbuffer_depth") in result.aliases


def test_a_request_for_nothing_has_no_root():
    result = resolve(graph(node("a", read("nothing", optional=True), read("less"))))
    assert [bound.root for bound in result.nodes[0].requests] == ["", ""]
    assert result.removed == ()  # who cannot do without is for cull to say


def test_before_and_after_make_edges():
    result = resolve(graph(node("a", before=("b",)), node("b"), node("c", after=("b",))))
    assert pairs(result) == {("a", "b"), ("b", "c")}
    assert edge(result, "a", "b").reason is EdgeReason.EXPLICIT


def test_edges_between_the_same_nodes_collapse_to_the_smallest_reason():
    result = resolve(graph(node("a", create("x"), before=("b",)), node("b", modify("x"), read("x"))))
    (only,) = result.edges
    assert only.reason is min(EdgeReason.CREATE_MODIFY, EdgeReason.CREATE_READ, EdgeReason.EXPLICIT)


def test_absent_node_like_one_that_exists_is_a_note():
    result = resolve(graph(node("fog", after=("sky_dome",)), node("sky_domes")))
    found = problem(result, "unknown-node")
    assert found.severity is Severity.NOTE
    assert "`fog` is declared to run after `sky_dome`" in found.message
    assert "`sky_domes`" in found.hint
    assert result.edges == ()


def test_absent_node_like_none_is_no_problem():
    result = resolve(graph(node("decals", after=("masked", "glass")), node("sky_domes")))
    assert result.problems == ()
    assert result.edges == ()


def test_a_right_graph_searches_for_no_names(monkeypatch: pytest.MonkeyPatch):
    def search(*_, **__):
        raise AssertionError("a name is searched for")

    monkeypatch.setattr("renderwright.render.suggest._near", search)
    monkeypatch.setattr("renderwright.render.compiler.diagnostics.near_names.near_words", search)
    plain, willing = node("c", create("x"), mode="view"), replace(node("w", create("y"), mode="view"), multiview="view")
    assert resolve(graph(plain, willing, node("r", gather("x"), gather("y")))).problems == ()


def test_node_before_itself_is_a_note():
    result = resolve(graph(node("fog", before=("fog",))))
    assert "itself" in problem(result, "unknown-node").message


# modifiers ----------------------------------------------------------------------------------------------------------


def rows(result):
    return [(e.before, e.after) for e in result.edges if e.reason is EdgeReason.MODIFY_MODIFY]


def test_modifiers_stand_in_a_row_by_priority_index_name():
    result = resolve(
        graph(
            node("c", create("x")),
            node("late", modify("x"), index=3),
            node("zeta", modify("x"), index=2),
            node("beta", modify("x"), index=2),
            node("first", modify("x"), index=9, priority=1),
        )
    )
    assert rows(result) == [("beta", "zeta"), ("first", "beta"), ("zeta", "late")]
    found = problem(result, "modifier-order")
    assert found.severity is Severity.NOTE
    assert "`first`, `beta`, `zeta` and `late` modify `x`" in found.message
    assert len(found.where) == 4


def test_a_note_leaves_out_modifiers_whose_order_is_declared():
    result = resolve(
        graph(
            node("c", create("x")),
            node("still", modify("x"), before=("moved",)),
            node("moved", modify("x")),
            node("own", modify("x"), after=("still",)),
        )
    )
    assert "in which `moved` and `own` modify `x`" in problem(result, "modifier-order").message


def test_a_note_has_each_modifier_without_a_declared_place():
    """The last one comes behind its neighbour, and before or behind the first one."""
    result = resolve(
        graph(
            node("c", create("x")),
            node("free", modify("x"), index=1),
            node("one", modify("x"), before=("two",), index=2),
            node("two", modify("x"), index=3),
        )
    )
    assert "in which `free`, `one` and `two` modify `x`" in problem(result, "modifier-order").message


def test_declared_order_of_modifiers_wins_over_priority_without_a_note():
    result = resolve(
        graph(node("c", create("x")), node("a", modify("x"), priority=5, after=("b",)), node("b", modify("x")))
    )
    assert ("b", "a") in pairs(result)
    assert ("a", "b") not in pairs(result)
    assert result.problems == ()


def test_modifiers_ordered_through_other_nodes_need_no_note():
    result = resolve(
        graph(
            node("c", create("x")),
            node("a", modify("x"), read("y"), priority=5),
            node("b", modify("x"), create("y")),
        )
    )
    assert ("b", "a") in pairs(result)
    assert result.problems == ()


def test_priority_counts_even_when_the_modifier_waits_for_a_slow_one():
    result = resolve(
        graph(
            node("c", create("x")),
            node("slow", create("y"), index=50),
            node("urgent", modify("x"), read("y"), priority=1),
            node("ready", modify("x"), index=1),
        )
    )
    assert rows(result) == [("urgent", "ready")]


def test_rows_of_two_names_never_make_a_cycle():
    """The largest priority wants p before q in y; in x the row must agree although the priorities are the other way."""
    result = resolve(
        graph(
            node("c", create("x"), create("y")),
            node("a", modify("x"), priority=2),
            node("b", modify("x"), create("t"), priority=1),
            node("p", modify("y"), read("t"), priority=9),
            node("q", modify("y"), before=("a",)),
        )
    )
    order = {("p", "q"), ("q", "a"), ("b", "p")}
    assert order <= pairs(result)
    assert ("b", "a") in pairs(result)
    assert ["modify `x`" in p.message or "modify `y`" in p.message for p in result.problems] == [True, True]


@pytest.mark.parametrize("names", [("x", "y"), ("y", "x")])
def test_names_do_not_choose_between_two_rows(names: tuple[str, str]) -> None:
    """Each of two rows can be as its priorities want, but not both; what they are called does not matter."""
    one, other = names
    result = resolve(
        graph(
            node("c", create(one), create(other)),
            node("a", modify(one), priority=2),
            node("b", modify(one), create("t"), priority=1),
            node("p", modify(other), read("t"), priority=9),
            node("q", modify(other), before=("a",)),
        )
    )
    assert {("p", "q"), ("b", "a")} <= pairs(result)


def test_results_are_in_order_of_name():
    result = resolve(graph(node("b", create("y", COLOR)), node("a", create("x", COLOR)), node("c", create("a"))))
    assert [n.declaration.name for n in result.nodes] == ["a", "b", "c"]
    assert [r.root for r in result.resources] == ["a", "x", "y"]
