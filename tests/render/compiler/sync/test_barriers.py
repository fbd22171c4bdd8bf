"""Exact barriers of small frames; those of the Vulkan guide's examples are in ``test_sync_examples``."""

from ordered_frames import Frame, compile_frame, compute, fragment

from renderwright.render.sync.barriers import Barrier, BarrierReason
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.types.usages import Usage

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


def test_depth_that_is_tested_and_sampled_at_once_is_in_the_layout_for_both() -> None:
    frame = Frame().texture("d", format="d32_sfloat").texture("a").node("pre", fragment("d", Usage.DEPTH))
    frame.node("fog", fragment("a", Usage.COLOR), fragment("d", Usage.DEPTH_READ), fragment("d", Usage.SAMPLED))
    barrier = compile_frame(frame).barrier("d", 1)
    assert layouts(barrier) == (Layout.DEPTH_ATTACHMENT, Layout.DEPTH_READ_ONLY)
    assert barrier.dst_stages == TESTS | FRAGMENT
    assert barrier.dst_access == Access.DEPTH_STENCIL_ATTACHMENT_READ | Access.SHADER_SAMPLED_READ


def test_the_screen_is_acquired_and_presented() -> None:
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
            # The read that ends each life has waited for the write before it.
            assert (barrier.src_stages, barrier.src_access) == (COMPUTE, Access.NONE)
            assert barrier.copy == parity
    alone = compile_frame(frame, alias=False).barrier("a", 0)
    assert (alone.reason, alone.src_stages, alone.src_access) == (BarrierReason.ACTIVATE, COMPUTE, Access.NONE)


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
    assert compiled.sync.layouts_left == (("o", Layout.COLOR_ATTACHMENT), ("hdr", Layout.COLOR_ATTACHMENT))


def test_a_history_read_in_the_last_layout_shares_the_barrier_of_the_frame_before() -> None:
    frame = Frame().texture("hdr").node("draw", fragment("hdr", Usage.COLOR))
    frame.node("show", fragment("hdr", Usage.SAMPLED)).node("taa", compute("hdr", Usage.SAMPLED, history=True))
    compiled = compile_frame(frame)
    assert [(before, barrier.copy) for before, barrier in compiled.barriers("hdr")] == [(0, 0), (1, 0)]
    assert compiled.barrier("hdr", 1).dst_stages == FRAGMENT | COMPUTE
    assert dict(compiled.sync.layouts_left)["hdr"] is Layout.SHADER_READ_ONLY


def test_barriers_of_a_merged_pass_stand_in_front_of_it() -> None:
    frame = Frame().texture("a").texture("noise").node("make", compute("noise", Usage.STORAGE_WRITE))
    frame.node("one", fragment("a", Usage.COLOR)).node(
        "two", fragment("a", Usage.COLOR), fragment("noise", Usage.SAMPLED)
    )
    compiled = compile_frame(frame)
    assert [(item.first, item.last) for item in compiled.pass_plan.passes] == [(0, 0), (1, 2)]
    assert [before for before, _ in compiled.barriers("noise")] == [0, 1]
    assert [before for before, _ in compiled.barriers("a")] == [1]
    assert [batch.number for batch in compiled.sync.even] == [0, 1]


def test_a_clear_command_waits_and_is_waited_for() -> None:
    frame = Frame().texture("grid", clear=(1, 0, 0, 0)).node("fog", compute("grid", Usage.STORAGE))
    first, second = compile_frame(frame).sync.even
    assert (first.number, second.number) == (0, 0)
    assert [clear.resource for clear in first.clears] == ["grid"]
    (before,), (after,) = first.barriers, second.barriers
    assert masks(before)[2:] == (Stage.CLEAR, Access.TRANSFER_WRITE)
    assert layouts(before) == (Layout.UNDEFINED, Layout.TRANSFER_DST)
    both = Access.SHADER_STORAGE_READ | WRITE
    assert masks(after) == (Stage.CLEAR, Access.TRANSFER_WRITE, COMPUTE, both)
    assert layouts(after) == (Layout.TRANSFER_DST, Layout.GENERAL)
