"""The operations between nodes, as lowering keeps them until they are recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from renderwright.render.backend.protocol import AttachedTexture
from renderwright.render.compiler.values.operations import BarrierOp, SetEventOp, WaitEventOp
from renderwright.render.runtime.checks.poison import PoisonOp
from renderwright.render.runtime.checks.texels import CountOp
from renderwright.render.runtime.lowering.copied_writes import CopyOp
from renderwright.render.runtime.memory.resources import CopyKey
from renderwright.render.sync.barriers import ClearOp, MemoryBarrier
from renderwright.render.types.parts import has_any
from renderwright.render.types.physical import Physical
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class BegunPass:
    """The begin of a pass: its targets, and the copies that these are, its render area, and the views drawn at once.

    Without the mips that it renders to, it is not recorded.
    """

    targets: tuple[AttachedTexture, ...]
    copies: tuple[CopyKey, ...]
    extent: Extent
    views: int

    @property
    def draws(self) -> bool:
        """Whether the targets have the mips that the pass renders to."""
        return all(has_any(attachment.part, target.info.mips) for attachment, target, _ in self.targets)


@dataclass(frozen=True)
class EndedPass:
    """The end of a pass; whether it is recorded depends on its begin."""

    begun: BegunPass


PlainOp = BarrierOp | SetEventOp | WaitEventOp | ClearOp | BegunPass | EndedPass | PoisonOp | CountOp | CopyOp


class OpListKey(NamedTuple):
    """What an op list is recorded from: a slot's lists with the same key have the same calls.

    These are the end of the timestamps of the node before (first query and views; None for none), the operations in
    between with the ``physicals`` that they name, and the first query of the node behind them, -1 for none.
    """

    queue: str
    ended: tuple[int, int] | None
    ops: tuple[PlainOp, ...]
    physicals: tuple[Physical, ...]
    stamp: int


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
            yield from op.copies
        case EndedPass():
            yield from mentioned(op.begun)
        case CountOp():
            yield from ((output.resource, op.copy) for output in op.outputs)
        case CopyOp():
            yield from ((write.resource, op.copy) for write in op.writes)
