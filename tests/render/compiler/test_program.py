from ordered_frames import Frame, compile_frame, compute, fragment

from renderwright.render.compiler.program.stage import bodies
from renderwright.render.compiler.resources.accesses import Stretch, Touches
from renderwright.render.compiler.values.operations import BarrierOp, BeginPassOp, EndPassOp, NodeOp
from renderwright.render.compiler.values.passes import Pass, StatePlan
from renderwright.render.incremental.memo import Parts
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


def silent(count: int) -> tuple[Stretch]:
    """So many nodes that record nothing."""
    return ((0, count - 1, Touches((), (), (), (), None, True, (), 1)),)


def test_operations_of_nodes_are_those_of_the_last_run() -> None:
    state = StatePlan((Pass(0, 1, ()), Pass(2, 99, ())), ())
    parts = Parts()
    first = bodies(silent(100), state, parts)
    fewer = StatePlan((Pass(0, 1, ()), Pass(2, 97, ())), ())
    second = bodies(silent(98), fewer, Parts(parts.tables))
    assert second == bodies(silent(98), fewer)
    assert all(one is other for one, other in zip(first.even, second.even, strict=False))
    assert [op.node for op in second.odd if isinstance(op, NodeOp)] == list(range(98))
    assert second.begins == (0, 2, 98)
