"""What validation, multiplexing and history mean, seen on whole plans."""

from __future__ import annotations

from typing import Any

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
    problem,
    read,
)

from renderwright.render.compiler.pipeline import Compiler, compile_snapshot
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CompileError
from renderwright.render.graph.requests import FirstFrame, NodeDeclaration
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.memory.arcs import arcs_meet
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.resources import Resolution, Texture
from renderwright.render.types.usages import Usage


def plan_of(snapshot: GraphSnapshot, **options: Any) -> Plan:
    return compile_snapshot(snapshot, SizeInputs(), CompileOptions(**options), RowMajorModel())


# validation and culling ---------------------------------------------------------------------------------------------


def test_one_missing_resource_removes_all_that_follows_from_it() -> None:
    result = culled(
        graph(
            node("a", create("a1"), read("nothing")),
            node("b", create("b1"), read("a1")),
            node("c", create("c1"), read("b1")),
            node("d", modify("c1"), sink=True),
            node("e", read("c1", optional=True), sink=True),
        )
    )
    assert names(result) == ["e"]
    (use,) = result.nodes[0].uses
    assert not use.present
    assert {removal.node: str(removal.reason) for removal in result.removed} == dict.fromkeys("abcd", "broken")


def test_a_node_with_side_effects_always_stays_and_keeps_what_it_needs() -> None:
    result = culled(graph(node("a", create("x")), node("b", create("y"), read("x")), node("log", read("y"), sink=True)))
    assert names(result) == ["a", "b", "log"]
    assert result.removed == ()


def test_a_broken_node_leaves_in_spite_of_its_side_effects() -> None:
    result = culled(graph(node("log", read("nothing"), sink=True)))
    assert result.nodes == ()
    assert result.removed[0].message == "`log` removed: it needs `nothing`, which nobody creates"


def test_every_removal_has_a_reason_in_words() -> None:
    result = culled(
        graph(
            node("ssao", create("ao")),
            node("ssao/blur", modify("ao")),
            node("lost", read("nothing")),
            node("image", create("image")),
            sinks=("image",),
        )
    )
    assert {removal.node for removal in result.removed} == {"ssao", "ssao/blur", "lost"}
    for removal in result.removed:
        assert removal.message.startswith(f"`{removal.node}` removed: ")
        assert len(removal.message) > len(removal.node) + 20


# multiplexing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("counts", [{}, {"view": 2}, {"view": 3, "eye": 2}, {"sample": 4, "tile": 5, "view": 2}])
def test_a_mode_becomes_as_many_instances_as_its_counts_multiply_to(counts: dict[str, int]) -> None:
    result = culled(
        graph(
            node("a", create("x"), mode="view eye", sink=True),
            node("b", create("y"), mode="sample tile", sink=True),
            counts=tuple(counts.items()),
        )
    )
    first, second = (counts.get(a, 1) * counts.get(b, 1) for a, b in (("view", "eye"), ("sample", "tile")))
    assert len(result.nodes) == first + second
    assert len([r for r in result.resources if r.resource.root == "x"]) == first
    assert {r.creator for r in result.resources} == set(ids(result))


def test_using_a_resource_of_a_mode_that_is_no_subset_names_both_nodes_and_modes() -> None:
    message = problem(
        resolve(graph(node("make", create("x"), mode="view eye"), node("use", read("x"), mode="view tile"))), "mode"
    ).message
    for words in ("`use`", "each `tile` and `view`", "`make`", "each `eye` and `view`", "`x`"):
        assert words in message


def test_nodes_in_order_need_comparable_modes() -> None:
    result = resolve(
        graph(node("a", mode="view"), node("b", mode="view eye", after=("a",)), node("c", mode="eye", after=("b",)))
    )
    assert result.problems == ()
    message = problem(resolve(graph(node("a", mode="view"), node("c", mode="eye", after=("a",)))), "mode").message
    for words in ("`a`", "{view}", "`c`", "{eye}"):
        assert words in message


def test_edges_join_only_instances_that_agree() -> None:
    result = culled(
        graph(
            node("a", create("x"), mode="view eye"),
            node("b", read("x"), mode="view eye tile", sink=True),
            counts=(("view", 2), ("eye", 2), ("tile", 2)),
        )
    )
    index = {n.id: dict(n.index) for n in result.nodes}
    for edge in result.edges:
        before, after = index[edge.before], index[edge.after]
        assert all(after[dimension] == number for dimension, number in before.items())
    assert len(result.edges) == 8


def test_a_compositor_gathers_all_views_in_index_order() -> None:
    plan = plan_of(
        graph(
            node("views", create("picture", usage=Usage.COLOR), mode="view"),
            node("compose", external("image", usage=Usage.COLOR), gather("picture", usage=Usage.SAMPLED)),
            sinks=("image",),
            counts=(("view", 3),),
        )
    )
    compose = next(n for n in plan.graph.nodes if n.id == "compose")
    assert compose.uses[1].resources == ("picture@view=0", "picture@view=1", "picture@view=2")
    assert plan.graph.nodes[-1] is compose


def test_from_one_view_to_two_and_back_needs_no_change_in_any_node() -> None:
    nodes = (node("a", create("x"), mode="view"), node("b", read("x"), mode="view", sink=True))
    compiler = Compiler(RowMajorModel())
    plans = [
        compiler.compile(graph(*nodes, counts=(("view", count),)), SizeInputs(), CompileOptions())
        for count in (1, 2, 1)
    ]
    assert [len(plan.graph.nodes) for plan in plans] == [2, 4, 2]
    assert plans[0] == plans[2]


# history ------------------------------------------------------------------------------------------------------------


def feedback(size: tuple[int, int] = (64, 64), first: FirstFrame = FirstFrame.CLEAR) -> tuple[NodeDeclaration, ...]:
    texture = Texture("rgba8_unorm", size)
    return (
        node(
            "taa",
            create("picture", texture, usage=Usage.COLOR),
            history("picture", usage=Usage.SAMPLED, first=first),
        ),
        node("other", create("noise", COLOR, usage=Usage.COLOR)),
        node("show", read("picture", usage=Usage.SAMPLED), read("noise", usage=Usage.SAMPLED), sink=True),
    )


def test_what_has_a_history_has_two_copies_that_never_share_a_byte() -> None:
    plan = plan_of(graph(*feedback()))
    placed = next(item for item in plan.placement.resources if item.id == "picture")
    even, odd = placed.copies
    assert arcs_meet(even.live_range, odd.live_range, 2 * len(plan.graph.nodes))
    assert abs(even.offset - odd.offset) >= placed.size


def test_a_history_reader_gets_the_policy_that_it_asked_for() -> None:
    for policy in FirstFrame:
        plan = plan_of(graph(*feedback(first=policy)))
        assert [item.first for item in plan.placement.resources if item.has_history] == [policy]


def test_reading_the_own_history_is_no_cycle() -> None:
    plan = plan_of(graph(*feedback()))
    assert plan.problems == ()
    assert {(e.before, e.after) for e in plan.graph.edges} == {("taa", "show"), ("other", "show")}


def test_a_history_reader_comes_after_everybody_who_writes_it() -> None:
    plan = plan_of(
        graph(
            node("make", create("x", usage=Usage.COLOR)),
            node("change", modify("x", usage=Usage.COLOR)),
            node("remember", history("x", usage=Usage.SAMPLED), sink=True, priority=100),
        ),
        order="random:3",
    )
    assert ids(plan.graph) == ["make", "change", "remember"]


# failing altogether -------------------------------------------------------------------------------------------------


def test_a_compile_that_fails_leaves_the_compiler_as_it_was() -> None:
    compiler = Compiler(RowMajorModel())
    good = graph(*feedback())
    before = compiler.compile(good, SizeInputs(), CompileOptions())
    lost = node("lost", create("l", Texture("rgba8_unorm", Resolution("nowhere")), usage=Usage.COLOR), sink=True)
    with pytest.raises(CompileError) as caught:
        compiler.compile(graph(*feedback(), lost), SizeInputs(), CompileOptions())
    assert 'texture "l" of node "lost" has no size: there is no resolution "nowhere"' in caught.value.message
    assert caught.value.where == lost.requests[0].source
    assert compiler.compile(good, SizeInputs(), CompileOptions()) == before
