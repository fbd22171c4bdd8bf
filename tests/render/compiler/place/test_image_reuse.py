"""Lives of textures that find their image in its layout, and textures that are one image in turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from feature_checks import compiled
from feature_graphs import feature_graph
from ordered_frames import Compiled, Frame, Touch, compile_frame, compute, fragment
from rated_frames import rated

from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.snapshot import ResolutionRule, SizeInputs
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.images import ImageReuse
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Resolution
from renderwright.render.types.usages import Usage

GENERAL, UNDEFINED = Layout.GENERAL, Layout.UNDEFINED


def kept(frame: Frame | InstanceGraph, sizes: SizeInputs | None = None, *, alias: bool = True) -> Compiled:
    """The frame, with images that stay in their layout; the oracle has nothing to say against it."""
    compiled = compile_frame(frame, alias=alias, sizes=sizes, keep=True)
    assert judge([compiled] * 5).findings == ()
    return compiled


def drawn(name: str):
    return fragment(name, Usage.COLOR)


def sampled(name: str):
    return fragment(name, Usage.SAMPLED)


def row(*names: str) -> Frame:
    """Each texture is drawn from the one before, so that every second one could lie at the same place; the last one is
    of another format."""
    frame = Frame().texture("end", format="rgba16_sfloat")
    for name in names:
        frame.texture(name)
    for before, name in zip((None, *names), (*names, "end"), strict=True):
        frame.node(f"draw {name}", drawn(name), *([sampled(before)] if before else ()))
    return frame.sink("end")


def opens_in(compiled: Compiled, name: str, frame: int = 0) -> Layout:
    """The layout in which the first use of a texture in a frame finds it."""
    return compiled.barriers(name, frame)[0][1].old_layout


def test_memory_that_nobody_shares_keeps_its_layout() -> None:
    found = kept(row("a"))
    assert opens_in(found, "a") is opens_in(found, "a", 1) is GENERAL
    assert {("a", 0), ("a", 1)} <= found.sync.image_reuse.keep_layout
    assert ("a", 0) in found.sync.image_reuse.initial_transitions[0]
    assert ("a", 1) in found.sync.image_reuse.initial_transitions[1]


def test_the_first_frame_needs_the_image_in_its_layout() -> None:
    """The runtime brings it there; without that, the oracle objects."""
    found = compile_frame(row("a"), keep=True)
    reuse = replace(found.sync.image_reuse, initial_transitions=((), ()))
    broken = replace(found, sync=replace(found.sync, image_reuse=reuse))
    assert any("UNDEFINED" in str(finding) for finding in judge([broken] * 3).findings)


def test_alike_textures_at_one_place_are_one_image() -> None:
    found = kept(row("a", "b", "c"))
    assert found.placement.resources[0].copies[0].offset == found.placement.resources[2].copies[0].offset
    assert found.sync.image_reuse.image_names["a", 0] == found.sync.image_reuse.image_names["c", 1] == "a, c"
    assert [opens_in(found, name) for name in "ac"] == [GENERAL] * 2


def test_a_life_waits_for_the_one_before_without_a_change_of_layout() -> None:
    found = kept(row("a", "b", "c"))
    opening = found.barriers("c")[0][1]
    assert (opening.old_layout, opening.new_layout) == (GENERAL, GENERAL)
    before = found.barriers("b")[-1][1]  # what `a` was read for, and `b` is now
    assert opening.src_stages & before.dst_stages


def test_what_others_had_in_between_is_in_no_layout() -> None:
    """`x` is of another format and lies where `a` was and the next frame's `a` is going to be."""
    frame = Frame().texture("a").texture("x", format="rgba8_srgb").texture("end").sink("end")
    frame.node("draw a", drawn("a")).node("draw end", drawn("end"), sampled("a"))
    frame.node("draw x", drawn("x")).node("mix", drawn("end"), sampled("x"))
    found = kept(frame)
    a, x, _ = found.placement.resources
    assert a.copies[0].offset == x.copies[0].offset
    assert opens_in(found, "a") is opens_in(found, "x") is UNDEFINED


def test_sizes_that_are_equal_for_now_are_of_different_images() -> None:
    one, other = Resolution("one"), Resolution("other")
    frame = Frame().texture("a", one).texture("b", one).texture("c", other).sink("c")
    frame.node("draw a", drawn("a")).node("draw b", drawn("b"), sampled("a")).node("draw c", drawn("c"), sampled("b"))
    sizes = SizeInputs(tuple(ResolutionRule(name, size=(64, 64)) for name in ("one", "other")))
    found = kept(frame, sizes)
    assert found.sync.image_reuse.image_names.get(("c", 0)) != found.sync.image_reuse.image_names["a", 0]


def test_histories_have_images_of_their_own_and_stay_if_nobody_shares_their_memory() -> None:
    """Of those the copy that a frame writes is brought into the layout; the other one holds what the frame reads."""
    frame = row("a", "b").node("later", fragment("a", Usage.SAMPLED, history=True), drawn("o")).texture("o").sink("o")
    found = kept(frame)
    assert opens_in(found, "a") is opens_in(found, "a", 1) is GENERAL
    assert found.sync.image_reuse.history_transitions == ((("a", 0),), (("a", 1),))
    assert "a" not in {name for names in found.sync.image_reuse.initial_transitions for name, _ in names}
    assert found.sync.image_reuse.image_names.get(("a", 0)) is None


def test_histories_whose_memory_others_have_do_not_stay() -> None:
    """The history of `a` is read early, so that `x` can have the copy's memory before `a` is made anew."""
    frame = Frame().texture("a").texture("x").texture("end").sink("end")
    frame.node("look", fragment("a", Usage.SAMPLED, history=True), drawn("end"))
    for number in range(3):
        frame.node(f"draw x {number}", drawn("x"))
    frame.node("mix", drawn("end"), sampled("x")).node("draw a", drawn("a"))
    found = kept(frame)
    a, x, _ = found.placement.resources
    assert {copy.offset for copy in a.copies} & {copy.offset for copy in x.copies}
    assert "a" not in {name for name, _ in found.sync.image_reuse.keep_layout}


def test_what_the_host_reads_has_an_image_of_its_own() -> None:
    frame = Frame().texture("a").node("draw", drawn("a")).node("look", fragment("a", Usage.HOST_READ))
    assert opens_in(compile_frame(frame.sink("a"), keep=True), "a") is UNDEFINED


def test_textures_of_whose_parts_some_are_used_apart_have_their_own() -> None:
    frame = Frame().texture("end", format="rgba16_sfloat").sink("end")
    for name in "abc":
        frame.texture(name, mips=2)
        for mip in range(2):
            frame.node(f"draw {name} {mip}", Touch(name, Usage.COLOR, part=Part((mip, 1), None)))
    frame.node("end", drawn("end"), sampled("c"))
    found = kept(frame)
    places = {item.id: item.copies[0].offset for item in found.placement.resources}
    assert places["a"] == places["b"]
    assert opens_in(found, "a") is opens_in(found, "b") is UNDEFINED
    alone = kept(Frame().texture("a", mips=2).node("draw", Touch("a", Usage.COLOR, part=Part((1, 1), None))).sink("a"))
    assert opens_in(alone, "a") is GENERAL


def test_what_does_not_run_in_every_frame_has_its_own() -> None:
    graph = row("a", "b", "c").graph()
    assert opens_in(kept(graph), "c") is GENERAL
    found = compile_frame(rated(graph, {"draw c"}), keep=True)
    assert opens_in(found, "c") is UNDEFINED
    assert "c" not in {name for name, _ in found.sync.image_reuse.image_names}


@pytest.mark.parametrize(("resting", "layout"), [({"look"}, UNDEFINED), (set(), GENERAL)])
def test_a_part_that_some_frames_do_not_use_is_brought_into_its_layout(resting: set[str], layout: Layout) -> None:
    frame = Frame().texture("a", mips=2, clear=(0.0, 0.0, 0.0, 0.0)).texture("end").sink("end")
    frame.node("draw", Touch("a", Usage.COLOR, part=Part((0, 1), None)))
    frame.node("look", Touch("a", Usage.COPY_SRC, part=Part((1, 1), None)), Touch("end", Usage.COPY_DST))
    assert opens_in(compile_frame(rated(frame.graph(), resting), keep=True), "a") is layout


def test_a_part_that_frames_leave_out_while_others_have_its_memory() -> None:
    """Found by chance: ``ui/n014`` copies mips that no other node uses, in every third frame, and another texture has
    their memory in even frames alone."""
    options = CompileOptions("memory", split_above=0.0, packing=PackPolicy.BALANCED, unified_layouts=True)
    plan = compiled(feature_graph(2528434667, 16), options)
    assert judge(list(frame_plans(plan, 6))).findings == ()


def test_without_aliasing_all_stay() -> None:
    found = kept(row("a", "b", "c"), alias=False)
    assert [opens_in(found, name) for name in "abc"] == [GENERAL] * 3
    assert len(set(found.sync.image_reuse.image_names.values())) in (0, 3)


def test_a_dispatch_may_be_first() -> None:
    frame = Frame().texture("a").texture("b").sink("b")
    frame.node("one", compute("a", Usage.STORAGE_WRITE)).node("two", compute("a", Usage.STORAGE_READ), drawn("b"))
    assert opens_in(kept(frame), "a") is GENERAL


@pytest.mark.parametrize("unified", [None, False])
def test_where_each_usage_has_its_layout_no_image_stays(unified: bool | None) -> None:
    assert not CompileOptions(unified_layouts=unified).keeps_images
    assert compile_frame(row("a")).sync.image_reuse == ImageReuse()
    assert not CompileOptions(unified_layouts=True, keep_images=False).keeps_images
    assert CompileOptions(unified_layouts=True).keeps_images
