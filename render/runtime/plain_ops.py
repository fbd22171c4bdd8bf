"""The operations between nodes, as lowering keeps them until they are recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from renderwright.render.compiler.values.operations import BarrierOp, BeginPassOp, SetEventOp, WaitEventOp
from renderwright.render.runtime.checks.texels import CountOp
from renderwright.render.runtime.copied_writes import CopyOp
from renderwright.render.runtime.poison import PoisonOp
from renderwright.render.runtime.resources import CopyKey
from renderwright.render.sync.barriers import ClearOp, MemoryBarrier


@dataclass(frozen=True)
class EndedPass:
    """The end of a pass; whether it is recorded depends on its begin."""

    begin: BeginPassOp


PlainOp = BarrierOp | SetEventOp | WaitEventOp | ClearOp | BeginPassOp | EndedPass | PoisonOp | CountOp | CopyOp


def mentioned(op: PlainOp) -> Iterator[CopyKey]:
    """The copies of resources that an operation names."""
    match op:
        case BarrierOp() | SetEventOp() | WaitEventOp():
            for barrier in op.barriers:
                if not isinstance(barrier, MemoryBarrier):
                    yield barrier.resource, barrier.copy
        case ClearOp():
            yield op.resource, op.copy
        case BeginPassOp():
            yield from ((a.resource, copy) for a, copy in zip(op.attachments, op.copies, strict=True))
        case EndedPass():
            yield from mentioned(op.begin)
        case CountOp():
            yield from ((output.resource, op.copy) for output in op.outputs)
        case CopyOp():
            yield from ((write.resource, op.copy) for write in op.writes)
