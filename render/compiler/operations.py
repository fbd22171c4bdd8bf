"""The operations of a program: what a frame does, in order."""

from __future__ import annotations

from dataclasses import dataclass

from render.compiler.stages import Attachment, Barrier, ClearOp


@dataclass(frozen=True)
class BarrierOp:
    """Issue the barriers."""

    barriers: tuple[Barrier, ...]


@dataclass(frozen=True)
class BeginPassOp:
    """Begin rendering to the pass's attachments; ``copies`` gives the copy of each, ``Plan.extents`` the size."""

    number: int
    attachments: tuple[Attachment, ...]
    copies: tuple[int, ...]


@dataclass(frozen=True)
class EndPassOp:
    """End rendering."""

    number: int


@dataclass(frozen=True)
class NodeOp:
    """Run node number ``node`` (its position in the order)."""

    node: int


Op = BarrierOp | ClearOp | BeginPassOp | EndPassOp | NodeOp


@dataclass(frozen=True)
class Program:
    """The flat lists of what an even and an odd frame do."""

    even: tuple[Op, ...]
    odd: tuple[Op, ...]
