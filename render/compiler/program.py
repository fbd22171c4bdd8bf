"""program: the flat lists of what even and odd frames do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from render.compiler.attachments import NodeTargets
from render.compiler.operations import BarrierOp, BeginPassOp, EndPassOp, NodeOp, Op, Program
from render.compiler.stages import BarrierBatch, Pass, StatePlan, SyncPlan


@dataclass(frozen=True)
class Body:
    """The operations of a pass in an even and in an odd frame."""

    even: tuple[Op, ...]
    odd: tuple[Op, ...]


def bodies(targets: NodeTargets, state: StatePlan) -> tuple[Body, ...]:
    """What each pass does behind its barriers."""
    return tuple(_body(targets, number, item) for number, item in enumerate(state.passes))


def program(passes: Sequence[Body], sync: SyncPlan) -> Program:
    """Barriers, clears, passes and nodes in the order of issue; every node appears once."""
    return Program(
        tuple(_frame([body.even for body in passes], sync.even)), tuple(_frame([body.odd for body in passes], sync.odd))
    )


def _frame(passes: Sequence[Sequence[Op]], batches: Sequence[BarrierBatch]) -> Iterator[Op]:
    by_pass: dict[int, list[BarrierBatch]] = {}
    for batch in batches:
        by_pass.setdefault(batch.before, []).append(batch)
    for number, body in enumerate(passes):
        for batch in by_pass.get(number, ()):
            yield from _batch(batch)
        yield from body
    for batch in by_pass.get(len(passes), ()):
        yield from _batch(batch)


def _batch(batch: BarrierBatch) -> Iterator[Op]:
    yield BarrierOp(batch.barriers)
    yield from batch.clears


def _body(targets: NodeTargets, number: int, item: Pass) -> Body:
    nodes: list[Op] = [NodeOp(node) for node in range(item.first, item.last + 1)]
    if not item.attachments:
        return Body(tuple(nodes), tuple(nodes))
    recording = [at for at in range(len(nodes)) if targets[item.first + at] is not None]
    first, end = recording[0], recording[-1] + 1

    def frame(parity: int) -> tuple[Op, ...]:
        # Attachments are always the frame's own copies; only history reads reach for the others. Nodes at the ends
        # that record nothing stay outside the rendering.
        begin = BeginPassOp(number, item.attachments, (parity,) * len(item.attachments))
        return (*nodes[:first], begin, *nodes[first:end], EndPassOp(number), *nodes[end:])

    return Body(frame(0), frame(1))
