"""The operations between nodes, as lowering keeps them until they are recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from renderwright.render.backend.protocol import AttachedTexture
from renderwright.render.compiler.values.operations import BarrierOp, BeginPassOp, SetEventOp, WaitEventOp
from renderwright.render.runtime.checks.texels import CountOp
from renderwright.render.runtime.copied_writes import CopyOp
from renderwright.render.runtime.poison import PoisonOp
from renderwright.render.runtime.resources import CopyKey
from renderwright.render.sync.barriers import ClearOp, MemoryBarrier
from renderwright.render.types.parts import has_any
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class BegunPass:
    """The begin of a pass, with its targets and its render area. Without the mips that it renders to, it is not
    recorded."""

    op: BeginPassOp
    targets: Sequence[AttachedTexture]
    extent: Extent

    @property
    def draws(self) -> bool:
        """Whether the targets have the mips that the pass renders to."""
        return all(has_any(attachment.part, target.info.mips) for attachment, target, _ in self.targets)


@dataclass(frozen=True)
class EndedPass:
    """The end of a pass; whether it is recorded depends on its begin."""

    begun: BegunPass


PlainOp = BarrierOp | SetEventOp | WaitEventOp | ClearOp | BegunPass | EndedPass | PoisonOp | CountOp | CopyOp


def mentioned(op: PlainOp) -> Iterator[CopyKey]:
    """The copies of resources that an operation names."""
    match op:
        case BarrierOp() | SetEventOp() | WaitEventOp():
            for barrier in op.barriers:
                if not isinstance(barrier, MemoryBarrier):
                    yield barrier.resource, barrier.copy
        case ClearOp():
            yield op.resource, op.copy
        case BegunPass():
            yield from ((a.resource, copy) for a, copy in zip(op.op.attachments, op.op.copies, strict=True))
        case EndedPass():
            yield from mentioned(op.begun)
        case CountOp():
            yield from ((output.resource, op.copy) for output in op.outputs)
        case CopyOp():
            yield from ((write.resource, op.copy) for write in op.writes)
