"""What slots, chains and needs that travel upstream mean, seen on whole plans."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from declare_helpers import COLOR, create, culled, external, graph, member, names, node, problem, read, rename

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.requests import NodeDeclaration, Request, Verb
from renderwright.render.graph.snapshot import Chain, GraphSnapshot, SizeInputs
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.usages import Usage

POST = (Chain("post", "hdr", "final"),)


def plan_of(snapshot: GraphSnapshot) -> Plan:
    return compile_snapshot(snapshot, SizeInputs(), CompileOptions(), RowMajorModel())


def frame(*members: NodeDeclaration) -> GraphSnapshot:
    """A picture, the members of a chain, and who shows the chain's result."""
    return graph(
        node("light", create("hdr", COLOR, usage=Usage.COLOR)),
        node("show", external("image", COLOR, usage=Usage.COLOR), read("final", usage=Usage.SAMPLED)),
        *members,
        chains=POST,
        sinks=("image",),
    )


def effect(name: str, *requests: Request, **more: Any) -> NodeDeclaration:
    """A member that samples the picture before it and renders the next one."""
    made = member(name, "post", *requests, **more)
    usages = {Verb.READ: Usage.SAMPLED, Verb.CREATE: Usage.COLOR}
    return replace(made, requests=tuple(replace(r, usage=usages[r.verb]) if r.chain else r for r in made.requests))


# slots --------------------------------------------------------------------------------------------------------------


def test_a_skeleton_chooses_what_a_plugin_gets() -> None:
    nodes = (
        node("gbuffer", create("gbuffer_depth")),
        node("prepass", create("coarse_depth")),
        node("fog", read("depth_for_fog"), sink=True),
    )
    for target in ("gbuffer_depth", "coarse_depth"):
        result = culled(graph(*nodes, slots=(("depth_for_fog", target),)))
        fog = next(n for n in result.nodes if n.id == "fog")
        assert fog.uses[0].resources == (target,)
        assert len(result.removed) == 1  # the other maker has no reader then


def test_a_slot_for_nothing_breaks_its_reader() -> None:
    result = culled(graph(node("fog", read("depth_for_fog"), sink=True), slots=(("depth_for_fog", "depth"),)))
    assert names(result) == []
    assert "it needs `depth_for_fog`, which nobody creates" in result.removed[0].message


def test_a_slot_can_be_modified_and_renamed_like_its_target() -> None:
    result = resolve(graph(node("a", create("depth")), node("b", rename("slot", "depth2")), slots=(("slot", "depth"),)))
    assert result.resources[0].names == ("depth", "depth2")


# chains -------------------------------------------------------------------------------------------------------------


def test_an_empty_chain_costs_nothing() -> None:
    direct = graph(
        node("light", create("hdr", COLOR, usage=Usage.COLOR)),
        node("show", external("image", COLOR, usage=Usage.COLOR), read("hdr", usage=Usage.SAMPLED)),
        sinks=("image",),
    )
    with_chain, without = plan_of(frame()), plan_of(direct)
    assert [r.id for r in with_chain.graph.resources] == [r.id for r in without.graph.resources] == ["hdr", "image"]
    assert with_chain.placement.heaps == without.placement.heaps
    assert len(with_chain.pass_plan.passes) == len(without.pass_plan.passes)
    assert with_chain.sync == without.sync


def test_members_get_the_result_before_them_and_the_reader_the_last() -> None:
    plan = plan_of(frame(effect("b"), effect("a"), effect("c", priority=1)))
    reads = {n.id: n.uses[0].name for n in plan.graph.nodes if n.id in "abc"}
    assert reads == {"c": "hdr", "a": "post/c", "b": "post/a"}
    show = next(n for n in plan.graph.nodes if n.id == "show")
    assert show.uses[1].resources == ("post/b",)


def test_a_long_chain_goes_to_and_fro_between_two_places() -> None:
    """A member reads what it does not write, so two results are alive at once, and never more."""
    members = [effect(f"m{i}") for i in range(6)]
    plan = plan_of(frame(*members))
    placed = {item.id: item for item in plan.placement.resources if item.copies}
    size = placed["hdr"].size
    assert {item.size for item in placed.values()} == {size}
    (heap,) = plan.placement.heaps
    assert heap.size == heap.load == 2 * size
    for number in range(5):
        own, other = (placed[f"post/m{n}"].copies[0] for n in (number, number + 1))
        assert own.offset != other.offset


def test_a_member_that_is_switched_off_is_passed_by() -> None:
    snapshot = frame(effect("a"), effect("b", read("missing")), effect("c"))
    plan = plan_of(snapshot)
    reads = {n.id: n.uses[0].name for n in plan.graph.nodes if n.id in "abc"}
    assert reads == {"a": "hdr", "c": "post/a"}
    assert [removal.node for removal in plan.removed] == ["b"]


def test_the_order_in_a_chain_is_before_after_then_priority() -> None:
    plan = plan_of(frame(effect("a", after=("b",), priority=9), effect("b"), effect("c", priority=1)))
    ordered = [n.id for n in plan.graph.nodes if n.id in "abc"]
    assert ordered == ["c", "b", "a"]


def test_a_member_may_not_hide_its_chain_by_creating_its_output() -> None:
    result = resolve(frame(node("bad", create("final"))))
    assert "`bad` creates `final`, which is the output of the chain `post`" in problem(result, "chain-output").message


# needs travel upstream ----------------------------------------------------------------------------------------------

MOTION = (
    node("objects", create("object_motion")),
    node("camera_motion", create("motion_vectors"), read("object_motion")),
)


def test_asking_switches_on_the_maker_and_all_that_it_needs() -> None:
    shown = node("taa", read("motion_vectors"), sink=True)
    assert names(culled(graph(*MOTION, shown))) == ["camera_motion", "objects", "taa"]


def test_an_optional_request_switches_it_on_too() -> None:
    shown = node("taa", read("motion_vectors", optional=True), sink=True)
    result = culled(graph(*MOTION, shown))
    assert names(result) == ["camera_motion", "objects", "taa"]


def test_without_a_reader_all_of_it_is_culled_with_the_reason() -> None:
    result = culled(graph(*MOTION, node("show", create("image")), sinks=("image",)))
    assert names(result) == ["show"]
    messages = {removal.node: removal.message for removal in result.removed}
    assert messages["camera_motion"] == "`camera_motion` removed: nothing reads `motion_vectors`"
    assert messages["objects"] == (
        "`objects` removed: `object_motion` is read only by `camera_motion`, which nothing needs"
    )


def test_a_reader_that_is_culled_switches_nothing_on() -> None:
    result = culled(graph(*MOTION, node("blur", create("blurred"), read("motion_vectors"))))
    assert names(result) == []
