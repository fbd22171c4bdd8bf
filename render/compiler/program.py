"""program: the flat lists of what even and odd frames do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from render.compiler.attachments import NodeTargets
from render.compiler.memo import Parts
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


def bodies(targets: NodeTargets, state: StatePlan, parts: Parts | None = None) -> tuple[Body, ...]:
    """What each pass does behind its barriers."""
    # There is an operation for each node, the same ones whatever the nodes are.
    blocks = range(0, len(targets), _BLOCK)
    nodes = list(chain.from_iterable((parts or Parts()).of(_node_ops).all(blocks, blocks)))
    return tuple([_body(targets, nodes, number, item) for number, item in enumerate(state.passes)])


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
    before: dict[int, list[Op]] = {}
    behind: dict[int, list[Op]] = {}
    for batch in batches:
        ops = (behind if batch.behind else before).setdefault(batch.number, [])
        if batch.issued and batch.event >= 0:
            ops.append((SetEventOp if batch.behind else WaitEventOp)(batch.event, batch.issued))
        elif batch.issued:
            ops.append(BarrierOp(batch.issued))
        ops += batch.clears
    found: list[Op] = []
    for number, body in enumerate((*passes, ())):
        if number in starts:
            found.append(SubmissionOp(starts[number]))
        if number in before:
            found += before[number]
        found += body
        if number in behind:
            found += behind[number]
    return tuple(found)


_BLOCK = 64


def _node_ops(first: int) -> tuple[NodeOp, ...]:
    return tuple([NodeOp(node) for node in range(first, first + _BLOCK)])


def _body(targets: NodeTargets, nodes: Sequence[Op], number: int, item: Pass) -> Body:
    first, end = item.first, item.last + 1
    if not item.attachments:
        only = tuple(nodes[first:end])
        return Body(only, only)
    # Nodes at the ends that record nothing stay outside the rendering.
    while targets[first] is None:
        first += 1
    while targets[end - 1] is None:
        end -= 1
    ahead = nodes[item.first : first]
    inside = (*nodes[first:end], EndPassOp(number), *nodes[end : item.last + 1])
    # Attachments are always the frame's own copies; only history reads reach for the others.
    count = len(item.attachments)
    even, odd = [BeginPassOp(number, item.attachments, (parity,) * count, item.views) for parity in (0, 1)]
    return Body((*ahead, even, *inside), (*ahead, odd, *inside))
