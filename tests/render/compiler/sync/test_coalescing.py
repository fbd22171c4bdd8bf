"""Barriers that change neither layout nor owner: which of them become one, and what stands for what."""

from __future__ import annotations

from dataclasses import replace

from ordered_frames import Compiled, Frame, compile_frame, compute, fragment

from renderwright.render.compiler.sync.coalescing import coalesce
from renderwright.render.compiler.values.operations import SetEventOp
from renderwright.render.graph.requests import EVERY_FRAME, Rate
from renderwright.render.sync.barriers import (
    Barrier,
    BarrierBatch,
    BarrierReason,
    ClearOp,
    Issued,
    MemoryBarrier,
    Split,
)
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.usages import Usage

COMPUTE, FRAGMENT, INDIRECT = Stage.COMPUTE_SHADER, Stage.FRAGMENT_SHADER, Stage.DRAW_INDIRECT
COLOR_OUT = Stage.COLOR_ATTACHMENT_OUTPUT
STORE, LOAD, SAMPLE = Access.SHADER_STORAGE_WRITE, Access.SHADER_STORAGE_READ, Access.SHADER_SAMPLED_READ


def united(frame: Frame, *, split: bool = False) -> Compiled:
    """The frame with textures in the general layout."""
    return compile_frame(frame, split=split, unified=True)


def stored(name: str):
    return compute(name, Usage.STORAGE_WRITE)


def loaded(name: str):
    return compute(name, Usage.STORAGE_READ)


def issued(compiled: Compiled, before: int) -> tuple[Issued, ...]:
    """What an even frame issues in front of a pass."""
    return tuple(one for batch in compiled.sync.even if batch.number == before for one in batch.issued)


def masks(barrier: Issued) -> tuple[Stage, Access, Stage, Access]:
    return barrier[:4] if isinstance(barrier, MemoryBarrier) else barrier[2:6]


def names(barrier: Issued) -> list[str]:
    members = barrier.members if isinstance(barrier, MemoryBarrier) else (barrier,)
    return [member.resource for member in members]


def buffers(*of: str) -> Frame:
    frame = Frame()
    for name in of:
        frame.buffer(name)
    return frame


def test_what_stands_for_itself_alone_names_its_resource() -> None:
    found = united(buffers("a").node("write", stored("a")).node("read", loaded("a")))
    (barrier,) = issued(found, 1)
    assert isinstance(barrier, Barrier)
    assert found.sync.even[-1].barriers == (barrier,)


def test_one_source_has_all_its_destinations() -> None:
    frame = buffers("a", "b").texture("o").node("write", stored("a"), stored("b"))
    frame.node("draw", fragment("o", Usage.COLOR), fragment("a", Usage.INDIRECT), fragment("b", Usage.STORAGE_READ))
    memory, opening = issued(united(frame), 1)
    assert masks(memory) == (COMPUTE, STORE, INDIRECT | FRAGMENT, Access.INDIRECT_COMMAND_READ | LOAD)
    assert names(memory) == ["a", "b"]
    assert isinstance(opening, Barrier)
    assert opening.resource == "o"


def test_one_destination_has_all_its_sources() -> None:
    frame = buffers("a", "b").texture("o").node("write", stored("a"))
    frame.node("draw", fragment("o", Usage.COLOR), fragment("b", Usage.STORAGE_WRITE))
    frame.node("read", loaded("a"), loaded("b"))
    (memory,) = issued(united(frame), 2)
    assert masks(memory) == (COMPUTE | FRAGMENT, STORE, COMPUTE, LOAD)
    assert names(memory) == ["a", "b"]


def test_what_would_order_more_stays_apart() -> None:
    """The fragment shader's work need not wait for the other dispatch, nor the dispatch for the fragment shader."""
    frame = buffers("a", "b").texture("o").texture("p").node("write", stored("a"))
    frame.node("draw", fragment("o", Usage.COLOR), fragment("b", Usage.STORAGE_WRITE))
    frame.node("both", fragment("p", Usage.COLOR), fragment("b", Usage.INDIRECT), fragment("a", Usage.STORAGE_READ))
    found = [one for one in issued(united(frame), 2) if one.resource != "p"]
    assert [(names(one), masks(one)) for one in found] == [
        (["a"], (COMPUTE, STORE, FRAGMENT, LOAD)),
        (["b"], (FRAGMENT, STORE, INDIRECT, Access.INDIRECT_COMMAND_READ)),
    ]


def test_a_barrier_stands_for_later_ones_whose_sources_it_has_waited_for() -> None:
    frame = buffers("a", "b").node("write", stored("a"), stored("b"))
    frame.node("first", loaded("a")).node("second", loaded("b"))
    found = united(frame)
    (memory,) = issued(found, 1)
    assert names(memory) == ["a", "b"]
    assert issued(found, 2) == ()
    # The plan still says what `second` waits for, and why.
    assert found.barrier("b", 2) == memory.members[1]
    assert found.barrier("b", 2).reason is BarrierReason.WRITE_READ


def test_a_barrier_does_not_stand_for_what_was_written_since() -> None:
    frame = buffers("a", "b").node("write", stored("a")).node("first", loaded("a"), stored("b"))
    found = united(frame.node("second", loaded("b")))
    assert issued(found, 2) == (found.barrier("b", 2),)


def test_a_barrier_does_not_stand_for_other_stages() -> None:
    frame = buffers("a", "b").texture("o").node("write", stored("a"), stored("b")).node("first", loaded("a"))
    found = united(frame.node("draw", fragment("o", Usage.COLOR), fragment("b", Usage.INDIRECT)))
    assert [names(one) for one in issued(found, 2)] == [["b"], ["o"]]


def test_where_one_stands_for_it_nothing_is_split() -> None:
    frame = buffers("a", "b").node("write", stored("a"), stored("b")).node("first", loaded("a"))
    frame.node("between", loaded("a")).node("last", loaded("b"))
    found = united(frame, split=True)
    assert not any(isinstance(op, SetEventOp) for op in found.program.even)
    assert [names(one) for one in issued(found, 1)] == [["a", "b"]]
    assert issued(found, 3) == ()


def test_textures_that_stay_in_their_layout_are_united() -> None:
    frame = Frame()
    for name in "ab":
        frame.texture(name)
    frame.node("write", stored("a"), stored("b")).node("add", compute("a", Usage.STORAGE), compute("b", Usage.STORAGE))
    (memory,) = issued(united(frame), 1)
    assert masks(memory) == (COMPUTE, STORE, COMPUTE, STORE | LOAD)
    assert names(memory) == ["a", "b"]


def test_buffers_that_take_over_memory_are_united() -> None:
    frame = buffers("a", "b", "c", "d").node("one", stored("a"), stored("b")).node("read", loaded("a"), loaded("b"))
    found = united(frame.node("two", stored("c"), stored("d")).node("again", loaded("c"), loaded("d")))
    (memory,) = issued(found, 2)
    assert names(memory) == ["c", "d"]
    assert {member.reason for member in memory.members} == {BarrierReason.HANDOVER}


def test_where_each_usage_has_its_layout_barriers_stay_as_they_are() -> None:
    frame = buffers("a", "b").node("write", stored("a"), stored("b")).node("read", loaded("a"), loaded("b"))
    assert [names(one) for one in issued(compile_frame(frame), 1)] == [["a"], ["b"]]


def test_what_the_pipeline_orders_anyway_does_not_keep_barriers_apart() -> None:
    """The fragment shader waits for what the pass before has drawn, whose own shader is done by then: that the next
    target was sampled by it adds nothing."""
    frame = Frame()
    for name in ("a", "b"):
        frame.texture(name)
    frame.node("one", fragment("a", Usage.COLOR)).node("two", fragment("b", Usage.COLOR), fragment("a", Usage.SAMPLED))
    frame.node("three", fragment("a", Usage.COLOR), fragment("b", Usage.SAMPLED))
    (memory,) = issued(united(frame), 2)
    assert masks(memory)[0] == COLOR_OUT | FRAGMENT
    assert masks(memory)[2] == COLOR_OUT | FRAGMENT
    assert sorted(names(memory)) == ["a", "b"]


def test_a_wait_without_accesses_is_part_of_one_for_a_later_stage() -> None:
    """`a` is overwritten when it has been read; who waits for what the reader has drawn waits for its reads, too."""
    frame = Frame()
    for name in ("a", "b", "c"):
        frame.texture(name)
    frame.node("one", fragment("a", Usage.COLOR)).node("two", fragment("b", Usage.COLOR), fragment("a", Usage.SAMPLED))
    frame.node("three", fragment("c", Usage.COLOR), fragment("b", Usage.SAMPLED))
    frame.node("four", fragment("a", Usage.COLOR), fragment("c", Usage.SAMPLED))
    assert all(isinstance(one, MemoryBarrier) or one.resource != "a" for one in issued(united(frame), 3))


def test_several_stand_for_one_behind_another() -> None:
    """`last` samples what `draw` drew: `between` has waited for that, and `show` for `between`."""
    frame = Frame()
    for name in ("x", "y", "z", "o", "p"):
        frame.texture(name)
    frame.node("draw", fragment("x", Usage.COLOR), fragment("y", Usage.COLOR))
    frame.node("between", compute("x", Usage.SAMPLED), stored("z"))
    frame.node("show", fragment("o", Usage.COLOR), fragment("z", Usage.SAMPLED))
    frame.node("last", fragment("p", Usage.COLOR), fragment("y", Usage.SAMPLED))
    found = united(frame)
    first = next(one for one in issued(found, 1) if "x" in names(one))
    second = next(one for one in issued(found, 2) if "z" in names(one))
    assert isinstance(first, MemoryBarrier)
    assert isinstance(second, MemoryBarrier)
    assert (names(first), names(second)) == (["x"], ["z", "y"])
    assert [names(one) for one in issued(found, 3)] == [["p"]]


def copies_apart(*, rate: Rate = EVERY_FRAME) -> Compiled:
    """Even and odd frames each write a copy of their own; there is one more node with a ``rate``."""
    graph = buffers("a").node("write", stored("a")).node("read", loaded("a")).node("other").graph()
    *nodes, other = graph.nodes
    other = replace(other, declaration=replace(other.declaration, rate=rate))
    return compile_frame(replace(graph, nodes=(*nodes, other)), alias=False, unified=True)


def test_a_frame_counts_on_the_barriers_of_the_one_before() -> None:
    """What an odd frame waits for before it writes its copy holds for the last readers of the other one, too, which
    were in the frame before that."""
    found = copies_apart()
    assert issued(found, 0) == ()
    (memory,) = (one for batch in found.sync.odd if batch.number == 0 for one in batch.issued)
    assert isinstance(memory, MemoryBarrier)
    assert {(member.resource, member.copy) for member in memory.members} == {("a", 0), ("a", 1)}


def test_where_nodes_rest_no_frame_counts_on_the_one_before() -> None:
    assert [names(one) for one in issued(copies_apart(rate=Rate(every=2)), 0)] == [["a"]]


def test_a_frame_counts_on_the_barriers_of_the_same_queue_alone() -> None:
    """Even frames wait in front of the first of two passes, odd ones in front of the second."""
    wait = plain("x", COMPUTE, Access.NONE, COMPUTE, Access.NONE)
    even, odd = (BarrierBatch(number, (wait,), waited=(number - 6,), issued=(wait,)) for number in (0, 1))
    for queue, waits in ((GRAPHICS, 1), ("compute", 2)):
        frames = coalesce(((even,), (odd,)), [GRAPHICS, queue], periodic=True)
        assert sum(len(batch.issued) for frame in frames for batch in frame) == waits


def test_what_comes_behind_a_clear_command_does_not_stand_for_what_that_waits_for() -> None:
    clear, copy = (
        plain(name, Stage.COPY, Access.NONE, targets, Access.TRANSFER_WRITE)
        for name, targets in (("x", Stage.CLEAR), ("y", Stage.COPY | Stage.CLEAR))
    )
    front = BarrierBatch(0, (clear,), (ClearOp("x", 0, (0.0, 0.0, 0.0, 0.0)),), waited=(-1,), issued=(clear,))
    behind = BarrierBatch(0, (copy,), waited=(-1,), issued=(copy,))
    even, odd = coalesce(((front, behind), (front, behind)), [GRAPHICS], periodic=True)
    assert even[0].issued == odd[0].issued == (clear,)


def plain(name: str, *masks: Stage | Access) -> Barrier:
    """A barrier of a buffer."""
    layouts = Layout.UNDEFINED, Layout.UNDEFINED
    return Barrier(name, 0, *masks, *layouts, BarrierReason.HANDOVER, Split.FIRST_USE)
