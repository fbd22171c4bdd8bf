"""Plans with one barrier less, or a weaker one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ordered_frames import Compiled

from renderwright.render.compiler.values.operations import BarrierOp, Op, SetEventOp, WaitEventOp
from renderwright.render.sync.barriers import BarrierReason, Issued, MemoryBarrier
from renderwright.render.sync.flags import Access, Stage


def mutants(frame: Compiled) -> Iterator[tuple[str, Compiled]]:
    """The frame with one barrier of one parity gone, or with one of its masks empty, in both halves of a split one; and
    without one wait for another queue."""
    for parity in ("even", "odd"):
        ops: tuple[Op, ...] = getattr(frame.program, parity)
        for op in ops:
            for index, barrier in enumerate(op.barriers) if isinstance(op, BarrierOp | WaitEventOp) else ():
                for what, changed in weaker(barrier):
                    program = replace(frame.program, **{parity: tuple(_changed(ops, op, index, changed))})
                    yield f"{parity} {what} {barrier}", replace(frame, program=program)
    submissions = frame.program.submissions
    for number, submission in enumerate(submissions):
        for wait in submission.waits:
            less = replace(submission, waits=tuple(other for other in submission.waits if other != wait))
            program = replace(frame.program, submissions=(*submissions[:number], less, *submissions[number + 1 :]))
            yield f"no wait of submission {number} for {wait}", replace(frame, program=program)
        if submission.cross_frame_waits:
            never = replace(submission, cross_frame_waits=())
            program = replace(frame.program, submissions=(*submissions[:number], never, *submissions[number + 1 :]))
            yield f"no wait of submission {number} for cross-frame work", replace(frame, program=program)


def _changed(
    ops: tuple[Op, ...], changed: BarrierOp | WaitEventOp, index: int, barriers: tuple[Issued, ...]
) -> Iterator[Op]:
    """The operations with another barrier at that place of one of them, and of the other half of its event."""
    for op in ops:
        other_half = isinstance(op, SetEventOp) and isinstance(changed, WaitEventOp) and op.event == changed.event
        if op is changed or other_half:
            assert isinstance(op, BarrierOp | SetEventOp | WaitEventOp)
            yield replace(op, barriers=(*op.barriers[:index], *barriers, *op.barriers[index + 1 :]))
        else:
            yield op


def weaker(barrier: Issued) -> Iterator[tuple[str, tuple[Issued, ...]]]:
    members = barrier.members if isinstance(barrier, MemoryBarrier) else (barrier,)
    yield "dropped", ()
    if barrier.src_stages:
        yield "no source", (barrier._replace(src_stages=Stage.NONE, src_access=Access.NONE),)
    # At the beginning of a life, what had the memory before may have been made available for its own readers.
    after_writes = BarrierReason.WRITE_READ, BarrierReason.WRITE_WRITE
    if barrier.src_access and any(member.src_access and member.reason in after_writes for member in members):
        yield "nothing available", (barrier._replace(src_access=Access.NONE),)
    if barrier.dst_access:
        yield "nothing visible", (barrier._replace(dst_access=Access.NONE),)
