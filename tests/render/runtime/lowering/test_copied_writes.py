"""Which writes of a frame are copied out, and where."""

from __future__ import annotations

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.operations import BeginPassOp, EndPassOp
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.runtime.lowering.copied_writes import CopyOp, with_copies
from renderwright.render.types.resources import Buffer, Texture

COLOR = Texture("rgba8_unorm", (64, 32))


def nothing(cmd: Commands) -> None:
    pass


def draw(reg: Registry) -> Execute:
    reg.create("lit", COLOR).color()
    reg.create("never_read", COLOR).color()
    return nothing


def haze(reg: Registry) -> Execute:
    reg.modify("lit").color()
    reg.modify("never_read").color()
    return nothing


def blur(reg: Registry) -> Execute:
    reg.read("lit").sampled()
    reg.create("soft", COLOR).storage_write()
    reg.create("bytes", Buffer(64)).storage_write()
    return nothing


def show(reg: Registry) -> Execute:
    reg.read("soft").sampled()
    reg.read("bytes").storage_read()
    reg.create("image", COLOR).color()
    return nothing


def frame(*, merge: bool) -> Plan:
    graph = FrameGraph()
    for declare in (draw, haze, blur, show):
        graph.add_node(declare.__name__, declare)
    graph.add_sink("image")
    assert graph.declare() == ()
    return compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(merge=merge), RowMajorModel())


def copied(plan: Plan) -> list[tuple[str, str]]:
    """Nodes and resources of all copies, none of which is in the middle of a pass."""
    in_pass, found = False, []
    for op in with_copies(plan.program.even, plan, 0):
        in_pass = isinstance(op, BeginPassOp) or (in_pass and not isinstance(op, EndPassOp))
        if isinstance(op, CopyOp):
            assert not in_pass
            found += [(write.node, write.resource) for write in op.writes]
    return found


def test_each_write_is_copied_behind_its_pass() -> None:
    found = [(node, name) for node, name in copied(frame(merge=False)) if name != "never_read"]
    assert found == [("draw", "lit"), ("haze", "lit"), ("blur", "soft"), ("show", "image")]


def test_of_writes_in_one_pass_the_last_one_counts_and_only_what_is_stored() -> None:
    assert copied(frame(merge=True)) == [("haze", "lit"), ("blur", "soft"), ("show", "image")]


def test_the_operations_of_the_frame_stay_as_they_are() -> None:
    plan = frame(merge=True)
    woven = with_copies(plan.program.odd, plan, 1)
    assert [op for op in woven if not isinstance(op, CopyOp)] == list(plan.program.odd)
    assert {op.copy for op in woven if isinstance(op, CopyOp)} == {1}
