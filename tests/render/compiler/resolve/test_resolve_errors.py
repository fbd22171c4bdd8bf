"""Invalid graphs: what is reported, and what is removed to make them valid."""

from dataclasses import replace

import pytest
from declare_helpers import (
    BYTES,
    COLOR,
    DEPTH,
    create,
    external,
    gather,
    graph,
    history,
    member,
    modify,
    names,
    node,
    pairs,
    problem,
    read,
    rename,
    request,
)

from renderwright.render.compiler.diagnostics.findings import RemovalReason, Severity
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import Verb
from renderwright.render.graph.snapshot import Chain
from renderwright.render.types.resources import Blob, Texture
from renderwright.render.types.usages import Usage


def error_of(result, code, *victims):
    """The error with that code, once it is sure that it removed just these nodes."""
    found = problem(result, code)
    assert found.severity is Severity.ERROR
    assert found.hint
    assert [r.node for r in result.removed] == list(victims)
    assert all(r.reason is RemovalReason.INVALID for r in result.removed)
    return found


def test_cycle_prints_all_of_it_and_drops_one_node():
    a, b, c = (
        node("a", create("x"), read("z")),
        node("b", create("y"), read("x")),
        node("c", create("z"), read("y"), priority=1),
    )
    result = resolve(graph(a, b, c, node("outside", read("z"))))
    found = error_of(result, "cycle", "b")  # the smallest priority, then the largest name
    assert found.message == (
        "these nodes wait for one another in a cycle: `a` -> `b` (created, then read: `x`) -> "
        "`c` (created, then read: `y`) -> `a` (created, then read: `z`)"
    )
    assert set(found.where) == {a.source, b.source, c.source}
    assert "`b` is left out" in found.hint


def test_cycle_keeps_nodes_with_side_effects():
    result = resolve(graph(node("a", create("x"), read("y"), priority=7), node("b", create("y"), read("x"), sink=True)))
    error_of(result, "cycle", "a")


def test_cycle_through_before_after_drops_that_wish_and_no_node():
    result = resolve(graph(node("a", create("x"), after=("b",)), node("b", read("x"))))
    found = error_of(result, "cycle")
    assert "declared before/after" in found.message
    assert "`b` runs before `a` is ignored" in found.hint
    assert pairs(result) == {("a", "b")}


def test_a_declared_order_that_closes_a_cycle_is_told_where_it_is_declared():
    place = SourceLocation("fx.py", 7)
    late = replace(node("a", create("x"), after=("b",)), order_sources=(("b", place),))
    found = error_of(resolve(graph(late, node("b", read("x")))), "cycle")
    assert found.where[0] == place
    assert late.source in found.where


def test_a_short_name_in_a_declared_order_is_told_where_it_is_declared():
    place = SourceLocation("fx.py", 7)
    late = replace(node("fx/a", create("x"), after=("b",)), order_sources=(("b", place),))
    found = error_of(resolve(graph(late, node("fx/b", read("x")))), "cycle")
    assert found.where[0] == place


def test_an_order_beside_a_node_that_is_not_there_is_told_where_it_is_declared():
    place = SourceLocation("fx.py", 7)
    late = replace(node("a", create("x"), after=("gbufer",)), order_sources=(("gbufer", place),))
    assert problem(resolve(graph(late, node("gbuffer", read("x")))), "unknown-node").where == (place,)


def test_every_cycle_is_reported():
    nodes = [node(n, create(n), read(m)) for n, m in (("a", "b"), ("b", "a"), ("p", "q"), ("q", "p"))]
    nodes.append(node("both", create("both"), read("a"), read("b")))
    result = resolve(graph(*nodes))
    assert [p.code for p in result.problems].count("cycle") == 2
    assert names(result) == ["a", "both", "p"]


def test_renames_in_a_loop_are_a_cycle():
    result = resolve(graph(node("a", rename("x", "y")), node("b", rename("y", "x"))))
    assert "`a`" in error_of(result, "cycle", "b").message


def test_two_creators():
    result = resolve(graph(node("b", create("x")), node("a", external("x")), node("c", create("x"), priority=-1)))
    found = error_of(result, "two-creators", "b", "c")
    assert found.message == "`x` is created by `a`, `b` and `c`; `a` stays (larger priority, then name)"
    assert len(found.where) == 3


def test_the_creator_with_the_larger_priority_stays():
    result = resolve(graph(node("a", create("x")), node("b", create("x"), priority=1)))
    error_of(result, "two-creators", "a")


def test_a_rename_counts_as_creator():
    result = resolve(graph(node("a", create("x"), create("y")), node("b", rename("x", "y"))))
    error_of(result, "two-creators", "b")


def test_one_node_creating_a_name_twice():
    result = resolve(graph(node("a", create("x"), create("x"))))
    assert "2 times by `a`" in error_of(result, "two-creators", "a").message


def test_renamed_twice():
    result = resolve(graph(node("c", create("x")), node("a", rename("x", "y")), node("b", rename("x", "z"))))
    assert "`x` is renamed by `a` and `b`" in error_of(result, "renamed-twice", "b").message


def test_renamed_to_itself():
    result = resolve(graph(node("c", create("x")), node("a", rename("x", "x"))))
    assert "`a` renames `x` to itself" in error_of(result, "rename", "a").message


def test_a_node_that_renames_in_a_circle():
    result = resolve(graph(node("a", rename("x", "y"), rename("y", "x"))))
    assert [p.message for p in result.problems] == ["`a` renames `x` to itself", "`a` renames `y` to itself"]
    assert names(result) == []


def test_history_of_a_name_that_is_renamed_away():
    reader = node("taa", history("x"))
    renamer = node("n", rename("x", "y"))
    found = error_of(resolve(graph(node("c", create("x")), renamer, reader)), "history", "taa")
    assert "`taa` asks for the history of `x`, which `n` renames to `y`" in found.message
    assert set(found.where) == {reader.requests[0].source, renamer.requests[0].source}


def test_history_of_a_name_that_stands_for_one_that_is_renamed_away():
    """The end of a chain stands for the result of its last member, whose name the reader has not written."""
    nodes = (node("c", create("x")), node("n", rename("x", "y")), node("taa", history("end")))
    found = error_of(resolve(graph(*nodes, slots=(("end", "x"),))), "history", "taa")
    assert "`taa` asks for the history of `end`, here `x`, which `n` renames to `y`" in found.message


def test_history_of_an_external_texture():
    result = resolve(graph(node("e", external("x")), node("taa", history("x"))))
    assert "external" in error_of(result, "history", "taa").message


def test_history_of_an_external_blob_is_fine():
    assert not resolve(graph(node("e", external("x", Blob("int"))), node("a", history("x")))).problems


KINDS = [
    ("kind", COLOR, read("x", desc=Blob("Camera")), "as a blob of type `Camera`, but `c` creates it as a texture"),
    ("kind", Blob("Camera"), read("x", desc=BYTES), "as a buffer, but `c` creates it as a blob of type `Camera`"),
    (
        "blob-type",
        Blob("Camera"),
        read("x", desc=Blob("Light")),
        "a blob of type `Light`, but `c` creates it as a blob",
    ),
    ("usage", BYTES, read("x", usage=Usage.SAMPLED), "use `x` as sampled, but `c` creates it as a buffer"),
    ("usage", COLOR, read("x", usage=Usage.VERTEX), "use `x` as vertex, but `c` creates it as a texture"),
    ("usage", Blob("Camera"), read("x", usage=Usage.UNIFORM), "use `x` as uniform, but `c` creates it as a blob"),
    ("usage", COLOR, modify("x", usage=Usage.DEPTH), "use `x` as depth, but `c` gives it the format `rgba8_unorm`"),
    ("usage", DEPTH, modify("x", usage=Usage.COLOR), "use `x` as color, but `c` gives it the format `d32_sfloat`"),
]


@pytest.mark.parametrize(("code", "desc", "asked", "message"), KINDS)
def test_request_that_does_not_suit_the_resource(code, desc, asked, message):
    creator = create("x", desc)
    found = error_of(resolve(graph(node("c", creator), node("u", asked))), code, "u")
    assert message in found.message
    assert "`u`" in found.message
    assert set(found.where) == {asked.source, creator.source}


def test_unknown_format():
    result = resolve(graph(node("c", create("x", Texture("rgba8_unrom", (1, 1))))))
    assert '"rgba8_unorm"' in error_of(result, "format", "c").hint


def test_more_samples_than_the_device_has():
    creator = create("x", Texture("rgba8_unorm", (1, 1), samples=8))
    assert not resolve(graph(node("c", creator))).problems
    found = error_of(resolve(graph(node("c", creator)), most_samples=4), "samples", "c")
    assert "`c` creates `x` with 8 samples a texel" in found.message
    assert "at most 4 (Capabilities.most_samples)" in found.message
    assert found.hint == "ask for 4 samples or fewer"


def test_creation_without_description():
    assert "`x`" in error_of(resolve(graph(node("c", create("x", None)))), "no-description", "c").message


def test_user_of_a_larger_mode():
    result = resolve(graph(node("c", create("x"), mode="view eye"), node("u", read("x"), mode="view")))
    found = error_of(result, "mode", "u")
    assert "`u` runs for each `view`" in found.message
    assert "`c` creates for each `eye` and `view`" in found.message
    assert "`eye`" in found.hint


def test_gather_and_smaller_modes_are_fine():
    nodes = (
        node("c", create("x"), mode="view"),
        node("s", create("y")),
        node("u", read("x"), read("y"), mode="view eye"),
    )
    assert not resolve(graph(*nodes, node("g", gather("x")))).problems


def test_before_after_of_incomparable_modes():
    result = resolve(graph(node("a", mode="view", before=("b",)), node("b", mode="eye")))
    found = error_of(result, "mode", "a")
    assert "`a` with the mode {view}" in found.message
    assert "`b` with the mode {eye}" in found.message


def test_unknown_dimension():
    assert '"view"' in error_of(resolve(graph(node("a", mode="veiw"))), "dimension", "a").hint


def test_two_nodes_of_one_name():
    first, second = node("a", create("x"), priority=1), node("a", create("y"))
    result = resolve(graph(second, first))
    assert problem(result, "two-nodes").where == (first.source, second.source)
    assert [r.root for r in result.resources] == ["x"]


def test_slots_in_a_loop_mean_nothing():
    result = resolve(graph(node("c", create("x")), node("r", read("p")), slots=(("p", "q"), ("q", "p"))))
    found = problem(result, "name-loop")
    assert "`p` -> `q` -> `p`" in found.message
    assert result.aliases == ()


def test_slot_defined_twice_or_like_a_chain():
    slots = (("s", "b"), ("s", "a"), ("out", "a"))
    result = resolve(graph(node("c", create("a")), slots=slots, chains=(Chain("post", "a", "out"),)))
    messages = [p.message for p in result.problems if p.code == "name-defined-twice"]
    assert any("slot `s` stands for `a` and for `b`" in message for message in messages)
    assert any("the output of chain `post`" in message for message in messages)


def test_sink_that_nobody_creates():
    result = resolve(graph(node("c", create("output")), sinks=("outptu",)))
    found = problem(result, "no-sink")
    assert "`outptu`" in found.message
    assert "`output`" in found.hint
    assert result.sinks == ()


def test_errors_behind_errors_are_found():
    """Only when the wrong creator is gone does the other creation's kind matter."""
    nodes = (
        node("a", create("x", BYTES)),
        node("b", create("x", COLOR)),
        node("u", request(Verb.READ, "x", usage="sampled")),
    )
    assert {p.code for p in resolve(graph(*nodes)).problems} == {"two-creators", "usage"}


def test_removing_a_member_rethreads_its_chain():
    clash = member("clash", "post", create("x"), priority=1)
    snapshot = graph(node("c", create("hdr"), create("x"), priority=2), clash, member("m", "post"))
    result = resolve(graph(*snapshot.nodes, chains=(Chain("post", "hdr", "out"),)))
    assert ("out", "post/m") in result.aliases
    assert ("c", "m") in pairs(result)
