"""Chains of image effects."""

from collections import Counter
from dataclasses import replace

import pytest
from declare_helpers import (
    COLOR,
    DEPTH,
    create,
    culled,
    graph,
    history,
    member,
    names,
    node,
    pairs,
    problem,
    read,
    removal,
    rename,
)

from renderwright.render.compiler.diagnostics.findings import RemovalReason, Severity
from renderwright.render.compiler.resolve.aliases import Aliases
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.snapshot import Chain
from renderwright.render.types.resources import Texture

POST = Chain("post_hdr", "hdr", "post_output")
SCENE = node("scene", create("hdr"))
SHOW = node("show", read("post_output"), sink=True)


def chained(*nodes, chains=(POST,), **more):
    return resolve(graph(SCENE, SHOW, *nodes, chains=chains, **more))


def reads(result, name):
    return next(n for n in result.nodes if n.declaration.name == name).requests[0].name


def test_an_empty_chain_is_its_input():
    result = chained()
    assert ("post_output", "hdr") in result.aliases
    assert pairs(result) == {("scene", "show")}


def test_members_get_the_result_of_the_one_before():
    result = chained(member("bloom", "post_hdr"), member("grain", "post_hdr", after=("bloom",)))
    assert reads(result, "bloom") == "hdr"
    assert reads(result, "grain") == "post_hdr/bloom"
    assert ("post_output", "post_hdr/grain") in result.aliases
    assert {("scene", "bloom"), ("bloom", "grain"), ("grain", "show")} == pairs(result)


def test_order_is_before_after_then_priority_then_name():
    result = chained(
        member("a", "post_hdr"),
        member("b", "post_hdr"),
        member("c", "post_hdr", priority=5),
        member("d", "post_hdr", priority=9, after=("b",)),
        member("e", "post_hdr", before=("c",)),
    )
    order = ["a", "b", "d", "e", "c"]
    assert [reads(result, name) for name in order] == ["hdr", *(f"post_hdr/{name}" for name in order[:-1])]


def test_a_result_without_description_is_like_the_members_source():
    small = Texture("r8_unorm", (4, 4), mips=2)
    half = member("half", "post_hdr", desc=small, priority=1)
    result = chained(member("first", "post_hdr", priority=2), half, member("c", "post_hdr"), member("d", "post_hdr"))
    descs = {r.root: r.desc for r in result.resources}
    assert descs["post_hdr/first"] == COLOR
    assert descs["post_hdr/half"] == small
    assert descs["post_hdr/c"] == descs["post_hdr/d"] == Texture("r8_unorm", (4, 4))


def test_twice_as_many_members_take_twice_as_many_steps(monkeypatch):
    steps = Counter()
    target = Aliases.target

    def counted(aliases, name):
        steps[count] += 1
        return target(aliases, name)

    monkeypatch.setattr(Aliases, "target", counted)
    for count in (40, 80):
        result = chained(*(member(f"m{number:02}", "post_hdr") for number in range(count)))
        assert {r.desc for r in result.resources} == {COLOR}
    assert steps[80] < 2.1 * steps[40]


def test_one_chains_input_may_be_another_chains_output():
    ldr = Chain("post_ldr", "post_output", "shown")
    result = chained(
        member("bloom", "post_hdr"), member("fxaa", "post_ldr"), node("end", read("shown")), chains=(POST, ldr)
    )
    assert reads(result, "fxaa") == "post_hdr/bloom"
    assert ("shown", "post_ldr/fxaa") in result.aliases
    assert next(r.desc for r in result.resources if r.root == "post_ldr/fxaa") == COLOR


def test_input_may_be_a_slot_and_the_output_may_be_renamed():
    result = chained(
        member("bloom", "post_hdr"),
        node("keep", rename("post_output", "kept")),
        node("taa", history("kept")),
        slots=(("scene_color", "hdr"),),
        chains=(Chain("post_hdr", "scene_color", "post_output"),),
    )
    assert reads(result, "bloom") == "hdr"
    assert ("post_hdr/bloom", "kept") in [r.names for r in result.resources]
    assert not result.problems


def test_a_node_may_be_in_two_chains():
    other = Chain("other", "hdr", "other_output")
    both = node("both", *member("x", "post_hdr").requests, *member("x", "other").requests)
    result = chained(both, chains=(POST, other))
    assert {"hdr", "post_hdr/both", "other/both"} == {r.root for r in result.resources}


def test_a_member_that_only_watches_does_not_change_the_result():
    result = chained(member("bloom", "post_hdr", priority=1), node("meter", read("", chain="post_hdr")))
    assert reads(result, "meter") == "post_hdr/bloom"
    assert ("post_output", "post_hdr/bloom") in result.aliases


def test_absent_member_in_before_is_a_note():
    result = chained(member("bloom", "post_hdr", after=("tonemp",)), member("tonemap", "post_hdr"))
    found = problem(result, "unknown-member")
    assert found.severity is Severity.NOTE
    assert "`bloom`" in found.message
    assert "`tonemp`" in found.message
    assert "`tonemap`" in found.hint


def test_members_that_contradict_one_another_are_reported_and_stay():
    result = chained(member("a", "post_hdr", after=("b",)), member("b", "post_hdr", after=("a",)))
    found = problem(result, "chain-cycle")
    assert found.severity is Severity.ERROR
    assert "`a` before `b`, `b` before `a`" in found.message
    assert len(found.where) == 2
    assert names(result) == ["a", "b", "scene", "show"]


def test_a_chain_closes_over_a_broken_member():
    """The middle one needs what nobody creates; so does, through another node, the last one."""
    result = chained(
        member("a", "post_hdr", priority=3),
        member("b", "post_hdr", read("depth"), priority=2),
        member("c", "post_hdr", read("ao"), priority=1),
        node("ssao", create("ao"), read("depth")),
        member("d", "post_hdr"),
    )
    assert reads(result, "d") == "post_hdr/a"
    assert removal(result, "b").reason is RemovalReason.BROKEN
    assert "`b` removed: it needs `depth`, which nobody creates" in removal(result, "b").message
    assert "whose creator `ssao` was removed" in removal(result, "c").message
    assert names(result) == ["a", "d", "scene", "show", "ssao"]


def test_a_chain_closes_over_an_invalid_member():
    result = chained(
        member("a", "post_hdr", priority=2),
        member("b", "post_hdr", read("z", usage="depth"), priority=1),
        member("c", "post_hdr"),
        node("z", create("z", COLOR)),
    )
    assert reads(result, "c") == "post_hdr/a"
    assert removal(result, "b").reason is RemovalReason.INVALID


def test_a_chain_member_of_a_wrong_mode_does_not_take_the_picture_with_it():
    scene = node("scene", create("hdr"), mode="view")
    show = node("show", read("post_output"), sink=True, mode="view")
    wrong = member("wrong", "post_hdr", priority=1)
    snapshot = graph(scene, show, wrong, member("right", "post_hdr", mode="view"), chains=(POST,))
    result = culled(snapshot)
    assert names(result) == ["right", "scene", "show"]


def test_without_its_input_a_chain_is_empty():
    snapshot = graph(member("a", "post_hdr"), member("b", "post_hdr"), SHOW, chains=(POST,))
    result = resolve(snapshot)
    assert names(result) == ["show"]
    assert "`a` removed: it needs `hdr`, the input of chain `post_hdr`" in removal(result, "a").message
    assert names(culled(snapshot)) == []


LIT = node("light", create("hdr_lit"))
MISTYPED = Chain("post_hdr", "hdr_li", "hdr_lip", SourceLocation("own.yaml", 6, 24))
SHOW_LIP = replace(node("show", read("hdr_lip"), sink=True), plugin="")


GRADE = replace(member("grade", "post_hdr"), plugin="")


@pytest.mark.parametrize("more", [(), (member("bloom", "post_hdr"),), (GRADE,)], ids=["empty", "plugin", "skeleton"])
def test_a_mistyped_input_of_a_chain_is_an_error_at_the_chain(more):
    further = Chain("tone", "hdr_lip", "final")
    shown = replace(node("present", read("final"), sink=True), plugin="")
    result = resolve(graph(LIT, SHOW_LIP, shown, *more, chains=(MISTYPED, further)))
    found = problem(result, "chain-input")
    assert found.severity is Severity.ERROR
    assert str(found) == (
        "own.yaml:6:24: the input of chain `post_hdr` is `hdr_li`, which nobody creates; did you mean `hdr_lit`?"
    )


def test_a_node_that_lacks_the_output_of_a_chain_is_told_the_input():
    result = culled(graph(LIT, SHOW_LIP, chains=(MISTYPED,)))
    assert removal(result, "show").message == (
        "`show` removed: it needs `hdr_lip`, which nobody creates: it stands for `hdr_li`; did you mean `hdr_lit`?"
    ), "not the name itself, although that is near"


@pytest.mark.parametrize(
    "nodes",
    [
        (member("bloom", "post_hdr"), replace(node("show", read("hdr_lip", optional=True), sink=True), plugin="")),
        (node("scene", create("hdr_li"), read("x")), SHOW_LIP),
    ],
    ids=["only a plugin needs it", "its creator was removed"],
)
def test_a_chain_without_input_may_be_no_mistake(nodes):
    result = resolve(graph(LIT, *nodes, chains=(MISTYPED,)))
    assert "chain-input" not in {found.code for found in result.problems}


def test_a_member_that_can_do_without_the_input_begins_the_chain():
    start = node("sky", read("", chain="post_hdr", optional=True), create("", COLOR, chain="post_hdr"))
    result = resolve(graph(start, member("grain", "post_hdr", desc=COLOR, priority=-1), SHOW, chains=(POST,)))
    assert names(result) == ["grain", "show", "sky"]
    assert reads(result, "grain") == "post_hdr/sky"


def test_unknown_chain():
    result = chained(member("bloom", "post_hrd"))
    found = problem(result, "unknown-chain")
    assert found.hint == 'did you mean "post_hdr"?'
    assert removal(result, "bloom").reason is RemovalReason.BROKEN


def test_creating_a_chains_output():
    result = chained(node("tonemap", create("post_output")))
    assert "the output of the chain `post_hdr`" in problem(result, "chain-output").message
    assert "`hdr`" in problem(result, "chain-output").hint
    assert removal(result, "tonemap").reason is RemovalReason.INVALID


def test_chains_in_a_loop():
    a, b = Chain("a", "x", "y"), Chain("b", "y", "x")
    result = resolve(graph(member("m", "a"), node("c", create("hdr", DEPTH)), chains=(a, b)))
    assert "`x` -> `y` -> `x`" in problem(result, "name-loop").message
    assert removal(result, "m").reason is RemovalReason.BROKEN


def test_chains_with_one_name_or_one_output():
    result = resolve(graph(SCENE, SHOW, chains=(POST, Chain("post_hdr", "z", "w"), Chain("q", "hdr", "post_output"))))
    assert "`hdr` to `post_output` and from `z` to `w`" in problem(result, "chain-defined-twice").message
    assert "`post_hdr` and `q`" in problem(result, "name-defined-twice").message


def test_a_member_is_not_to_blame_for_an_input_without_description():
    snapshot = graph(node("scene", create("hdr", None)), SHOW, member("bloom", "post_hdr"), chains=(POST,))
    result = resolve(snapshot)
    assert "`scene` creates `hdr`" in problem(result, "no-description").message
    assert removal(result, "bloom").reason is RemovalReason.BROKEN


def test_a_description_that_leads_back_to_itself():
    """The chain's input is the member's own result under another name."""
    lone = node("lone", create("", None, chain="post_hdr"))
    result = resolve(graph(lone, node("n", rename("post_hdr/lone", "hdr")), SHOW, chains=(POST,)))
    assert "`lone`" in problem(result, "no-description").message
    assert names(result) == ["n", "show"]


SOURCE = "post_hdr/show.source"


def needing_each_other(*requests, source=SOURCE, others=()):
    """A frame with a member that shows what a node makes of the member's input."""
    fade = node("fade", read(source), create("trail"), *requests)
    end = node("end", read("post_output"), sink=True)
    return graph(SCENE, end, fade, member("show", "post_hdr", read("trail")), *others, chains=(POST,))


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (read("hdrr"), "`hdrr`, which nobody creates; did you mean `hdr`?"),
        (history("trial"), "`trial`, which nobody creates; did you mean `trail`?"),
        (read("motion"), "`motion`, whose creator `mover` was removed"),
    ],
)
def test_of_nodes_that_need_each_other_the_request_that_fails_is_named(wrong, why):
    mover = node("mover", create("motion"), read("poses"))
    snapshot = needing_each_other(wrong, others=(mover,))
    result = culled(snapshot)
    assert names(result) == ["end", "scene"]
    assert removal(result, "fade").message == f"`fade` removed: it needs {why}"
    assert removal(result, "fade").where == wrong.source
    message = "`show` removed: it needs `trail`, whose creator `fade` was removed"
    assert removal(resolve(snapshot), "show").message == message


def test_what_else_needed_the_input_of_a_removed_member_says_so():
    meter = node("meter", read(SOURCE), sink=True)
    result = culled(needing_each_other(read("hdrr"), others=(meter,)))
    message = f"`meter` removed: it needs `{SOURCE}`, the input of `show`, which was removed"
    assert removal(result, "meter").message == message


def test_a_mistyped_member_of_a_source_gets_a_hint():
    result = culled(needing_each_other(source="post_hdr/shwo.source"))
    wanted = "`post_hdr/shwo.source`, which nobody creates; did you mean `post_hdr/show.source`?"
    assert removal(result, "fade").message == f"`fade` removed: it needs {wanted}"
