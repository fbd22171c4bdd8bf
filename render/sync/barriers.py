"""The barriers of a frame as values, for plans, reports and backends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.images import NO_REUSE, ImageReuse
from renderwright.render.sync.layouts import SEPARATE, Layouts
from renderwright.render.types.parts import WHOLE, Part, Span
from renderwright.render.types.resources import ClearValue


class BarrierReason(StrEnum):
    """Why there is a barrier.

    A *first-use barrier* stands in front of a copy's first use in a frame. It is a HANDOVER if another resource has
    memory in common with the copy, else an ACTIVATE.
    """

    ACTIVATE = "first use in the frame: contents are discarded"
    HANDOVER = "takes over memory from another resource"
    WRITE_READ = "written, then read"
    WRITE_WRITE = "written, then written again"
    READ_WRITE = "read, then written"
    LAYOUT = "read in another layout"
    ACQUIRE = "comes from outside the frame"
    PRESENT = "handed out of the frame"


class Split(StrEnum):
    """Whether a barrier is split into setting an event and waiting for it, or why not."""

    SPLIT = "split: other work runs in between"
    ADJACENT = "not split: nothing runs in between"
    FRAME_END = "not split: it stands at the end of the frame"
    NO_EVENTS = "not split: the copy queue has no events"
    SHORT = "not split: too little work runs in between to be worth an event"
    FRAMES = "not split: what it waits for ran in another frame"
    FIRST_USE = "not split: it waits for all earlier users of the memory"
    OUTLIVES_FRAME = "not split: the resource is there before the frame and after it"
    HOST = "not split: no event stands for the host"
    QUEUES = "not split: the other queue is waited for with a semaphore"
    OFF = "not split: switched off"


@dataclass(frozen=True)
class Splitting:
    """Barriers are split where more work than ``above`` runs in between, in microseconds; infinity splits none.

    ``costs`` are measured GPU times by node name, sorted. Without any, a node's hint of 1 stands for ``UNMEASURED``.
    """

    above: float = 100.0
    costs: tuple[tuple[str, float], ...] = ()

    UNMEASURED = 20.0


class Barrier(NamedTuple):
    """One dependency on one copy of one resource; ``copy`` is 0 (even) or 1 (odd).

    ``new_layout`` is UNDEFINED for buffers. An ``old_layout`` of UNDEFINED discards an image's contents. ``owners`` are
    the queues (from, to) of an ownership transfer, which one barrier releases and another one acquires. ``mips`` and
    ``layers`` are (first, count) of an image; None stands for all.
    """

    resource: str
    copy: int
    src_stages: Stage
    src_access: Access
    dst_stages: Stage
    dst_access: Access
    old_layout: Layout
    new_layout: Layout
    reason: BarrierReason
    split: Split = Split.ADJACENT
    owners: tuple[str, str] | None = None
    mips: Span | None = None
    layers: Span | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it changes neither layout nor owner, so that a global memory barrier can replace it."""
        return self.old_layout is self.new_layout and self.owners is None


class MemoryBarrier(NamedTuple):
    """A global memory barrier in place of the barriers ``members``, some of which may belong to later batches or to the
    next frame."""

    src_stages: Stage
    src_access: Access
    dst_stages: Stage
    dst_access: Access
    members: tuple[Barrier, ...]


Issued = Barrier | MemoryBarrier
"""A barrier as the device gets it."""


class ClearOp(NamedTuple):
    """Clear a created texture, or a ``part`` of it, that no attachment load can clear."""

    resource: str
    copy: int
    value: ClearValue
    part: Part = WHOLE


class BarrierBatch(NamedTuple):
    """Barriers that are issued together, in front of pass number ``number`` (== len(passes) after the last one) or
    right ``behind`` it, on the pass's queue.

    ``clears`` follow the barriers; barriers that wait for them are in a second batch with the same ``number``. With an
    ``event`` (a number, -1 for none) the batch is one half of split barriers: it sets the event when it stands behind a
    pass, and waits for it when it stands in front of one; both halves have the same barriers.

    ``waited`` has for each barrier the number of the pass that it waits for last: a negative one counts back from the
    frame's first pass, the end of a frame being a pass of its own; ``number`` if that is not known. The device gets the
    ``issued`` barriers: a global memory barrier may replace several plain ones, of this batch, of later ones and of the
    next frame.
    """

    number: int
    barriers: tuple[Barrier, ...]
    clears: tuple[ClearOp, ...] = ()
    behind: bool = False
    event: int = -1
    waited: tuple[int, ...] = ()
    issued: tuple[Issued, ...] = ()

    @property
    def sets(self) -> bool:
        """Whether this only sets an event, so that nothing waits yet."""
        return self.behind and self.event >= 0


Frames = tuple[tuple[BarrierBatch, ...], tuple[BarrierBatch, ...]]
"""The batches of an even frame and of an odd one."""


@dataclass(frozen=True)
class SyncPlan:
    """The barrier batches of an even and of an odd frame.

    ``layouts_left`` gives, by resource id, the layout in which a frame leaves its own copy of each texture: history
    readers of the next frame and readers outside the frame start from it. ``concurrent`` are the resources (by id) that
    several queues use at once, so that no queue owns them. ``splitting`` says which barriers are split, ``layouts`` in
    which layouts textures are used, and ``image_reuse`` which of them are one image in turn.
    """

    even: tuple[BarrierBatch, ...]
    odd: tuple[BarrierBatch, ...]
    layouts_left: tuple[tuple[str, Layout], ...] = ()
    concurrent: frozenset[str] = frozenset()
    splitting: Splitting = Splitting()
    layouts: Layouts = SEPARATE
    image_reuse: ImageReuse = NO_REUSE

    @property
    def events(self) -> int:
        """The number of events that a frame needs at most."""
        return 1 + max((batch.event for batch in (*self.even, *self.odd)), default=-1)


NO_SYNC = SyncPlan((), ())
