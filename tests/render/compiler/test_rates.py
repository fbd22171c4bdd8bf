"""Rates in the compiler: what may go together, who runs together, what is kept, and which barriers that needs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from declare_helpers import COLOR, create, external, graph, history, modify, node, problem, read, removal, rename
from ordered_frames import Compiled, Frame, compile_frame, fragment, without_nodes

from renderwright.render.compiler.instances.multiplex import multiplex
from renderwright.render.compiler.rates import kept_resources, makers_of_conditions, run_together
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.resolved import ResolvedGraph
from renderwright.render.graph.requests import NodeDeclaration, Rate
from renderwright.render.sync.barriers import Barrier, BarrierReason
from renderwright.render.sync.flags import Layout
from renderwright.render.types.attachments import Store
from renderwright.render.types.resources import Blob
from renderwright.render.types.usages import Usage

EVERY_4 = Rate(every=4)
SUN = Blob("Sun")


def drawn(name: str, *requests, rate: Rate = EVERY_4, **more) -> NodeDeclaration:
    """A rated node that draws to the texture of its name."""
    return node(name, create(name, COLOR, usage=Usage.COLOR), *requests, rate=rate, **more)


def resolved(*nodes: NodeDeclaration, **more) -> ResolvedGraph:
    return resolve(graph(*nodes, **more))


# what may go together ------------------------------------------------------------------------------------------------


def test_all_that_write_to_a_resource_have_one_rate() -> None:
    result = resolved(drawn("map"), node("more", modify("map", usage=Usage.COLOR)))
    assert removal(result, "more").message == (
        "`more` removed: `more` writes to `map` in every frame, but its creator `map` runs every 4 frames: all that "
        "write to a resource run together"
    )
    found = problem(result, "rate")
    assert found.hint == "give both nodes one rate, or let `more` create a resource of its own"
    assert len(found.where) == 2


def test_a_rename_that_writes_counts_and_one_that_does_not_does_not() -> None:
    writer = node("grow", rename("map", "grown", usage=Usage.COLOR))
    assert removal(resolved(drawn("map"), writer), "grow")
    assert not resolved(drawn("map"), node("call", rename("map", "other"))).removed
    assert not resolved(drawn("map"), node("look", rename("map", "other", usage=Usage.SAMPLED))).removed


def test_equal_rates_go_together() -> None:
    assert not resolved(drawn("map"), node("more", modify("map", usage=Usage.COLOR), rate=EVERY_4)).removed


def test_what_is_kept_has_no_history() -> None:
    result = resolved(drawn("map"), node("late", history("map", usage=Usage.SAMPLED), sink=True))
    assert "`late` asks for the history of `map`, of which there is one copy only" in removal(result, "late").message
    assert "copy `map` into a resource that is made in every frame" in problem(result, "rate").hint


def test_nobody_keeps_what_is_external() -> None:
    image = node("image", external("image", COLOR, usage=Usage.SAMPLED), modify("image", usage=Usage.COLOR))
    result = resolved(image, node("draw", modify("image", usage=Usage.COLOR), rate=EVERY_4))
    assert "`draw` runs every 4 frames and writes to `image`, which is external" in removal(result, "draw").message
    reader = node("look", external("asset", COLOR, usage=Usage.SAMPLED), create("b", usage=Usage.COLOR), rate=EVERY_4)
    assert not resolved(reader).removed


def test_the_display_gets_its_image_in_every_frame() -> None:
    image = node("image", external("image", COLOR, usage=Usage.COLOR))
    result = resolved(image, node("show", modify("image", usage=Usage.PRESENT), rate=EVERY_4))
    assert "`show` hands `image` to the display, but only every 4 frames" in removal(result, "show").message


def test_only_blobs_are_compared() -> None:
    waiting = drawn("map", read("a"), rate=Rate(when="a"))
    result = resolved(node("a", create("a", COLOR, usage=Usage.COLOR)), waiting)
    assert "`map` runs when `a` changes, which is a texture" in removal(result, "map").message


def test_a_condition_is_known_before_the_frame() -> None:
    maker = node("cull", create("sun", SUN), create("draws", COLOR, usage=Usage.COLOR))
    between = node("turn", read("sun"), create("turned", SUN))
    waiting = drawn("map", read("turned"), rate=Rate(when="turned"))
    result = resolved(maker, between, waiting)
    message = removal(result, "map").message
    assert "`map` runs when `turned` changes, but `cull`, which has a part in that blob, uses textures" in message
    assert "make the blob in a node of its own" in problem(result, "rate").hint


def test_a_slot_may_name_the_condition() -> None:
    result = resolved(
        node("sun", create("sun", SUN)),
        drawn("map", read("light"), rate=Rate(when="light")),
        slots=(("light", "sun"),),
    )
    assert not result.removed
    assert makers_of_conditions(result.nodes) == {"map": ("sun",)}


# who runs together, and what is kept ---------------------------------------------------------------------------------


def test_instances_that_write_to_one_resource_run_together() -> None:
    snapshot = graph(
        node("sun", create("sun", SUN), mode="view"),
        drawn("map", rate=Rate(when="sun")),
        node("fill", read("sun"), modify("map", usage=Usage.COLOR), rate=Rate(when="sun"), mode="view"),
        drawn("own", read("sun"), rate=Rate(when="sun"), mode="view"),
        counts=(("view", 2),),
    )
    instances = multiplex(resolve(snapshot), snapshot)
    groups = {frozenset(group) for group in run_together(instances)}
    assert groups == {
        frozenset({"map", "fill@view=0", "fill@view=1"}),
        frozenset({"own@view=0"}),
        frozenset({"own@view=1"}),
    }
    assert kept_resources(instances) == {"map", "own@view=0", "own@view=1"}


def rated(frame: Frame, *names: str) -> Compiled:
    """The compiled frame with a rate for some nodes."""
    made = frame.graph()
    nodes = [replace(n, declaration=replace(n.declaration, rate=EVERY_4)) if n.id in names else n for n in made.nodes]
    return compile_frame(replace(made, nodes=tuple(nodes)))


@pytest.fixture
def shadowed() -> Compiled:
    """A map that is drawn now and then, and read in every frame; a blur that could share memory with it."""
    frame = Frame().texture("map").texture("blur").texture("out").sink("out")
    frame.node("draw", fragment("map", Usage.COLOR))
    frame.node("light", fragment("map", Usage.SAMPLED), fragment("blur", Usage.COLOR))
    frame.node("end", fragment("blur", Usage.SAMPLED), fragment("out", Usage.COLOR))
    return rated(frame, "draw")


def test_what_is_kept_has_one_copy_for_all_time(shadowed) -> None:
    placed = {item.id: item for item in shadowed.placement.resources}
    even, odd = placed["map"].copies
    assert even == odd
    assert even.live_range == (0, 6)
    assert placed["map"].kept
    assert not placed["blur"].kept
    for other in ("blur", "out"):
        for copy in placed[other].copies:
            assert copy.offset >= even.offset + placed["map"].size or copy.offset + placed[other].size <= even.offset
    assert placed["map"].info.usages >= {Usage.COPY_SRC, Usage.COPY_DST}  # to be carried over into other plans


def test_what_is_kept_is_stored_for_later_frames(shadowed) -> None:
    assert shadowed.pass_plan.passes[0].attachments[0].store is Store.STORE
    lonely = without_nodes(shadowed, frozenset({"light", "end"}))
    assert lonely.pass_plan.passes[0].attachments[0].store is Store.STORE


def barriers_of(compiled: Compiled, resource: str) -> list[Barrier]:
    assert len(compiled.barriers(resource, 0)) == len(compiled.barriers(resource, 1))
    return [barrier for _, barrier in compiled.barriers(resource)]


def test_a_frame_that_only_reads_it_needs_no_barrier(shadowed) -> None:
    activate, ready = barriers_of(shadowed, "map")
    assert (activate.old_layout, ready.new_layout) == (Layout.UNDEFINED, Layout.SHADER_READ_ONLY)
    assert ready.reason is BarrierReason.WRITE_READ
    assert barriers_of(without_nodes(shadowed, frozenset({"draw"})), "map") == []


def test_readers_in_two_layouts_leave_it_as_they_found_it() -> None:
    frame = Frame().texture("map").texture("a").texture("b").sink("a", "b")
    frame.node("draw", fragment("map", Usage.COLOR))
    frame.node("copy", fragment("map", Usage.COPY_SRC), fragment("a", Usage.COPY_DST))
    frame.node("look", fragment("map", Usage.SAMPLED), fragment("b", Usage.COLOR))
    compiled = rated(frame, "draw")
    there, back = barriers_of(without_nodes(compiled, frozenset({"draw"})), "map")
    assert (there.old_layout, there.new_layout) == (Layout.SHADER_READ_ONLY, Layout.TRANSFER_SRC)
    assert (back.old_layout, back.new_layout) == (Layout.TRANSFER_SRC, Layout.SHADER_READ_ONLY)
    assert dict(compiled.sync.layouts_left)["map"] is Layout.SHADER_READ_ONLY


def test_a_frame_without_its_last_reader_returns_it_to_rest() -> None:
    """The reader in the resting layout does not run, so the frame's end has to bring the map there."""
    frame = Frame().texture("map").texture("a").texture("b").sink("a", "b")
    frame.node("draw", fragment("map", Usage.COLOR))
    frame.node("copy", fragment("map", Usage.COPY_SRC), fragment("a", Usage.COPY_DST))
    frame.node("look", fragment("map", Usage.SAMPLED), fragment("b", Usage.COLOR))
    compiled = rated(frame, "draw", "look")
    partial = without_nodes(compiled, frozenset({"look"}))
    place, last = partial.barriers("map")[-1]
    assert place == len(partial.pass_plan.passes)
    assert (last.old_layout, last.new_layout) == (Layout.TRANSFER_SRC, Layout.SHADER_READ_ONLY)
