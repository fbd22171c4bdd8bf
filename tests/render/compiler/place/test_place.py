import pytest
from ordered_frames import HERE, Frame, Touch, compile_frame, compute, fragment, placement_of

from renderwright.render.compiler.place.description import LARGEST
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.placement import PlacedResource, Placement
from renderwright.render.errors import CompileError
from renderwright.render.graph.requests import FirstFrame
from renderwright.render.graph.resolutions import resolution_values
from renderwright.render.graph.snapshot import ResolutionRule, SizeInputs
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.resources import Resolution
from renderwright.render.types.usages import Usage

WINDOW = ResolutionRule("main_view", (1920, 1080))


def placed(
    frame: Frame, *, alias: bool = True, sizes: SizeInputs | None = None
) -> tuple[Placement, dict[str, PlacedResource]]:
    sizes = sizes or SizeInputs((WINDOW,))
    placement = placement_of(frame.graph(), sizes, CompileOptions(alias=alias))
    return placement, {resource.id: resource for resource in placement.resources}


def drawn_and_read() -> Frame:
    """hdr: written by 0, read by 1; ldr: written by 2."""
    return (
        Frame()
        .texture("hdr")
        .texture("ldr")
        .node("draw", fragment("hdr", Usage.COLOR))
        .node("blur", fragment("hdr", Usage.SAMPLED))
        .node("tonemap", fragment("ldr", Usage.COLOR))
    )


def test_resolutions_refer_to_one_another_in_any_order() -> None:
    values = resolution_values(
        [
            ResolutionRule("quarter", of="half", scale=0.5),
            ResolutionRule("half", of="main_view", scale=0.5),
            ResolutionRule("main_view", (1921, 1)),
        ]
    )
    assert values.extents == {"main_view": (1921, 1), "half": (961, 1), "quarter": (481, 1)}
    assert not values.failures


def test_scaled_sizes_are_rounded_up_but_not_by_rounding_errors() -> None:
    frame = Frame().texture("a", Resolution("main_view", 1.1)).texture("b", Resolution("main_view", 0.001))
    frame.node("n", fragment("a", Usage.COLOR)).node("m", fragment("b", Usage.COLOR))
    _, by_id = placed(frame, sizes=SizeInputs((ResolutionRule("main_view", (10, 10)),)))
    assert [by_id[name].info.extent for name in "ab"] == [(11, 11), (1, 1)]


@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        ((WINDOW,), 'there is no resolution "mian_view"'),
        ((ResolutionRule("mian_view", of="nowhere"),), 'refers to "nowhere", which does not exist'),
        ((ResolutionRule("mian_view", of="b"), ResolutionRule("b", of="mian_view")), "mian_view -> b -> mian_view"),
        ((ResolutionRule("mian_view"),), "neither a size nor another resolution"),
    ],
)
def test_a_size_that_cannot_be_resolved(rules: tuple[ResolutionRule, ...], complaint: str) -> None:
    frame = Frame().texture("hdr", Resolution("mian_view")).node("draw", fragment("hdr", Usage.COLOR))
    with pytest.raises(CompileError, match='texture "hdr" of node "draw"') as caught:
        placed(frame, sizes=SizeInputs(rules))
    assert complaint in caught.value.message
    assert caught.value.where == HERE


def test_a_broken_resolution_without_users_is_a_note() -> None:
    placement, _ = placed(drawn_and_read(), sizes=SizeInputs((ResolutionRule("lost", of="gone"),)))
    assert [problem.code for problem in placement.problems] == ["resolution"]
    assert placement.extents == ()


def test_extents_are_told() -> None:
    placement, _ = placed(drawn_and_read())
    assert placement.extents == (("main_view", (1920, 1080)),)


def test_arcs_without_history() -> None:
    _, by_id = placed(drawn_and_read())
    assert [copy.live_range for copy in by_id["hdr"].copies] == [(0, 2), (3, 5)]
    assert [copy.live_range for copy in by_id["ldr"].copies] == [(2, 3), (5, 6)]
    assert not by_id["hdr"].has_history


def test_arcs_with_history() -> None:
    frame = drawn_and_read().node("taa", fragment("ldr", Usage.SAMPLED, history=True))
    _, by_id = placed(frame)
    assert [copy.live_range for copy in by_id["ldr"].copies] == [(2, 8), (6, 12)]
    assert by_id["ldr"].has_history


def test_a_sink_lives_to_the_end_of_its_frame() -> None:
    _, by_id = placed(drawn_and_read().sink("hdr"))
    assert [copy.live_range for copy in by_id["hdr"].copies] == [(0, 3), (3, 6)]


def test_what_the_host_reads_lives_until_its_turn_comes_again() -> None:
    frame = drawn_and_read().buffer("count")
    frame.node("sum", compute("count", Usage.STORAGE)).node("peek", compute("count", Usage.HOST_READ))
    _, by_id = placed(frame)
    assert [copy.live_range for copy in by_id["count"].copies] == [(3, 10), (8, 15)]


def test_a_rename_counts_as_a_use() -> None:
    _, by_id = placed(drawn_and_read().node("rename", fragment("hdr", None)))
    assert by_id["hdr"].copies[0].live_range == (0, 4)


def test_one_texture_serves_both_frames_and_disjoint_lives_share_memory() -> None:
    placement, by_id = placed(drawn_and_read())
    even, odd = by_id["hdr"].copies
    assert even.offset == odd.offset == by_id["ldr"].copies[0].offset
    assert [(heap.memory_class, heap.size, heap.load) for heap in placement.heaps] == [("textures", 65536, 65536)]


def test_without_aliasing_everything_has_its_own_bytes() -> None:
    placement, by_id = placed(drawn_and_read(), alias=False)
    offsets = sorted(copy.offset for resource in by_id.values() for copy in resource.copies)
    assert offsets == [0, 65536, 131072, 196608]
    assert placement.heaps[0].size == 262144
    assert placement.heaps[0].load == 65536


def test_one_heap_for_each_class_of_memory() -> None:
    frame = drawn_and_read().buffer("lights", 100).node("cull", compute("lights", Usage.STORAGE_WRITE))
    placement, by_id = placed(frame)
    assert [heap.memory_class for heap in placement.heaps] == ["buffers", "textures"]
    assert by_id["lights"].copies[0].heap == 0
    assert (by_id["lights"].size, by_id["lights"].alignment) == (256, 256)
    assert by_id["lights"].info == BufferInfo(100, frozenset({Usage.STORAGE_WRITE}))


def test_usages_are_gathered_and_history_can_be_carried_over() -> None:
    frame = drawn_and_read().node("taa", compute("hdr", Usage.STORAGE_READ, history=True))
    _, by_id = placed(frame)
    assert by_id["hdr"].info == TextureInfo(
        "rgba8_unorm",
        (64, 64),
        1,
        1,
        1,
        frozenset({Usage.COLOR, Usage.SAMPLED, Usage.STORAGE_READ, Usage.COPY_SRC, Usage.COPY_DST}),
    )


def test_a_clear_that_no_attachment_makes_needs_a_copy_destination() -> None:
    frame = Frame().texture("grid", clear=(0, 0, 0, 0)).texture("hdr", clear=(0, 0, 0, 0))
    frame.node("inject", compute("grid", Usage.STORAGE)).node("draw", fragment("hdr", Usage.COLOR))
    _, by_id = placed(frame)
    assert by_id["grid"].info.usages == {Usage.STORAGE, Usage.COPY_DST}
    assert by_id["hdr"].info.usages == {Usage.COLOR}


def test_external_textures_have_no_memory_and_take_the_target_s_format() -> None:
    frame = Frame().texture("screen", external=True).node("draw", fragment("screen", Usage.COLOR))
    placement, by_id = placed(frame, sizes=SizeInputs((), (("screen", "bgra8_srgb"),)))
    assert by_id["screen"].info.format == "bgra8_srgb"
    assert by_id["screen"].copies == ()
    assert placement.heaps == ()


def test_blobs_have_no_memory() -> None:
    frame = Frame().blob("camera").node("a", fragment("camera", None)).node("b", fragment("camera", None, history=True))
    _, by_id = placed(frame)
    assert by_id["camera"] == PlacedResource("camera", None, 0, 0, (), True, FirstFrame.CLEAR)


def test_the_strictest_first_frame_policy_holds() -> None:
    frame = drawn_and_read()
    frame.node("a", Touch("hdr", Usage.SAMPLED, history=True, first=FirstFrame.DISCARD))
    assert placed(frame)[1]["hdr"].first is FirstFrame.DISCARD
    frame.node("b", Touch("hdr", Usage.SAMPLED, history=True, first=FirstFrame.INVALID))
    assert placed(frame)[1]["hdr"].first is FirstFrame.INVALID
    frame.node("c", Touch("hdr", Usage.SAMPLED, history=True, first=FirstFrame.CLEAR))
    assert placed(frame)[1]["hdr"].first is FirstFrame.CLEAR


def test_history_of_something_external_is_refused() -> None:
    frame = Frame().texture("screen", external=True).node("draw", fragment("screen", Usage.COLOR))
    frame.node("taa", fragment("screen", Usage.SAMPLED, history=True))
    with pytest.raises(CompileError, match="has no history"):
        placed(frame)


def test_an_empty_buffer_is_refused() -> None:
    with pytest.raises(CompileError, match='buffer "none" of node "n" has 0 bytes'):
        placed(Frame().buffer("none", 0).node("n", compute("none", Usage.STORAGE)))


def test_more_bytes_than_any_device_can_address_are_refused() -> None:
    node = compute("huge", Usage.STORAGE)
    placed(Frame().buffer("huge", LARGEST).node("n", node))
    with pytest.raises(CompileError, match='"huge" of node "n" is impossible: 1000000000000000000 bytes'):
        placed(Frame().buffer("huge", 10**18).node("n", node))


def test_uses_that_exclude_each_other_are_refused() -> None:
    frame = Frame().texture("hdr").node("loop", fragment("hdr", Usage.COLOR), fragment("hdr", Usage.SAMPLED))
    with pytest.raises(CompileError, match='"loop" uses "hdr" as sampled and as color at once'):
        placed(frame)


def test_an_empty_frame() -> None:
    compiled = compile_frame(Frame())
    assert compiled.placement.heaps == ()
    assert compiled.pass_plan.passes == ()
    assert compiled.program.even == compiled.program.odd == ()
