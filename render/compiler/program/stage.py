"""program: the flat operations of an even and of an odd frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.operations import (
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
from renderwright.render.compiler.values.passes import Pass, PassPlan
from renderwright.render.sync.barriers import BarrierBatch, SyncPlan


def program(graph: InstanceGraph, pass_plan: PassPlan, sync: SyncPlan, submissions: Sequence[Submission]) -> Program:
    """Barriers, clears, passes and nodes in the order of issue; every node appears once."""
    even, odd = (
        tuple(_frame(graph.nodes, pass_plan.passes, batches, submissions, parity))
        for parity, batches in enumerate((sync.even, sync.odd))
    )
    return Program(even, odd, tuple(submissions))


def _frame(
    nodes: Sequence[NodeInstance],
    passes: Sequence[Pass],
    batches: Sequence[BarrierBatch],
    submissions: Sequence[Submission],
    parity: int,
) -> Iterator[Op]:
    """The operations of an even (0) or an odd (1) frame; batches with the number ``len(passes)`` end it."""
    several = len(submissions) > 1
    begins = {item.first: number for number, item in enumerate(submissions)} if several else {}
    batches_of = {number: list(found) for number, found in groupby(batches, attrgetter("number"))}
    for number in range(len(passes) + 1):
        if number in begins:
            yield SubmissionOp(begins[number])
        own = batches_of.get(number, ())
        for batch in own:
            if not batch.behind:
                yield from _barriers(batch)
        if number < len(passes):
            yield from _pass(nodes, number, passes[number], parity)
        for batch in own:
            if batch.behind:
                yield from _barriers(batch)


def _barriers(batch: BarrierBatch) -> Iterator[Op]:
    """A batch's barriers, as one half of split barriers if it has an event, and the clears that follow them."""
    if batch.issued:
        if batch.event < 0:
            yield BarrierOp(batch.issued)
        elif batch.behind:
            yield SetEventOp(batch.event, batch.issued)
        else:
            yield WaitEventOp(batch.event, batch.issued)
    yield from batch.clears


def _pass(nodes: Sequence[NodeInstance], number: int, item: Pass, parity: int) -> list[Op]:
    """The nodes of a pass, and its rendering around those that record commands.

    Attachments are always the frame's own copies; only history reads use the copies of the other parity.
    """
    ops: list[Op] = [NodeOp(node) for node in range(item.first, item.last + 1)]
    if item.attachments:
        recording = [place for place in range(len(ops)) if nodes[item.first + place].records]
        copies = (parity,) * len(item.attachments)
        ops.insert(recording[-1] + 1, EndPassOp(number))
        ops.insert(recording[0], BeginPassOp(number, item.attachments, copies, item.views))
    return ops
