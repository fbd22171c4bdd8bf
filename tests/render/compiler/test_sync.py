"""Exact barriers of small frames. Numbers are those of the cases in the Vulkan guide's synchronization examples."""

import pytest
from ordered_frames import Frame, Touch, compile_frame, compute, fragment

from render.compiler.stages import Barrier, BarrierReason
from render.sync.flags import Access, Layout, Stage
from render.sync.usages import ShaderStage, Usage

TESTS = Stage.EARLY_FRAGMENT_TESTS | Stage.LATE_FRAGMENT_TESTS
COLOR_BOTH = Access.COLOR_ATTACHMENT_READ | Access.COLOR_ATTACHMENT_WRITE
DEPTH_BOTH = Access.DEPTH_STENCIL_ATTACHMENT_READ | Access.DEPTH_STENCIL_ATTACHMENT_WRITE
COMPUTE = Stage.COMPUTE_SHADER
FRAGMENT = Stage.FRAGMENT_SHADER
WRITE = Access.SHADER_STORAGE_WRITE
COLOR_OUT = Stage.COLOR_ATTACHMENT_OUTPUT


def masks(barrier: Barrier) -> tuple[Stage, Access, Stage, Access]:
    return barrier.src_stages, barrier.src_access, barrier.dst_stages, barrier.dst_access


def layouts(barrier: Barrier) -> tuple[Layout, Layout]:
    return barrier.old_layout, barrier.new_layout


BUFFER_CASES = {
    "1 compute to compute": (compute("r", Usage.STORAGE_READ), COMPUTE, Access.SHADER_STORAGE_READ),
    "6 compute to index buffer": (fragment("r", Usage.INDEX), Stage.INDEX_INPUT, Access.INDEX_READ),
    "8 compute to indirect": (fragment("r", Usage.INDIRECT), Stage.DRAW_INDIRECT, Access.INDIRECT_COMMAND_READ),
    "10 compute to uniform": (fragment("r", Usage.UNIFORM), FRAGMENT, Access.UNIFORM_READ),
    "24 compute to host": (compute("r", Usage.HOST_READ), Stage.HOST, Access.HOST_READ),
}


@pytest.mark.parametrize("case", BUFFER_CASES)
def test_a_buffer_written_by_a_dispatch_then_read(case: str) -> None:
    reader, stage, access = BUFFER_CASES[case]
    frame = Frame().buffer("r").node("write", compute("r", Usage.STORAGE_WRITE)).node("read", reader)
    barrier = compile_frame(frame).barrier("r", 1)
    assert masks(barrier) == (COMPUTE, WRITE, stage, access)
    assert layouts(barrier) == (Layout.UNDEFINED, Layout.UNDEFINED)
    assert barrier.reason is BarrierReason.WRITE_READ


def test_2_a_write_after_a_read_has_nothing_to_make_available() -> None:
    frame = Frame().buffer("r")
    for name, usage in (("w", Usage.STORAGE_WRITE), ("r", Usage.STORAGE_READ), ("w2", Usage.STORAGE_WRITE)):
        frame.node(name, compute("r", usage))
    barrier = compile_frame(frame).barrier("r", 2)
    # The first write becomes visible to the second one; only a write without any before it needs no access at all.
    assert masks(barrier) == (COMPUTE, Access.NONE, COMPUTE, WRITE)
    assert barrier.reason is BarrierReason.READ_WRITE


def test_7_and_10_readers_in_a_row_share_a_barrier() -> None:
    frame = Frame().buffer("r").node("write", compute("r", Usage.STORAGE_WRITE))
    frame.node("draw", fragment("r", Usage.INDEX)).node("sum", compute("r", Usage.UNIFORM))
    compiled = compile_frame(frame)
    assert [before for before, _ in compiled.barriers("r")] == [0, 1]
    assert masks(compiled.barrier("r", 1)) == (
        COMPUTE,
        WRITE,
        Stage.INDEX_INPUT | COMPUTE,
        Access.INDEX_READ | Access.UNIFORM_READ,
    )


def test_3_a_storage_image_stays_in_its_layout() -> None:
    frame = (
        Frame().texture("r").node("w", compute("r", Usage.STORAGE_WRITE)).node("r", compute("r", Usage.STORAGE_READ))
    )
    barrier = compile_frame(frame).barrier("r", 1)
    assert masks(barrier) == (COMPUTE, WRITE, COMPUTE, Access.SHADER_STORAGE_READ)
    assert layouts(barrier) == (Layout.GENERAL, Layout.GENERAL)


COLOR_WRITE = (COLOR_OUT, Access.COLOR_ATTACHMENT_WRITE, Layout.COLOR_ATTACHMENT)
DEPTH_WRITE = (TESTS, Access.DEPTH_STENCIL_ATTACHMENT_WRITE, Layout.DEPTH_ATTACHMENT)
IMAGE_CASES = {
    "9 storage to fragment": (compute("r", Usage.STORAGE_WRITE), FRAGMENT, (COMPUTE, WRITE, Layout.GENERAL)),
    "11 colour to compute": (fragment("r", Usage.COLOR), COMPUTE, COLOR_WRITE),
    "12 depth to compute": (fragment("r", Usage.DEPTH), COMPUTE, DEPTH_WRITE),
    "14 depth to fragment": (fragment("r", Usage.DEPTH), FRAGMENT, DEPTH_WRITE),
    "16 colour to fragment": (fragment("r", Usage.COLOR), FRAGMENT, COLOR_WRITE),
    "17 colour to vertex": (fragment("r", Usage.COLOR), Stage.VERTEX_SHADER, COLOR_WRITE),
}


@pytest.mark.parametrize("case", IMAGE_CASES)
def test_a_texture_written_then_sampled(case: str) -> None:
    writer, stage, (source, access, layout) = IMAGE_CASES[case]
    shader = {COMPUTE: ShaderStage.COMPUTE, FRAGMENT: ShaderStage.FRAGMENT}.get(stage, ShaderStage.VERTEX)
    frame = Frame().texture("r", format="d32_sfloat" if writer.usage is Usage.DEPTH else "rgba8_unorm")
    frame.node("write", writer).node("read", Touch("r", Usage.SAMPLED, shader))
    barrier = compile_frame(frame).barrier("r", 1)
    assert masks(barrier) == (source, access, stage, Access.SHADER_SAMPLED_READ)
    assert layouts(barrier) == (layout, Layout.SHADER_READ_ONLY)


def test_18_sampled_then_drawn_to_again() -> None:
    frame = Frame().texture("r").texture("o")
    frame.node("draw", fragment("r", Usage.COLOR)).node(
        "read", fragment("r", Usage.SAMPLED), fragment("o", Usage.COLOR)
    )
    frame.node("again", fragment("r", Usage.COLOR))
    barrier = compile_frame(frame).barrier("r", 2)
    assert masks(barrier) == (FRAGMENT, Access.NONE, COLOR_OUT, COLOR_BOTH)
    assert layouts(barrier) == (Layout.SHADER_READ_ONLY, Layout.COLOR_ATTACHMENT)


def test_19_a_cleared_depth_buffer_waits_for_its_previous_life() -> None:
    frame = Frame().texture("d", format="d32_sfloat", clear=(0, 0, 0, 0)).node("draw", fragment("d", Usage.DEPTH))
    barrier = compile_frame(frame).barrier("d", 0)
    assert masks(barrier) == (TESTS, Access.DEPTH_STENCIL_ATTACHMENT_WRITE, TESTS, DEPTH_BOTH)
    assert layouts(barrier) == (Layout.UNDEFINED, Layout.DEPTH_ATTACHMENT)
    assert barrier.reason is BarrierReason.ACTIVATE


def test_depth_that_is_tested_and_sampled_at_once_is_in_the_layout_for_both() -> None:
    frame = Frame().texture("d", format="d32_sfloat").texture("a").node("pre", fragment("d", Usage.DEPTH))
    frame.node("fog", fragment("a", Usage.COLOR), fragment("d", Usage.DEPTH_READ), fragment("d", Usage.SAMPLED))
    barrier = compile_frame(frame).barrier("d", 1)
    assert layouts(barrier) == (Layout.DEPTH_ATTACHMENT, Layout.DEPTH_READ_ONLY)
    assert barrier.dst_stages == TESTS | FRAGMENT
    assert barrier.dst_access == Access.DEPTH_STENCIL_ATTACHMENT_READ | Access.SHADER_SAMPLED_READ


def test_28_the_screen_is_acquired_and_presented() -> None:
    frame = Frame().texture("screen", external=True).node("draw", fragment("screen", Usage.COLOR))
    frame.node("show", fragment("screen", Usage.PRESENT))
    compiled = compile_frame(frame)
    for parity in (0, 1):
        acquire = compiled.barrier("screen", 0, parity)
        assert masks(acquire) == (COLOR_OUT, Access.NONE, COLOR_OUT, COLOR_BOTH)
        assert layouts(acquire) == (Layout.UNDEFINED, Layout.COLOR_ATTACHMENT)
        present = compiled.barrier("screen", 1, parity)
        assert masks(present) == (COLOR_OUT, Access.COLOR_ATTACHMENT_WRITE, COLOR_OUT, Access.NONE)
        assert layouts(present) == (Layout.COLOR_ATTACHMENT, Layout.PRESENT_SRC)
        assert (acquire.reason, present.reason) == (BarrierReason.ACQUIRE, BarrierReason.PRESENT)
        assert acquire.copy == present.copy == parity


def test_a_screen_that_is_copied_to_still_waits_where_the_semaphore_does() -> None:
    frame = Frame().texture("screen", external=True).node("blit", fragment("screen", Usage.COPY_DST))
    frame.node("show", fragment("screen", Usage.PRESENT))
    acquire = compile_frame(frame).barrier("screen", 0)
    assert masks(acquire) == (COLOR_OUT, Access.NONE, Stage.COPY | Stage.CLEAR, Access.TRANSFER_WRITE)


def test_an_external_target_without_presentation_waits_for_its_last_frame() -> None:
    frame = Frame().texture("image", external=True).node("fill", compute("image", Usage.STORAGE_WRITE))
    assert masks(compile_frame(frame).barrier("image", 0))[:2] == (COLOR_OUT | COMPUTE, WRITE)


def test_an_asset_needs_no_barriers() -> None:
    frame = Frame().texture("a").texture("noise", external=True).buffer("mesh", external=True)
    frame.node("draw", fragment("a", Usage.COLOR), fragment("noise", Usage.SAMPLED), fragment("mesh", Usage.VERTEX))
    compiled = compile_frame(frame)
    assert compiled.barriers("noise") == compiled.barriers("mesh") == []


def test_an_external_buffer_is_the_same_one_in_every_frame() -> None:
    frame = Frame().buffer("grid", external=True).node("use", compute("grid", Usage.UNIFORM))
    frame.node("step", compute("grid", Usage.STORAGE_WRITE))
    compiled = compile_frame(frame)
    # The read waits for the write of the frame before; the write follows the read.
    for parity in (0, 1):
        assert masks(compiled.barrier("grid", 0, parity)) == (COMPUTE, WRITE, COMPUTE, Access.UNIFORM_READ)
        assert masks(compiled.barrier("grid", 1, parity)) == (COMPUTE, Access.NONE, COMPUTE, WRITE)


def test_memory_is_handed_over_within_a_frame_and_across_frames() -> None:
    frame = Frame().texture("a").texture("b").texture("o")
    frame.node("draw", fragment("a", Usage.COLOR)).node("read", compute("a", Usage.SAMPLED))
    frame.node("fill", compute("b", Usage.STORAGE_WRITE)).node("use", compute("b", Usage.SAMPLED))
    compiled = compile_frame(frame)
    for parity in (0, 1):
        first, second = compiled.barrier("a", 0, parity), compiled.barrier("b", 2, parity)
        for barrier in (first, second):
            assert barrier.reason is BarrierReason.HANDOVER
            assert barrier.old_layout is Layout.UNDEFINED
            assert barrier.src_stages == COLOR_OUT | COMPUTE
            assert barrier.src_access == Access.COLOR_ATTACHMENT_WRITE | WRITE
            assert barrier.copy == parity
    alone = compile_frame(frame, alias=False).barrier("a", 0)
    assert (alone.reason, alone.src_access) == (BarrierReason.ACTIVATE, Access.COLOR_ATTACHMENT_WRITE)


def test_history_is_read_from_where_its_own_frame_left_it() -> None:
    frame = Frame().texture("o").texture("hdr")
    frame.node("taa", fragment("o", Usage.COLOR), fragment("hdr", Usage.SAMPLED, history=True))
    frame.node("draw", fragment("hdr", Usage.COLOR))
    compiled = compile_frame(frame)
    for parity in (0, 1):
        read = compiled.barrier("hdr", 0, parity)
        assert read.copy == 1 - parity
        assert masks(read) == (COLOR_OUT, Access.COLOR_ATTACHMENT_WRITE, FRAGMENT, Access.SHADER_SAMPLED_READ)
        assert layouts(read) == (Layout.COLOR_ATTACHMENT, Layout.SHADER_READ_ONLY)
        again = compiled.barrier("hdr", 1, parity)
        assert again.copy == parity
        assert again.old_layout is Layout.UNDEFINED
        assert again.src_stages & FRAGMENT  # the reader of the life before
    assert compiled.sync.rest == (("o", Layout.COLOR_ATTACHMENT), ("hdr", Layout.COLOR_ATTACHMENT))


def test_a_history_read_in_the_last_layout_shares_the_barrier_of_the_frame_before() -> None:
    frame = Frame().texture("hdr").node("draw", fragment("hdr", Usage.COLOR))
    frame.node("show", fragment("hdr", Usage.SAMPLED)).node("taa", compute("hdr", Usage.SAMPLED, history=True))
    compiled = compile_frame(frame)
    assert [(before, barrier.copy) for before, barrier in compiled.barriers("hdr")] == [(0, 0), (1, 0)]
    assert compiled.barrier("hdr", 1).dst_stages == FRAGMENT | COMPUTE
    assert dict(compiled.sync.rest)["hdr"] is Layout.SHADER_READ_ONLY


def test_barriers_of_a_merged_pass_stand_in_front_of_it() -> None:
    frame = Frame().texture("a").texture("noise").node("make", compute("noise", Usage.STORAGE_WRITE))
    frame.node("one", fragment("a", Usage.COLOR)).node(
        "two", fragment("a", Usage.COLOR), fragment("noise", Usage.SAMPLED)
    )
    compiled = compile_frame(frame)
    assert [(item.first, item.last) for item in compiled.state.passes] == [(0, 0), (1, 2)]
    assert [before for before, _ in compiled.barriers("noise")] == [0, 1]
    assert [before for before, _ in compiled.barriers("a")] == [1]
    assert [batch.before for batch in compiled.sync.even] == [0, 1]


def test_a_clear_command_waits_and_is_waited_for() -> None:
    frame = Frame().texture("grid", clear=(1, 0, 0, 0)).node("fog", compute("grid", Usage.STORAGE))
    first, second = compile_frame(frame).sync.even
    assert (first.before, second.before) == (0, 0)
    assert [clear.resource for clear in first.clears] == ["grid"]
    (before,), (after,) = first.barriers, second.barriers
    assert masks(before)[2:] == (Stage.CLEAR, Access.TRANSFER_WRITE)
    assert layouts(before) == (Layout.UNDEFINED, Layout.TRANSFER_DST)
    both = Access.SHADER_STORAGE_READ | WRITE
    assert masks(after) == (Stage.CLEAR, Access.TRANSFER_WRITE, COMPUTE, both)
    assert layouts(after) == (Layout.TRANSFER_DST, Layout.GENERAL)
