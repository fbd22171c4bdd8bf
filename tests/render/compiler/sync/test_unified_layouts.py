"""Exact barriers of small frames whose textures are in the general layout for all usages."""

from __future__ import annotations

from ordered_frames import Frame, Touch, compile_frame, compute, fragment, without_nodes

from renderwright.render.backend.capabilities import Capabilities
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.sync.barriers import BarrierReason, MemoryBarrier
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.types.parts import Part
from renderwright.render.types.usages import Usage

GENERAL, UNDEFINED = Layout.GENERAL, Layout.UNDEFINED
FRAGMENT, COMPUTE, COLOR_OUT = Stage.FRAGMENT_SHADER, Stage.COMPUTE_SHADER, Stage.COLOR_ATTACHMENT_OUTPUT
TESTS = Stage.EARLY_FRAGMENT_TESTS | Stage.LATE_FRAGMENT_TESTS
SAMPLE = Access.SHADER_SAMPLED_READ
DEPTHED = Access.DEPTH_STENCIL_ATTACHMENT_WRITE


def unified(frame: Frame):
    return compile_frame(frame, unified=True)


def part(name: str, usage: Usage, mip: int) -> Touch:
    return Touch(name, usage, part=Part((mip, 1)))


def layouts(compiled, resource: str) -> list[tuple[Layout, Layout]]:
    return [(one.old_layout, one.new_layout) for _, one in compiled.barriers(resource)]


def test_a_life_begins_in_the_general_layout_and_stays_there() -> None:
    frame = Frame().texture("t").texture("o").node("draw", fragment("t", Usage.COLOR))
    frame.node("look", fragment("t", Usage.SAMPLED), fragment("o", Usage.COLOR))
    frame.node("store", compute("t", Usage.STORAGE)).node("copy", fragment("t", Usage.COPY_SRC))
    found = unified(frame)
    assert layouts(found, "t") == [(UNDEFINED, GENERAL), (GENERAL, GENERAL), (GENERAL, GENERAL), (GENERAL, GENERAL)]
    read = found.barrier("t", 1)
    assert (read.src_stages, read.src_access) == (COLOR_OUT, Access.COLOR_ATTACHMENT_WRITE)
    assert (read.dst_stages, read.dst_access) == (FRAGMENT, SAMPLE)
    assert dict(found.sync.layouts_left)["t"] is GENERAL


def test_reads_that_follow_one_another_share_a_barrier_whatever_the_usage() -> None:
    """Depth is sampled, tested against and sampled again: three layouts by usage, and three barriers."""
    frame = Frame().texture("d", format="d32_sfloat").texture("a").texture("b")
    frame.node("pre", fragment("d", Usage.DEPTH)).node("ao", fragment("d", Usage.SAMPLED), fragment("a", Usage.COLOR))
    frame.node("test", fragment("d", Usage.DEPTH_READ), fragment("b", Usage.COLOR))
    frame.node("again", compute("d", Usage.SAMPLED))
    assert len(compile_frame(frame).barriers("d")) == 4
    _, (_, read) = unified(frame).barriers("d")
    assert (read.src_stages, read.src_access) == (TESTS, DEPTHED)
    assert read.dst_stages == FRAGMENT | TESTS | COMPUTE
    assert read.dst_access == SAMPLE | Access.DEPTH_STENCIL_ATTACHMENT_READ
    assert read.reason is BarrierReason.WRITE_READ


def test_a_clear_command_is_in_the_general_layout() -> None:
    frame = Frame().texture("t", clear=(0.0, 0.0, 0.0, 0.0)).node("store", compute("t", Usage.STORAGE)).sink("t")
    found = unified(frame)
    assert layouts(found, "t") == [(UNDEFINED, GENERAL), (GENERAL, GENERAL)]
    assert found.barriers("t")[1][1].src_stages == Stage.CLEAR


def test_the_screen_keeps_the_layouts_of_its_usages() -> None:
    frame = Frame().texture("screen", external=True).node("draw", fragment("screen", Usage.COLOR))
    found = unified(frame.node("show", fragment("screen", Usage.PRESENT)))
    color = Layout.COLOR_ATTACHMENT
    assert layouts(found, "screen") == [(UNDEFINED, color), (color, Layout.PRESENT_SRC)]


def test_what_comes_with_contents_is_sampled_where_it_is() -> None:
    frame = Frame().texture("photo", external=True).texture("o")
    frame.node("look", fragment("photo", Usage.SAMPLED), fragment("o", Usage.COLOR))
    assert unified(frame).barriers("photo") == []


def test_a_history_rests_in_the_general_layout() -> None:
    frame = Frame().texture("h").node("draw", fragment("h", Usage.COLOR), fragment("h", Usage.SAMPLED, history=True))
    found = unified(frame)
    assert dict(found.sync.layouts_left)["h"] is GENERAL
    copies = {(one.copy, one.old_layout, one.new_layout) for _, one in found.barriers("h")}
    assert copies == {(0, UNDEFINED, GENERAL), (1, GENERAL, GENERAL)}


def test_parts_are_in_one_layout_with_the_rest() -> None:
    """A mip is drawn from the one above; by usage each is in another layout meanwhile."""
    frame = Frame().texture("t", mips=2).node("top", part("t", Usage.COLOR, 0))
    frame.node(
        "down",
        part("t", Usage.SAMPLED, 0),
        part("t", Usage.COLOR, 1),
    )
    frame.sink("t")
    found = unified(frame)
    assert [(one.mips, one.old_layout, one.new_layout) for _, one in found.barriers("t")] == [
        (None, UNDEFINED, GENERAL),
        ((0, 1), GENERAL, GENERAL),
    ]


def test_the_layouts_hold_in_frames_in_which_nodes_rest() -> None:
    frame = Frame().texture("map").texture("o").node("make", fragment("map", Usage.COLOR))
    frame.node("look", fragment("map", Usage.SAMPLED), fragment("o", Usage.COLOR))
    partial = without_nodes(unified(frame), frozenset({"make"}))
    assert partial.sync.layouts.unified
    assert {one.new_layout for batch in partial.sync.even for one in batch.barriers} == {GENERAL}


def test_what_several_textures_wait_for_becomes_one_barrier() -> None:
    frame = Frame().texture("a").texture("b").texture("o")
    frame.node("draw", fragment("a", Usage.COLOR), fragment("b", Usage.COLOR))
    frame.node("look", fragment("a", Usage.SAMPLED), fragment("b", Usage.SAMPLED), fragment("o", Usage.COLOR))
    (batch,) = [batch for batch in unified(frame).sync.even if batch.number == 1]
    memory, opening = batch.issued
    assert isinstance(memory, MemoryBarrier)
    assert memory[:4] == (COLOR_OUT, Access.COLOR_ATTACHMENT_WRITE, FRAGMENT, SAMPLE)
    assert [member.resource for member in memory.members] == ["a", "b"]
    assert (opening.resource, opening.old_layout, opening.new_layout) == ("o", UNDEFINED, GENERAL)


def test_the_device_decides_unless_told() -> None:
    for told, device, result in ((None, True, True), (None, False, False), (True, False, True), (False, True, False)):
        options = CompileOptions(unified_layouts=told).on_device(
            Capabilities("null", "none", "1.0", unified_layouts=device)
        )
        assert options.unified_layouts is result
