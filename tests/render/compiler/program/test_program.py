from ordered_frames import Frame, compile_frame, compute, fragment

from renderwright.render.compiler.values.operations import (
    BarrierOp,
    BeginPassOp,
    EndPassOp,
    NodeOp,
    SetEventOp,
    WaitEventOp,
)
from renderwright.render.sync.barriers import ClearOp
from renderwright.render.sync.flags import Layout
from renderwright.render.types.usages import Usage


def kinds(ops: tuple[object, ...]) -> list[str]:
    return [f"node {op.node}" if isinstance(op, NodeOp) else type(op).__name__ for op in ops]


def test_a_frame_is_flat_and_every_node_runs_once() -> None:
    frame = Frame().texture("a").texture("screen", external=True).blob("camera")
    frame.node("camera", fragment("camera", None)).node("draw", fragment("a", Usage.COLOR))
    frame.node("shake", fragment("camera", None)).node("more", fragment("a", Usage.COLOR))
    frame.node("show", fragment("a", Usage.SAMPLED), fragment("screen", Usage.COLOR))
    frame.node("present", fragment("screen", Usage.PRESENT))
    program = compile_frame(frame).program
    assert kinds(program.even) == [
        "BarrierOp",
        "node 0",
        "BeginPassOp",
        "node 1",
        "node 2",
        "node 3",
        "EndPassOp",
        "BarrierOp",
        "BeginPassOp",
        "node 4",
        "EndPassOp",
        "node 5",
        "BarrierOp",
    ]
    assert kinds(program.odd) == kinds(program.even)


def test_attachments_are_the_frame_s_own_copies() -> None:
    frame = Frame().texture("a").node("draw", fragment("a", Usage.COLOR), fragment("a", Usage.SAMPLED, history=True))
    compiled = compile_frame(frame)
    program = compiled.program
    begins = [op for ops in (program.even, program.odd) for op in ops if isinstance(op, BeginPassOp)]
    assert [begin.copies for begin in begins] == [(0,), (1,)]
    assert compiled.extents[begins[0].number] == (64, 64)
    assert any(isinstance(op, EndPassOp) and op.number == begins[0].number for op in program.even)


def test_compute_runs_outside_render_passes() -> None:
    frame = Frame().buffer("v").node("one", compute("v", Usage.STORAGE)).node("two", compute("v", Usage.STORAGE))
    assert kinds(compile_frame(frame).program.even) == ["BarrierOp", "node 0", "BarrierOp", "node 1"]


def test_a_clear_command_stands_between_two_barriers() -> None:
    frame = Frame().texture("grid", clear=(1, 0, 0, 0)).node("fog", compute("grid", Usage.STORAGE))
    program = compile_frame(frame).program
    for copy, ops in enumerate((program.even, program.odd)):
        before, clear, after, node = ops
        assert isinstance(before, BarrierOp)
        assert isinstance(after, BarrierOp)
        assert before.barriers[0].new_layout is after.barriers[0].old_layout is Layout.TRANSFER_DST
        assert clear == ClearOp("grid", copy, (1, 0, 0, 0))
        assert node == NodeOp(0)


def test_operations_of_different_kinds_differ() -> None:
    """An event that is set and an event that is waited for are not the same, whatever the event and its barriers."""
    assert SetEventOp(0, ()) != WaitEventOp(0, ())
    assert SetEventOp(0, ()) == SetEventOp(0, ())
    assert BarrierOp(()) != ((),)
    assert NodeOp(0) != EndPassOp(0)


def test_nodes_that_record_nothing_stay_outside_the_rendering() -> None:
    frame = Frame().texture("a").blob("camera").node("first").node("draw", fragment("a", Usage.COLOR))
    frame.node("shake", fragment("camera", None)).node("more", fragment("a", Usage.COLOR)).node("last")
    kinds_in_order = ["BarrierOp", "node 0", "BeginPassOp", "node 1", "node 2", "node 3", "EndPassOp", "node 4"]
    assert kinds(compile_frame(frame.sink("a")).program.even) == kinds_in_order
