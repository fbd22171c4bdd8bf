"""The operations of a frame's program."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render.sync.barriers import ClearOp, Issued
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.attachments import Attachment


@dataclass(frozen=True, slots=True)
class BarrierOp:
    """Issue the barriers."""

    barriers: tuple[Issued, ...]


@dataclass(frozen=True, slots=True)
class SetEventOp:
    """Set the event: the first half of split barriers."""

    event: int
    barriers: tuple[Issued, ...]


@dataclass(frozen=True, slots=True)
class WaitEventOp:
    """Wait for the event: the second half of split barriers. Both halves have the same barriers."""

    event: int
    barriers: tuple[Issued, ...]


@dataclass(frozen=True, slots=True)
class Submission:
    """One submission to a queue: the passes from number ``first`` up to the first pass of the next submission.

    It waits for the submissions with the numbers ``waits``, which belong to the same frame and to other queues.
    ``cross_frame`` is the number of the cross-frame work (``QueuePlan.cross_frame_work``) in it, -1 for none.
    ``cross_frame_waits`` are the numbers of the cross-frame work of the previous frame that it waits for.
    """

    queue: str
    first: int
    waits: tuple[int, ...] = ()
    cross_frame: int = -1
    cross_frame_waits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SubmissionOp:
    """Submission ``number`` of the program begins here. A frame with a single submission has no such operation."""

    number: int


@dataclass(frozen=True, slots=True)
class BeginPassOp:
    """Begin rendering to the attachments of pass ``number``; ``Plan.extents`` gives the size.

    ``copies`` has the copy of each attachment: 0 (even) or 1 (odd). ``views`` is the number of views that are drawn at
    once, each to its own layer.
    """

    number: int
    attachments: tuple[Attachment, ...]
    copies: tuple[int, ...]
    views: int = 1


@dataclass(frozen=True, slots=True)
class EndPassOp:
    """End rendering."""

    number: int


@dataclass(frozen=True, slots=True)
class NodeOp:
    """Run node number ``node`` (its position in the order)."""

    node: int


Op = BarrierOp | SetEventOp | WaitEventOp | ClearOp | BeginPassOp | EndPassOp | NodeOp | SubmissionOp


@dataclass(frozen=True, slots=True)
class Program:
    """The flat operations of an even and of an odd frame, and the submissions of both, in order."""

    even: tuple[Op, ...]
    odd: tuple[Op, ...]
    submissions: tuple[Submission, ...] = (Submission(GRAPHICS, 0),)


NO_OPERATIONS = Program((), ())
