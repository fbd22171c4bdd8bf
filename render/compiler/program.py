"""program: the flat lists of what even and odd frames do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from render.compiler.attachments import NodeTargets
from render.compiler.operations import (
    BarrierOp,
    BeginPassOp,
    EndPassOp,
    NodeOp,
    Op,
    Program,
    SetEventOp,
    Submission,
    SubmissionOp,
    WaitEventOp,
)
from render.compiler.stages import Pass, StatePlan
from render.sync.barriers import BarrierBatch, SyncPlan


@dataclass(frozen=True)
class Body:
    """The operations of a pass in an even and in an odd frame."""

    even: tuple[Op, ...]
    odd: tuple[Op, ...]


def bodies(targets: NodeTargets, state: StatePlan) -> tuple[Body, ...]:
    """What each pass does behind its barriers."""
    return tuple(_body(targets, number, item) for number, item in enumerate(state.passes))


def program(passes: Sequence[Body], sync: SyncPlan, submissions: Sequence[Submission]) -> Program:
    """Barriers, clears, passes and nodes in the order of issue; every node appears once."""
    return Program(
        _frame([body.even for body in passes], sync.even, submissions),
        _frame([body.odd for body in passes], sync.odd, submissions),
        tuple(submissions),
    )


def _frame(
    passes: Sequence[Sequence[Op]], batches: Sequence[BarrierBatch], submissions: Sequence[Submission]
) -> tuple[Op, ...]:
    starts = {item.first: number for number, item in enumerate(submissions)} if len(submissions) > 1 else {}
    before: list[list[Op]] = [[] for _ in range(len(passes) + 1)]
    behind: list[list[Op]] = [[] for _ in range(len(passes) + 1)]
    for batch in batches:
        ops = (behind if batch.behind else before)[batch.number]
        if batch.event >= 0:
            ops.append((SetEventOp if batch.behind else WaitEventOp)(batch.event, batch.barriers))
        elif batch.barriers:
            ops.append(BarrierOp(batch.barriers))
        ops += batch.clears
    found: list[Op] = []
    for number, body in enumerate((*passes, ())):
        if number in starts:
            found.append(SubmissionOp(starts[number]))
        found += before[number]
        found += body
        found += behind[number]
    return tuple(found)


def _body(targets: NodeTargets, number: int, item: Pass) -> Body:
    nodes: list[Op] = [NodeOp(node) for node in range(item.first, item.last + 1)]
    if not item.attachments:
        return Body(tuple(nodes), tuple(nodes))
    recording = [at for at in range(len(nodes)) if targets[item.first + at] is not None]
    first, end = recording[0], recording[-1] + 1

    def frame(parity: int) -> tuple[Op, ...]:
        # Attachments are always the frame's own copies; only history reads reach for the others. Nodes at the ends
        # that record nothing stay outside the rendering.
        begin = BeginPassOp(number, item.attachments, (parity,) * len(item.attachments), item.views)
        return (*nodes[:first], begin, *nodes[first:end], EndPassOp(number), *nodes[end:])

    return Body(frame(0), frame(1))
