"""The cases of the Vulkan guide's synchronization examples, each as a graph. The numbers are the order of that list.

``EXACT`` cases have the masks of the guide (a shader's accesses told apart, as synchronization2 can). Of the others,
each test says what differs. Either way the oracle finds what is emitted enough, and anything weaker too little.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "compiler"))
sys.path.insert(0, str(Path(__file__).parents[1] / "inspect"))

import pytest
from ordered_frames import Compiled, Frame, Touch, compile_frame, compute, fragment
from plan_mutants import mutants

from renderwright.render.compiler.values.operations import BarrierOp, SetEventOp
from renderwright.render.inspect.plan_stream import judge, plan_stream
from renderwright.render.sync.barriers import Barrier, Issued, MemoryBarrier
from renderwright.render.sync.derive import ResourceAccess, derive
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.oracle import Kind, check
from renderwright.render.sync.oracle import stream as s
from renderwright.render.sync.oracle.names import ACCESSES, ALL_COMMANDS
from renderwright.render.sync.scopes import scope_of
from renderwright.render.types.parts import Part
from renderwright.render.types.usages import ShaderStage, Usage

COMPUTE, FRAGMENT, VERTEX = Stage.COMPUTE_SHADER, Stage.FRAGMENT_SHADER, Stage.VERTEX_SHADER
TESTS = Stage.EARLY_FRAGMENT_TESTS | Stage.LATE_FRAGMENT_TESTS
OUTPUT, COPY = Stage.COLOR_ATTACHMENT_OUTPUT, Stage.COPY | Stage.CLEAR
WRITE, READ, SAMPLE = Access.SHADER_STORAGE_WRITE, Access.SHADER_STORAGE_READ, Access.SHADER_SAMPLED_READ
COLORED, COLOR_BOTH = Access.COLOR_ATTACHMENT_WRITE, Access.COLOR_ATTACHMENT_WRITE | Access.COLOR_ATTACHMENT_READ
DEPTHED = Access.DEPTH_STENCIL_ATTACHMENT_WRITE
DEPTH_BOTH = DEPTHED | Access.DEPTH_STENCIL_ATTACHMENT_READ
NOTHING = Access.NONE
NO_LAYOUT = (Layout.UNDEFINED, Layout.UNDEFINED)
SHOWN, COLOR, DEPTH, STORED = (
    Layout.SHADER_READ_ONLY,
    Layout.COLOR_ATTACHMENT,
    Layout.DEPTH_ATTACHMENT,
    Layout.GENERAL,
)
WRITES = compute("r", Usage.STORAGE_WRITE)

Masks = tuple[Stage, Access, Stage, Access]


@dataclass(frozen=True)
class Case:
    """The nodes' uses of ``r``, and the one barrier in front of pass ``before``."""

    uses: tuple[Touch, ...]
    masks: Masks
    layouts: tuple[Layout, Layout] = NO_LAYOUT
    kind: str = "buffer"
    before: int = 1


def vertex(usage: Usage) -> Touch:
    return Touch("r", usage, ShaderStage.VERTEX)


def sampled(writer: Touch, stage: ShaderStage, source: tuple[Stage, Access], old: Layout) -> Case:
    where = {ShaderStage.COMPUTE: COMPUTE, ShaderStage.FRAGMENT: FRAGMENT, ShaderStage.VERTEX: VERTEX}[stage]
    kind = "depth" if old is DEPTH else "color"
    return Case((writer, Touch("r", Usage.SAMPLED, stage)), (*source, where, SAMPLE), (old, SHOWN), kind)


DRAWS, DRAWS_DEPTH = fragment("r", Usage.COLOR), fragment("r", Usage.DEPTH)
EXACT = {
    "1 dispatch to dispatch": Case((WRITES, compute("r", Usage.STORAGE_READ)), (COMPUTE, WRITE, COMPUTE, READ)),
    "3 dispatch to dispatch by a storage image": Case(
        (WRITES, compute("r", Usage.STORAGE_READ)), (COMPUTE, WRITE, COMPUTE, READ), (STORED, STORED), "color"
    ),
    "6 dispatch to indices": Case(
        (WRITES, fragment("r", Usage.INDEX)), (COMPUTE, WRITE, Stage.INDEX_INPUT, Access.INDEX_READ)
    ),
    "7 dispatch to indices, then to a uniform block": Case(
        (WRITES, fragment("r", Usage.INDEX), compute("r", Usage.UNIFORM)),
        (COMPUTE, WRITE, Stage.INDEX_INPUT | COMPUTE, Access.INDEX_READ | Access.UNIFORM_READ),
    ),
    "8 dispatch to indirect arguments": Case(
        (WRITES, fragment("r", Usage.INDIRECT)), (COMPUTE, WRITE, Stage.DRAW_INDIRECT, Access.INDIRECT_COMMAND_READ)
    ),
    "9 dispatch to a texture": sampled(WRITES, ShaderStage.FRAGMENT, (COMPUTE, WRITE), STORED),
    "10 dispatch to indirect arguments and a uniform block": Case(
        (WRITES, fragment("r", Usage.INDIRECT), fragment("r", Usage.UNIFORM)),
        (COMPUTE, WRITE, Stage.DRAW_INDIRECT | FRAGMENT, Access.INDIRECT_COMMAND_READ | Access.UNIFORM_READ),
    ),
    "11 colour to dispatch": sampled(DRAWS, ShaderStage.COMPUTE, (OUTPUT, COLORED), COLOR),
    "12 depth to dispatch": sampled(DRAWS_DEPTH, ShaderStage.COMPUTE, (TESTS, DEPTHED), DEPTH),
    "14 depth to fragment shader": sampled(DRAWS_DEPTH, ShaderStage.FRAGMENT, (TESTS, DEPTHED), DEPTH),
    "16 colour to fragment shader": sampled(DRAWS, ShaderStage.FRAGMENT, (OUTPUT, COLORED), COLOR),
    "17 colour to vertex shader": sampled(DRAWS, ShaderStage.VERTEX, (OUTPUT, COLORED), COLOR),
    "20 copy to vertices": Case(
        (fragment("r", Usage.COPY_DST), vertex(Usage.VERTEX)),
        (COPY, Access.TRANSFER_WRITE, Stage.VERTEX_ATTRIBUTE_INPUT, Access.VERTEX_ATTRIBUTE_READ),
    ),
    "23b copy to a texture": sampled(
        fragment("r", Usage.COPY_DST), ShaderStage.FRAGMENT, (COPY, Access.TRANSFER_WRITE), Layout.TRANSFER_DST
    ),
    "24 dispatch to the host": Case(
        (WRITES, compute("r", Usage.HOST_READ)), (COMPUTE, WRITE, Stage.HOST, Access.HOST_READ)
    ),
}


def frame_of(case: Case) -> Frame:
    frame = Frame()
    if case.kind == "buffer":
        frame.buffer("r")
    else:
        frame.texture("r", format="d32_sfloat" if case.kind == "depth" else "rgba8_unorm")
    for number, use in enumerate(case.uses):
        frame.node(f"n{number}", use)
    return frame


def masks(barrier: Barrier) -> Masks:
    return barrier.src_stages, barrier.src_access, barrier.dst_stages, barrier.dst_access


def layouts(barrier: Barrier) -> tuple[Layout, Layout]:
    return barrier.old_layout, barrier.new_layout


def suffices(frame: Compiled) -> bool:
    return judge([frame] * 4).findings == ()


def is_needed(frame: Compiled, barrier: Issued) -> bool:
    """Whether the oracle objects to every weaker barrier in its place."""
    weaker = [mutant for what, mutant in mutants(frame) if what.endswith(str(barrier))]
    assert weaker
    return not any(suffices(mutant) for mutant in weaker)


@pytest.mark.parametrize("name", EXACT)
def test_the_masks_are_those_of_the_guide(name: str) -> None:
    case = EXACT[name]
    frame = compile_frame(frame_of(case))
    barrier = frame.barrier("r", case.before)
    assert masks(barrier) == case.masks
    assert layouts(barrier) == case.layouts
    assert [before for before, _ in frame.barriers("r")] == [0, case.before]  # the first one is from the frame before
    assert suffices(frame)
    assert is_needed(frame, barrier)


def test_2_a_write_behind_reads_waits_for_their_execution() -> None:
    read, write = (scope_of(usage, (ShaderStage.COMPUTE,)) for usage in (Usage.STORAGE_READ, Usage.STORAGE_WRITE))
    (found,) = derive([ResourceAccess(0, read), ResourceAccess(1, write)])
    assert (found.src_stages, found.src_access, found.dst.stages, found.dst.access) == (
        COMPUTE,
        NOTHING,
        COMPUTE,
        NOTHING,
    )
    # In a frame somebody has written before; that has to be visible to the next writer, as the oracle agrees.
    uses = (WRITES, compute("r", Usage.STORAGE_READ), WRITES)
    frame = compile_frame(frame_of(Case(uses, (COMPUTE, NOTHING, COMPUTE, WRITE))))
    barrier = frame.barrier("r", 2)
    assert masks(barrier) == (COMPUTE, NOTHING, COMPUTE, WRITE)
    assert suffices(frame)
    assert is_needed(frame, barrier)


def test_4_writers_of_different_regions_have_no_barrier_between_them() -> None:
    """Regions are layers of an image: buffers are one region, and their writers follow one another."""
    frame = Frame().texture("r", layers=2)
    for number in range(2):
        frame.node(f"w{number}", replace(WRITES, part=Part(layers=(number, 1))))
    found = compile_frame(frame.node("r", compute("r", Usage.STORAGE_READ)))
    (barrier,) = [barrier for before, barrier in found.barriers("r") if before == 2]
    assert masks(barrier) == (COMPUTE, WRITE, COMPUTE, READ)
    assert (barrier.mips, barrier.layers) == (None, None)
    assert {one.old_layout for before, one in found.barriers("r") if before < 2} == {Layout.UNDEFINED}
    assert suffices(found)
    assert is_needed(found, barrier)
    buffer = compile_frame(frame_of(Case((WRITES, WRITES, compute("r", Usage.STORAGE_READ)), EXACT_1)))
    assert masks(buffer.barrier("r", 1)) == (COMPUTE, WRITE, COMPUTE, WRITE)
    assert suffices(buffer)


EXACT_1: Masks = EXACT["1 dispatch to dispatch"].masks


def test_5_one_barrier_covers_two_buffers() -> None:
    """As in the guide, which takes a barrier of all memory."""
    frame = Frame().buffer("r").buffer("q").node("a", WRITES).node("b", compute("q", Usage.STORAGE_WRITE))
    frame.node("c", compute("r", Usage.STORAGE_READ), compute("q", Usage.STORAGE_READ))
    found = compile_frame(frame, unified=True)
    batch = next(batch for batch in found.sync.even if batch.number == 2)
    assert [(one.resource, masks(one)) for one in batch.barriers] == [("r", EXACT_1), ("q", EXACT_1)]
    (issued,) = batch.issued
    assert issued == MemoryBarrier(*EXACT_1, batch.barriers)
    assert suffices(found)
    assert is_needed(found, issued)


@pytest.mark.parametrize(
    ("number", "writer", "source", "old"),
    [
        (13, DRAWS_DEPTH, (TESTS, DEPTHED), DEPTH),
        (15, DRAWS, (OUTPUT, COLORED), COLOR),
    ],
)
def test_13_and_15_instead_of_input_attachments_the_next_pass_samples(number, writer, source, old) -> None:
    """There are no subpasses. A barrier between two passes stands for the dependency by region."""
    frame = Frame().texture("r", format="d32_sfloat" if number == 13 else "rgba8_unorm").texture("o").sink("o")
    frame.node("write", writer).node("read", fragment("o", Usage.COLOR), fragment("r", Usage.SAMPLED))
    found = compile_frame(frame)
    barrier = found.barrier("r", 1)
    assert masks(barrier) == (*source, FRAGMENT, SAMPLE)
    assert layouts(barrier) == (old, SHOWN)
    assert suffices(found)
    assert is_needed(found, barrier)


def test_18_a_texture_is_drawn_to_again_when_it_has_been_sampled() -> None:
    """The guide's destination is the write; the read beside it is for blending, which needs it."""
    frame = Frame().texture("r").texture("o").node("draw", DRAWS)
    frame.node("read", fragment("r", Usage.SAMPLED), fragment("o", Usage.COLOR))
    frame.node("again", DRAWS, blend="alpha").sink("r")
    found = compile_frame(frame)
    barrier = found.barrier("r", 2)
    assert masks(barrier) == (FRAGMENT, NOTHING, OUTPUT, COLOR_BOTH)
    assert layouts(barrier) == (SHOWN, COLOR)
    assert suffices(found)
    assert is_needed(found, barrier)
    assert not suffices(with_barrier(found, barrier, barrier._replace(dst_access=COLORED)))


def with_barrier(frame: Compiled, old: Barrier, new: Barrier) -> Compiled:
    def changed(ops):
        return tuple(
            replace(op, barriers=tuple(new if one == old else one for one in op.barriers))
            if isinstance(op, BarrierOp)
            else op
            for op in ops
        )

    program = replace(frame.program, even=changed(frame.program.even), odd=changed(frame.program.odd))
    return replace(frame, program=program)


def test_19_a_cleared_depth_buffer_waits_for_its_last_life() -> None:
    """The guide's source is the late tests alone, since depth is stored there. Discarding counts for both here."""
    frame = Frame().texture("r", format="d32_sfloat", clear=(0.0, 0.0, 0.0, 0.0)).node("draw", DRAWS_DEPTH)
    found = compile_frame(frame)
    barrier = found.barrier("r", 0)
    assert masks(barrier) == (TESTS, DEPTHED, TESTS, DEPTH_BOTH)
    assert layouts(barrier) == (Layout.UNDEFINED, DEPTH)
    assert suffices(found)
    assert is_needed(found, barrier)


def test_22_what_the_host_writes_before_it_submits_needs_no_barrier() -> None:
    frame = Frame().buffer("r", external=True).texture("o").sink("o")
    found = compile_frame(frame.node("draw", vertex(Usage.VERTEX), fragment("o", Usage.COLOR)))
    assert found.barriers("r") == []
    assert suffices(found)


def test_23a_a_copy_to_a_texture_begins_from_nothing() -> None:
    """The guide has no source, since its image is new. This one was sampled two frames ago."""
    case = EXACT["23b copy to a texture"]
    found = compile_frame(frame_of(case))
    barrier = found.barrier("r", 0)
    assert masks(barrier) == (FRAGMENT, NOTHING, COPY, Access.TRANSFER_WRITE)
    assert layouts(barrier) == (Layout.UNDEFINED, Layout.TRANSFER_DST)
    assert is_needed(found, barrier)


def test_28_the_screen_is_acquired_and_presented() -> None:
    frame = Frame().texture("r", external=True).node("draw", DRAWS).node("show", fragment("r", Usage.PRESENT))
    found = compile_frame(frame)
    acquire, present = found.barrier("r", 0), found.barrier("r", 1)
    # Again with the read that blending needs.
    assert masks(acquire) == (OUTPUT, NOTHING, OUTPUT, COLOR_BOTH)
    assert layouts(acquire) == (Layout.UNDEFINED, COLOR)
    assert masks(present) == (OUTPUT, COLORED, OUTPUT, NOTHING)
    assert layouts(present) == (COLOR, Layout.PRESENT_SRC)
    assert suffices(found)
    assert is_needed(found, acquire)
    assert is_needed(found, present)


def test_30_a_full_barrier_does_for_all_but_layouts() -> None:
    everything = ACCESSES["MEMORY_READ"] | ACCESSES["MEMORY_WRITE"]
    full = (s.Dependency(ALL_COMMANDS, everything, ALL_COMMANDS, everything),)
    for name, kinds in (("6 dispatch to indices", set()), ("16 colour to fragment shader", {Kind.WRONG_LAYOUT})):
        frame = compile_frame(frame_of(EXACT[name]))
        assert not any(isinstance(op, SetEventOp) for op in frame.program.even)
        stream = plan_stream([frame] * 4)
        items = [replace(item, dependencies=full) if isinstance(item, s.Barrier) else item for item in stream.items]
        found = check(replace(stream, items=tuple(items))).findings
        assert {one.kind for one in found if one.kind is not Kind.UNDEFINED_CONTENT} == kinds
