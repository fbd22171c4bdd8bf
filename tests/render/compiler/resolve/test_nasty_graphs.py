"""Graphs made to break the compiler: each ends in a named error, a note, or the right plan, without a hazard."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from declare_helpers import COLOR, create, external, gather, graph, history, member, modify, names, node, read, rename
from feature_checks import wrong_barriers

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.requests import NodeDeclaration, Rate, Request, Verb
from renderwright.render.graph.snapshot import Chain, GraphSnapshot, ResolutionRule, SizeInputs
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Blob, Resolution, Texture
from renderwright.render.types.usages import Usage

TARGET = {"usage": Usage.COLOR}
SAMPLED = {"usage": Usage.SAMPLED}
LIGHT = node("light", create("hdr", COLOR, **TARGET))
SHOW = node("show", external("image", COLOR, **TARGET), read("final", **SAMPLED))
POST = {"chains": (Chain("post", "hdr", "final"),), "sinks": ("image",)}
VIEWS = {"counts": (("view", 2),)}
SIZES = SizeInputs((ResolutionRule("dot", size=(1, 1)), ResolutionRule("thin", size=(1, 300))))


def plan_of(snapshot: GraphSnapshot, order: str = "balanced") -> Plan:
    return compile_snapshot(snapshot, SIZES, CompileOptions(order=order), RowMajorModel())


def effect(name: str, *requests: Request, **more: Any) -> NodeDeclaration:
    made = member(name, "post", *requests, **more)
    usages = {Verb.READ: Usage.SAMPLED, Verb.CREATE: Usage.COLOR}
    return replace(made, requests=tuple(replace(r, usage=usages[r.verb]) if r.chain else r for r in made.requests))


def when(one: NodeDeclaration, **rate: Any) -> NodeDeclaration:
    return replace(one, rate=Rate(**rate))


GRAPHS: dict[str, tuple[GraphSnapshot, str, str]] = {
    # name: (graph, the nodes of the plan, the codes of the errors)
    "a chain member reads a later member's output": (
        graph(LIGHT, SHOW, effect("a", read("post/b", **SAMPLED)), effect("b"), **POST),
        "light show",
        "cycle",
    ),
    "a chain member reads an earlier member's output": (
        graph(LIGHT, SHOW, effect("a"), effect("b"), effect("c", read("post/a", **SAMPLED)), **POST),
        "light a b c show",
        "",
    ),
    "a chain member remembers the chain's output": (
        graph(LIGHT, SHOW, effect("a", history("final", **SAMPLED)), **POST),
        "light a show",
        "",
    ),
    "an empty chain's output is remembered": (
        graph(LIGHT, SHOW, node("x", history("final", **SAMPLED), sink=True), **POST),
        "light show x",
        "",
    ),
    "a chain whose output is its input": (
        graph(LIGHT, effect("a"), chains=(Chain("post", "hdr", "hdr"),), sinks=("hdr",)),
        "light",
        "name-loop",
    ),
    "two chains, each the other's input": (
        graph(LIGHT, effect("a"), chains=(Chain("post", "other", "final"), Chain("q", "final", "other"))),
        "",
        "name-loop",
    ),
    "a chain member at half the rate": (graph(LIGHT, SHOW, when(effect("a"), every=2), **POST), "light a show", ""),
    "a rename in one view only": (
        graph(
            node("a", create("x", **TARGET), mode="view"),
            node("b", rename("x", "y", **TARGET)),
            node("c", read("y", **SAMPLED), mode="view", sink=True),
            **VIEWS,
        ),
        "",
        "mode",
    ),
    "a rename in each view of what there is once": (
        graph(
            node("a", create("x", **TARGET)),
            node("b", rename("x", "y", **TARGET), mode="view"),
            node("m", modify("y", **TARGET), mode="view"),
            node("c", read("y", **SAMPLED), sink=True),
            **VIEWS,
        ),
        "a b m c",
        "",
    ),
    "the history of what is gathered": (
        graph(
            node("a", create("x", **TARGET), mode="view"),
            node("g", gather("x", **SAMPLED), history("x", **SAMPLED), sink=True),
            **VIEWS,
        ),
        "",
        "mode",
    ),
    "a remembered resource is gathered by others": (
        graph(
            node("a", create("x", **TARGET), history("x", **SAMPLED), mode="view"),
            node("g", gather("x", **SAMPLED), sink=True),
            **VIEWS,
        ),
        "a g",
        "",
    ),
    "requests of all kinds for nothing": (
        graph(
            node(
                "a",
                modify("m", optional=True, **TARGET),
                read("r", optional=True, **SAMPLED),
                rename("n", "o", optional=True, **TARGET),
                history("h", optional=True, **SAMPLED),
                gather("g", optional=True, **SAMPLED),
                sink=True,
            )
        ),
        "a",
        "",
    ),
    "an optional modifier is all that there is": (
        graph(node("a", modify("x", optional=True, **TARGET)), node("b", read("x", optional=True), sink=True)),
        "b",
        "",
    ),
    "nodes of two plugins with the same names": (
        graph(
            node("p/draw", create("p/x", **TARGET)),
            node("q/draw", create("q/x", **TARGET)),
            node("p/show", read("x", **SAMPLED), sink=True),
            node("q/show", read("x", **SAMPLED), sink=True),
            node("show", read("x", **SAMPLED), sink=True),
        ),
        "p/draw p/show q/draw q/show",
        "",
    ),
    "a reader with a rate remembers what is made in every frame": (
        graph(
            node("a", create("x", **TARGET)),
            when(node("b", history("x", **SAMPLED), create("k", **TARGET)), every=3),
            node("c", read("k", **SAMPLED), sink=True),
        ),
        "a b c",
        "",
    ),
    "what is kept is remembered by its own maker": (
        graph(
            when(node("a", create("x", **TARGET), history("x", **SAMPLED)), every=2),
            node("b", read("x", **SAMPLED), sink=True),
        ),
        "",
        "rate",
    ),
    "a condition and its history": (
        graph(
            node("m", create("t", Blob("T"))),
            when(node("b", read("t"), history("t"), create("k", **TARGET)), when="t"),
            node("c", read("k", **SAMPLED), sink=True),
        ),
        "m b c",
        "",
    ),
    "a condition that is absent": (
        graph(
            when(node("b", read("t", optional=True), create("k", **TARGET)), when="t"),
            node("c", read("k", **SAMPLED), sink=True),
        ),
        "b c",
        "",
    ),
    "a sink that is renamed, and written to under the new name": (
        graph(
            node("a", create("x", **TARGET)),
            node("b", rename("x", "y")),
            node("c", modify("y", **TARGET)),
            sinks=("x",),
        ),
        "a b c",
        "",
    ),
    "a sink by way of a slot and a chain": (
        graph(LIGHT, effect("a"), chains=POST["chains"], slots=(("shown", "final"),), sinks=("shown",)),
        "light a",
        "",
    ),
    "a slot of the name of a resource": (
        graph(
            node("a", create("x", **TARGET)),
            node("b", create("y", **TARGET), priority=1),
            slots=(("x", "y"),),
            sinks=("x",),
        ),
        "b",
        "two-creators",
    ),
    "a slot for itself": (graph(node("a", create("x", **TARGET)), slots=(("x", "x"),), sinks=("x",)), "a", "name-loop"),
    "renamed there and back": (
        graph(
            node("a", create("x", **TARGET)),
            node("b", rename("x", "y", **TARGET)),
            node("c", rename("y", "x", **TARGET)),
            node("d", read("y", **SAMPLED), sink=True),
        ),
        "a b d",
        "two-creators",
    ),
    "the old name and the new one at once": (
        graph(
            node("a", create("x", **TARGET)),
            node("b", rename("x", "y", **TARGET)),
            node("c", read("x", **SAMPLED), read("y", **SAMPLED), sink=True),
        ),
        "",
        "cycle",
    ),
    "created and renamed by one node": (
        graph(node("a", create("x", **TARGET), rename("x", "y", **TARGET)), node("b", read("y", **SAMPLED), sink=True)),
        "a b",
        "",
    ),
    "sampled, copied from and remembered by one node": (
        graph(
            node("a", create("x", **TARGET)),
            node(
                "b",
                read("x", **SAMPLED),
                read("x", usage=Usage.COPY_SRC),
                history("x", **SAMPLED),
                history("x", usage=Usage.STORAGE_READ),
                sink=True,
            ),
        ),
        "a b",
        "",
    ),
    "a dimension twice": (
        graph(node("a", create("x", **TARGET), mode="view"), sinks=("x",), dimensions=("view", "view"), **VIEWS),
        "a",
        "",
    ),
    "names in many alphabets": (
        graph(node("узел", create("тень/карта", **TARGET)), node("読む", read("тень/карта", **SAMPLED), sink=True)),
        "узел 読む",
        "",
    ),
    "a name like an instance": (
        graph(
            node("a", create("x", **TARGET), mode="view"),
            node("a@view=1", create("x@view=1", **TARGET)),
            node("b", gather("x", **SAMPLED), sink=True),
            **VIEWS,
        ),
        "a b",
        "name",
    ),
    "a wish for a node of a plugin that is not there": (
        graph(node("a", create("x", **TARGET), after=("plugin/gone",), sink=True)),
        "a",
        "",
    ),
    "nobody at all": (graph(), "", ""),
    "a ring of wishes": (
        graph(*(node(f"n{i}", before=(f"n{(i + 1) % 5}",), sink=True) for i in range(5))),
        "n0 n1 n2 n3 n4",
        "cycle",
    ),
}


@pytest.mark.parametrize(("snapshot", "expected", "errors"), GRAPHS.values(), ids=GRAPHS)
def test_a_nasty_graph_has_the_right_plan(snapshot: GraphSnapshot, expected: str, errors: str) -> None:
    for order in ("balanced", "memory", "random:1", "random:2"):
        plan = plan_of(snapshot, order)
        assert sorted(names(plan.graph)) == sorted(expected.split())
        assert {problem.code for problem in plan.problems if problem.severity == "error"} - {"no-sink"} == set(
            errors.split()
        )
        assert wrong_barriers(plan) == []
        assert {removal.node for removal in plan.removed} | set(names(plan.graph)) == {n.name for n in snapshot.nodes}


def removed(name: str) -> dict[str, str]:
    return {removal.node: removal.message for removal in plan_of(GRAPHS[name][0]).removed}


def test_who_goes_with_an_error_is_told_whose_fault_it_is() -> None:
    """Not that nobody creates the name: somebody would have."""
    assert removed("a rename in one view only")["c"] == "`c` removed: it needs `y`, whose creator `b` was removed"
    assert removed("the old name and the new one at once")["c"].endswith("it needs `y`, whose creator `b` was removed")
    later = removed("a chain member reads a later member's output")
    assert later["a"] == "`a` removed: it needs `post/b`, whose creator `b` was removed"


def test_an_instance_is_told_from_a_name_like_it() -> None:
    plan = plan_of(GRAPHS["a name like an instance"][0])
    assert [item.id for item in plan.graph.resources] == ["x@view=0", "x@view=1"]
    (problem,) = [one for one in plan.problems if one.code == "name"]
    assert problem.message == "a node is called `a@view=1`"


def test_a_dimension_twice_is_one_dimension() -> None:
    plan = plan_of(GRAPHS["a dimension twice"][0])
    assert [one.id for one in plan.graph.nodes] == ["a@view=0", "a@view=1"]


def test_an_order_beside_a_node_of_an_absent_plugin_is_no_problem() -> None:
    assert plan_of(GRAPHS["a wish for a node of a plugin that is not there"][0]).problems == ()


def test_a_chain_member_after_itself_is_a_note_without_a_strange_hint() -> None:
    plan = plan_of(graph(LIGHT, SHOW, effect("a", after=("a",)), **POST))
    (note,) = plan.problems
    assert note.message == "`a` in chain `post` names `a` in its before or after, which is itself"
    assert note.hint == ""


@pytest.mark.parametrize(
    ("resolution", "scale", "mips", "extent", "levels"),
    [
        ("dot", 0.001, 1, (1, 1), 1),
        ("dot", 0.001, 12, (1, 1), 1),
        ("dot", 3.0, 12, (3, 3), 2),
        ("thin", 0.5, 12, (1, 150), 8),
        ("thin", 1e-9, 2, (1, 1), 1),
    ],
)
def test_no_texture_is_smaller_than_a_texel_nor_has_more_mips_than_fit(
    resolution: str, scale: float, mips: int, extent: tuple[int, int], levels: int
) -> None:
    texture = Texture("rgba8_unorm", Resolution(resolution, scale), mips)
    plan = plan_of(graph(node("a", create("x", texture, **TARGET), sink=True)))
    (placed,) = plan.placement.resources
    assert isinstance(placed.info, TextureInfo)
    assert (placed.info.extent, placed.info.mips) == (extent, levels)
