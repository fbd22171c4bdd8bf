"""The operations of a program: what a frame does, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from renderwright.render.sync.barriers import ClearOp, Issued
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.attachments import Attachment


class BarrierOp(NamedTuple):
    """Issue the barriers."""

    barriers: tuple[Issued, ...]


class SetEventOp(NamedTuple):
    """Set the event, the first half of split barriers."""

    event: int
    barriers: tuple[Issued, ...]


class WaitEventOp(NamedTuple):
    """Wait for the event, the second half of the same barriers."""

    event: int
    barriers: tuple[Issued, ...]


@dataclass(frozen=True)
class Submission:
    """What goes to a queue at once: the passes from number ``first`` on, up to the next submission's.

    It begins when the submissions with the numbers ``waits`` have finished, all of the frame and of other queues.
    ``late`` is the number of the late work (``QueuePlan.late``) that is in it, -1 for none; ``joins`` are the numbers
    of the last frame's late work that has to have finished as well.
    """

    queue: str
    first: int
    waits: tuple[int, ...] = ()
    late: int = -1
    joins: tuple[int, ...] = ()


@dataclass(frozen=True)
class SubmissionOp:
    """What follows belongs to submission ``number`` of the program; a frame of a single one has no such operation."""

    number: int


class BeginPassOp(NamedTuple):
    """Begin rendering to the pass's attachments; ``copies`` gives the copy of each, ``Plan.extents`` the size.

    So many ``views`` are drawn at once, each to a layer of its own.
    """

    number: int
    attachments: tuple[Attachment, ...]
    copies: tuple[int, ...]
    views: int = 1


@dataclass(frozen=True)
class EndPassOp:
    """End rendering."""

    number: int


@dataclass(frozen=True)
class NodeOp:
    """Run node number ``node`` (its position in the order)."""

    node: int


Op = BarrierOp | SetEventOp | WaitEventOp | ClearOp | BeginPassOp | EndPassOp | NodeOp | SubmissionOp


@dataclass(frozen=True)
class Program:
    """The flat lists of what an even and an odd frame do, and the submissions that both consist of, in order."""

    even: tuple[Op, ...]
    odd: tuple[Op, ...]
    submissions: tuple[Submission, ...] = (Submission(GRAPHICS, 0),)
