"""Broken and dangling nodes."""

import pytest
from declare_helpers import (
    COLOR,
    create,
    culled,
    external,
    gather,
    graph,
    history,
    ids,
    modify,
    names,
    node,
    pairs,
    problem,
    read,
    removal,
    rename,
)
from feature_graphs import feature_graph

from renderwright.render.compiler.cull.stage import cull
from renderwright.render.compiler.diagnostics import findings
from renderwright.render.compiler.diagnostics.findings import RemovalReason
from renderwright.render.compiler.instances.multiplex import multiplex
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.precedence import EdgeReason


def use(result, name, number=0):
    return next(n for n in result.nodes if n.declaration.name == name).uses[number]


def test_what_leads_to_a_sink_or_a_side_effect_stays():
    result = culled(
        graph(
            node("gbuffer", create("depth")),
            node("ssao", create("ao"), read("depth")),
            node("light", create("lit"), read("ao")),
            node("probe", read("depth"), sink=True),
            sinks=("lit",),
        )
    )
    assert names(result) == ["gbuffer", "light", "probe", "ssao"]
    assert result.removed == ()


def test_broken_nodes_break_others():
    result = culled(
        graph(
            node("fog", create("foggy"), read("dept")),
            node("tonemap", create("ldr"), read("foggy")),
            node("other", create("depth"), sink=True),
            sinks=("ldr",),
        )
    )
    assert names(result) == ["other"]
    fog, tonemap = removal(result, "fog"), removal(result, "tonemap")
    assert fog.reason is tonemap.reason is RemovalReason.BROKEN
    assert fog.message == "`fog` removed: it needs `dept`, which nobody creates; did you mean `depth`?"
    assert tonemap.message == "`tonemap` removed: it needs `foggy`, whose creator `fog` was removed"
    assert "`ldr`, but `tonemap`" in problem(result, "no-sink").message
    assert result.sinks == ()


@pytest.mark.parametrize(
    ("wanted", "hint"),
    [
        ("masc", "did you mean `mask` (`lens/mask`)?"),
        ("lens/masc", "did you mean `lens/mask`?"),
        ("innner", "did you mean `inner` (`lens/deep/inner`)?"),
        ("dept", "did you mean `depth` (`lens/depth`)?"),
        ("hidde", ""),
    ],
)
def test_similar_names_of_the_own_namespaces_are_suggested(wanted, hint):
    result = culled(
        graph(
            node("lens/make", create("lens/mask"), create("lens/depth"), create("lens/deep/inner"), sink=True),
            node("other/make", create("other/hidden"), create("depth"), sink=True),
            node("lens/deep/apply", read(wanted), sink=True),
        )
    )
    found = removal(result, "lens/deep/apply")
    assert found.message.partition("nobody creates")[2].removeprefix("; ") == hint
    assert found.where is not None


def test_history_needs_a_creator_too():
    assert removal(culled(graph(node("taa", history("x"), sink=True))), "taa").reason is RemovalReason.BROKEN


def test_optional_uses_become_absent():
    result = culled(
        graph(
            node("fog", create("foggy"), read("depth")),
            node("a", read("foggy", optional=True), read("none", optional=True), sink=True),
        )
    )
    assert names(result) == ["a"]
    assert not use(result, "a", 0).present
    assert not use(result, "a", 1).present


def test_users_of_a_new_name_break_with_its_rename():
    """The resource itself is still there, under its old name."""
    result = culled(
        graph(
            node("c", create("x")),
            node("n", rename("x", "y"), read("missing")),
            node("u", read("y"), sink=True),
            node("v", read("y", optional=True), sink=True),
            node("w", read("x"), sink=True),
        )
    )
    assert names(result) == ["c", "v", "w"]
    assert removal(result, "u").message == "`u` removed: it needs `y`, whose creator `n` was removed"
    assert not use(result, "v").present


def test_near_names_are_searched_when_the_reason_is_read(monkeypatch):
    """A game's frames lack many optional things, and nobody reads why: the search took a fifth of a compile."""
    searched = []
    monkeypatch.setattr(findings, "near_resource", lambda word, *_: searched.append(word) or "did you mean `x`?")
    result = culled(graph(node("c", create("x"), sink=True), node("u", read("y"), sink=True)))
    assert searched == []
    for _ in range(2):
        assert removal(result, "u").message.endswith("it needs `y`, which nobody creates; did you mean `x`?")
    assert searched == ["y"]


def test_an_optional_rename_of_nothing_makes_nothing():
    result = culled(graph(node("n", rename("x", "y", optional=True), sink=True), node("u", read("y"), sink=True)))
    assert names(result) == ["n"]


def test_dangling_nodes_leave_with_their_resources():
    result = culled(
        graph(
            node("c", create("x"), sink=True),
            node("ssao", create("ao"), read("x")),
            node("ssao/blur", create("blurred"), read("ao")),
            node("nothing", read("x")),
        )
    )
    assert names(result) == ["c"]
    assert [r.id for r in result.resources] == ["x"]
    assert removal(result, "ssao/blur").message == "`ssao/blur` removed: nothing reads `blurred`"
    assert removal(result, "ssao").message == "`ssao` removed: `ao` is read only by `ssao/blur`, which nothing needs"
    assert "declares no side effects" in removal(result, "nothing").message
    assert {r.reason for r in result.removed} == {RemovalReason.DANGLING}


def test_asking_for_something_switches_its_maker_on():
    motion = node("motion", create("motion_vectors"))
    assert names(culled(graph(motion))) == []
    assert names(culled(graph(motion, node("taa", read("motion_vectors", optional=True), sink=True)))) == [
        "motion",
        "taa",
    ]


def test_modifiers_and_renames_of_what_is_needed_stay():
    result = culled(
        graph(
            node("c", create("x")),
            node("m", modify("x"), read("lut")),
            node("l", create("lut")),
            node("n", rename("x", "y")),
            node("m2", modify("y")),
            node("r", read("x"), create("unread")),
            sinks=("y",),
        )
    )
    assert names(result) == ["c", "l", "m", "m2", "n"]


def test_a_rename_that_nobody_follows_leaves():
    result = culled(graph(node("c", create("x")), node("n", rename("x", "y")), node("u", read("x"), sink=True)))
    assert names(result) == ["c", "u"]
    assert removal(result, "n").message == "`n` removed: nothing reads `y`"


def test_history_needs_creator_modifiers_and_renames():
    result = culled(
        graph(
            node("c", create("x")),
            node("m", modify("x")),
            node("n", rename("x", "y")),
            node("h", history("y"), sink=True),
        )
    )
    assert names(result) == ["c", "h", "m", "n"]


def test_a_node_that_reads_its_own_history_is_not_needed_for_that():
    assert names(culled(graph(node("taa", create("x"), history("x"))))) == []


def test_explicit_order_keeps_nobody_alive():
    result = culled(graph(node("a", create("x"), before=("b",)), node("b", sink=True, after=("a",))))
    assert names(result) == ["b"]


def test_order_through_a_removed_node_remains():
    marker = node("marker", executes=False)
    result = culled(graph(node("a", sink=True, before=("marker",)), marker, node("b", sink=True, after=("marker",))))
    assert names(result) == ["a", "b"]
    assert [(e.before, e.after, e.reason) for e in result.edges] == [("a", "b", EdgeReason.EXPLICIT)]


def test_modifiers_stay_in_a_row_when_one_leaves():
    nodes = [node(f"m{i}", modify("x"), *([read("missing")] if i == 1 else []), index=i) for i in range(3)]
    result = culled(graph(node("c", create("x")), *nodes, sinks=("x",)))
    assert ("m0", "m2") in pairs(result)


def test_one_removal_for_all_instances():
    result = culled(
        graph(
            node("a", create("x"), mode="view"),
            node("b", create("y"), mode="view", sink=True),
            node("g", gather("y"), sink=True),
            counts=(("view", 3),),
        )
    )
    assert len(result.removed) == 1
    assert ids(result) == ["b@view=0", "b@view=1", "b@view=2", "g"]
    assert [r.id for r in result.resources] == ["y@view=0", "y@view=1", "y@view=2"]


def test_external_sink_with_writers():
    result = culled(graph(node("e", external("screen", COLOR)), node("w", modify("screen")), sinks=("screen",)))
    assert names(result) == ["e", "w"]
    assert result.sinks == ("screen",)


def test_a_graph_whose_nodes_are_all_needed_stays_the_same_object():
    whole = 0
    for seed in range(200):
        snapshot = feature_graph(seed, 1 + seed % 8)
        instances = multiplex(resolve(snapshot), snapshot)
        result = cull(instances)
        whole += result is instances
        assert (result is instances) == (names(result) == names(instances))
    assert whole > 20
