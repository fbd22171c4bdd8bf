from ordered_frames import Compiled, Frame, compile_frame, compute, fragment

from renderwright.render.compiler.values.passes import Pass, StateChange
from renderwright.render.types.attachments import Load, Store
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage

RED = (1.0, 0.0, 0.0, 1.0)


def ranges(compiled: Compiled) -> list[tuple[int, int]]:
    return [(item.first, item.last) for item in compiled.pass_plan.passes]


def scene() -> Frame:
    """Textures a, b (64x64) and depth d, and the buffer v."""
    return (
        Frame().texture("a", clear=RED).texture("b").texture("d", format="d32_sfloat", clear=(0, 0, 0, 0)).buffer("v")
    )


def test_nodes_with_the_same_attachments_become_one_pass() -> None:
    frame = scene()
    for name in ("opaque", "decals", "sky"):
        frame.node(name, fragment("a", Usage.COLOR), fragment("d", Usage.DEPTH))
    compiled = compile_frame(frame.sink("a"))
    (found,) = compiled.pass_plan.passes
    assert (found.first, found.last, found.merge_blocker) == (0, 2, "")
    assert compiled.extents == ((64, 64),)
    color, depth = found.attachments
    assert (color.resource, color.load, color.store, color.clear) == ("a", Load.CLEAR, Store.STORE, RED)
    assert (depth.resource, depth.load, depth.store) == ("d", Load.CLEAR, Store.DISCARD)


def test_without_merging_each_node_has_a_pass_that_keeps_what_the_next_one_needs() -> None:
    frame = scene()
    for name in ("opaque", "decals", "sky"):
        frame.node(name, fragment("a", Usage.COLOR), fragment("d", Usage.DEPTH))
    compiled = compile_frame(frame.sink("a"), merge=False)
    assert ranges(compiled) == [(0, 0), (1, 1), (2, 2)]
    assert [item.merge_blocker for item in compiled.pass_plan.passes] == ["", *["merging is switched off"] * 2]
    depths = [item.attachments[1] for item in compiled.pass_plan.passes]
    assert [(depth.load, depth.store) for depth in depths] == [
        (Load.CLEAR, Store.STORE),
        (Load.LOAD, Store.STORE),
        (Load.LOAD, Store.DISCARD),
    ]
    assert not any(item.info.transient for item in compiled.placement.resources if isinstance(item.info, TextureInfo))


def test_depth_stands_last_whatever_the_order_of_requests() -> None:
    frame = scene().node("draw", fragment("d", Usage.DEPTH), fragment("b", Usage.COLOR), fragment("a", Usage.COLOR))
    (found,) = compile_frame(frame).pass_plan.passes
    assert [attachment.resource for attachment in found.attachments] == ["b", "a", "d"]


def test_nodes_that_record_nothing_do_not_split_a_pass() -> None:
    frame = scene().blob("camera").node("first", fragment("camera", None))
    frame.node("one", fragment("a", Usage.COLOR)).node("camera_shake", fragment("camera", None)).node("barrier")
    frame.node("two", fragment("a", Usage.COLOR)).node("last")
    compiled = compile_frame(frame)
    assert ranges(compiled) == [(0, 5)]


def test_nodes_that_record_nothing_between_passes_belong_to_one() -> None:
    frame = scene().node("one", fragment("a", Usage.COLOR)).node("idle").node("two", fragment("b", Usage.COLOR))
    assert ranges(compile_frame(frame)) == [(0, 0), (1, 2)]


def test_a_frame_that_records_nothing_is_one_pass() -> None:
    assert compile_frame(Frame().node("a").node("b")).pass_plan.passes == (Pass(0, 1, ()),)


def test_a_node_with_a_pipeline_records() -> None:
    frame = scene().node("one", fragment("a", Usage.COLOR)).node("simulate", pipelines=1)
    frame.node("two", fragment("a", Usage.COLOR))
    assert ranges(compile_frame(frame)) == [(0, 0), (1, 1), (2, 2)]


def test_computes_stay_apart_so_that_barriers_can_stand_between() -> None:
    frame = scene().node("one", compute("v", Usage.STORAGE)).node("two", compute("v", Usage.STORAGE))
    compiled = compile_frame(frame)
    assert ranges(compiled) == [(0, 0), (1, 1)]
    assert [item.merge_blocker for item in compiled.pass_plan.passes] == ["", "it renders to no attachment"]


def reason(frame: Frame) -> str:
    """Why the second of two passes stands alone."""
    _, second = compile_frame(frame).pass_plan.passes
    return second.merge_blocker


def test_other_attachments_part_passes() -> None:
    frame = scene().node("one", fragment("a", Usage.COLOR)).node("two", fragment("b", Usage.COLOR))
    assert reason(frame) == 'it renders to "b" as color, the pass before it to "a" as color'


def test_sampling_what_the_pass_wrote_parts_passes() -> None:
    frame = scene().node("one", fragment("a", Usage.COLOR), fragment("v", Usage.STORAGE))
    frame.node("two", fragment("a", Usage.COLOR), fragment("v", Usage.UNIFORM))
    assert reason(frame) == 'it uses "v" as uniform, and "one" in the pass before it writes that'


def test_writing_what_the_pass_read_parts_passes() -> None:
    frame = (
        scene()
        .node("zero", compute("v", Usage.STORAGE))
        .node("one", fragment("a", Usage.COLOR), fragment("v", Usage.UNIFORM))
    )
    frame.node("two", fragment("a", Usage.COLOR), fragment("v", Usage.STORAGE))
    last = compile_frame(frame).pass_plan.passes[-1]
    assert last.merge_blocker == 'it writes "v" as storage, and "one" in the pass before it reads that'


def test_two_layouts_of_one_texture_part_passes() -> None:
    frame = (
        scene()
        .node("zero", compute("b", Usage.STORAGE))
        .node("one", fragment("a", Usage.COLOR), fragment("b", Usage.SAMPLED))
    )
    frame.node("two", fragment("a", Usage.COLOR), fragment("b", Usage.STORAGE_READ))
    last = compile_frame(frame).pass_plan.passes[-1]
    assert last.merge_blocker == 'it uses "b" as storage_read, and "one" in the pass before it as sampled'


def test_reads_in_one_layout_do_not_part_passes() -> None:
    frame = scene().node("zero", compute("b", Usage.STORAGE))
    for name in ("one", "two"):
        frame.node(name, fragment("a", Usage.COLOR), fragment("b", Usage.SAMPLED))
    assert ranges(compile_frame(frame)) == [(0, 0), (1, 2)]


def test_memory_that_changes_hands_parts_passes() -> None:
    frame = scene().buffer("w").node("zero", compute("v", Usage.STORAGE))
    frame.node("one", fragment("a", Usage.COLOR), fragment("v", Usage.UNIFORM))
    frame.node("two", fragment("a", Usage.COLOR), fragment("w", Usage.STORAGE))
    assert (
        compile_frame(frame).pass_plan.passes[-1].merge_blocker
        == '"w" lies in memory that "v" gives up in the pass before it'
    )
    assert ranges(compile_frame(frame, alias=False)) == [(0, 0), (1, 2)]


def test_a_second_pass_loads_and_only_the_last_one_discards() -> None:
    frame = scene().node("one", fragment("a", Usage.COLOR)).node("two", fragment("b", Usage.COLOR))
    frame.node("three", fragment("a", Usage.COLOR))
    one, two, three = (item.attachments[0] for item in compile_frame(frame).pass_plan.passes)
    assert (one.load, one.store) == (Load.CLEAR, Store.STORE)
    assert (two.load, two.store) == (Load.DISCARD, Store.DISCARD)
    assert (three.load, three.store) == (Load.LOAD, Store.DISCARD)


def test_a_history_reader_keeps_the_contents() -> None:
    frame = scene().node("taa", fragment("a", Usage.COLOR), fragment("b", Usage.SAMPLED, history=True))
    frame.node("draw", fragment("b", Usage.COLOR))
    assert compile_frame(frame).pass_plan.passes[1].attachments[0].store is Store.STORE


def test_an_external_target_is_stored() -> None:
    frame = Frame().texture("screen", external=True).node("draw", fragment("screen", Usage.COLOR))
    (attachment,) = compile_frame(frame).pass_plan.passes[0].attachments
    assert (attachment.load, attachment.store) == (Load.DISCARD, Store.STORE)


def test_depth_that_is_only_tested_is_loaded_and_left_alone() -> None:
    frame = scene().node("pre", fragment("d", Usage.DEPTH))
    frame.node("main", fragment("a", Usage.COLOR), fragment("d", Usage.DEPTH_READ))
    depth = compile_frame(frame).pass_plan.passes[1].attachments[1]
    assert (depth.usage, depth.load, depth.store) == (Usage.DEPTH_READ, Load.LOAD, Store.NONE)


def test_an_attachment_that_a_shader_wrote_first_is_loaded() -> None:
    frame = scene().node("fill", compute("a", Usage.STORAGE)).node("draw", fragment("a", Usage.COLOR))
    assert compile_frame(frame).pass_plan.passes[1].attachments[0].load is Load.LOAD


def test_a_resolve_target_is_overwritten() -> None:
    frame = scene().node("draw", fragment("a", Usage.COLOR), fragment("b", Usage.RESOLVE))
    frame.node("use", compute("b", Usage.SAMPLED))
    color, resolve = compile_frame(frame).pass_plan.passes[0].attachments
    assert (color.store, resolve.load, resolve.store) == (Store.DISCARD, Load.DISCARD, Store.STORE)


def test_the_pass_covers_what_all_attachments_have() -> None:
    frame = Frame().texture("a", (64, 32)).texture("b", (48, 48))
    frame.node("draw", fragment("a", Usage.COLOR), fragment("b", Usage.COLOR))
    assert compile_frame(frame).extents == ((48, 32),)


def test_only_differing_state_is_switched() -> None:
    frame = scene().node("one", fragment("a", Usage.COLOR), cull="back", wireframe=False)
    frame.node("two", fragment("a", Usage.COLOR), cull="back", wireframe=True)
    frame.node("three", fragment("a", Usage.COLOR)).node("four", fragment("a", Usage.COLOR), wireframe=True)
    plan = compile_frame(frame).pass_plan
    assert plan.changes == (
        StateChange(0, (("cull", "back"), ("wireframe", False))),
        StateChange(1, (("wireframe", True),)),
    )
    assert plan.saved == 2
