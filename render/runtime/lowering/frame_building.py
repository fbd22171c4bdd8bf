"""A lowered frame under construction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.protocol import Backend, Recorder
from renderwright.render.compiler.values.operations import Submission
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.lowering.lowered import Given, LoweredFrame, LoweredNode, LoweredSubmission
from renderwright.render.runtime.lowering.node_run import NodeRun
from renderwright.render.runtime.lowering.plain_ops import BegunPass, OpListKey, PlainOp
from renderwright.render.runtime.lowering.segments import LoweredItem, Segment, new_segment
from renderwright.render.runtime.times.gpu_clock import TimedNode
from renderwright.render.types.resources import Extent

MOST_ITEMS = 64
"""Of a segment of lasting nodes. All of them are recorded anew when one of them is another one."""


class Share(Enum):
    """Which groups of items share a segment: consecutive ones that are LASTING, or that are RECORDED in each frame.

    A group that changes now and then has a segment for ITSELF.
    """

    LASTING = auto()
    RECORDED = auto()
    ITSELF = auto()

    @classmethod
    def of(cls, group: Sequence[LoweredItem]) -> Share:
        """What the nodes of a group allow."""
        runs = [item for item in group if isinstance(item, NodeRun)]
        if all(item.lasting for item in runs):
            return cls.LASTING
        return cls.RECORDED if any(item.recorded_always for item in runs) else cls.ITSELF


@dataclass
class FrameBuilding:
    """A lowered frame under construction. Its parts may be those of ``like``, another frame of the plan and slot. What
    has no users any more is not reused: between two steps of a frame that is lowered ahead, the others may be
    destroyed.

    ``items`` belong to the group that is under construction, ``finished_items`` to finished groups without a segment.
    ``waiting`` are the operations since the last op list, ``ended`` is the query and view count of the last node's
    second timestamp, if that is still to be written. ``begun`` is the last pass, which is open while ``extent`` is set.
    """

    backend: Backend
    recorder: Recorder
    slot: int
    given: Given
    like: LoweredFrame | None
    submission: Submission
    submissions: list[LoweredSubmission] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    items: list[LoweredItem] = field(default_factory=list)
    finished_items: list[LoweredItem] = field(default_factory=list)
    share: Share = Share.LASTING
    timed: list[TimedNode] = field(default_factory=list)
    nodes: dict[str, LoweredNode] = field(default_factory=dict)
    runs: dict[str, NodeRun] = field(default_factory=dict)
    op_lists: dict[OpListKey, OpList] = field(default_factory=dict)
    failures: list[NodeFailure] = field(default_factory=list)
    waiting: list[PlainOp] = field(default_factory=list)
    ended: tuple[int, int] | None = None
    begun: BegunPass | None = None
    extent: Extent | None = None
    views: int = 1

    def __post_init__(self) -> None:
        before = self.like.segments if self.like is not None else ()
        self._before = {segment.items: segment for segment in before}

    def enter(self, submission: Submission) -> None:
        """Begin the next submission."""
        self.leave()
        self.submission = submission
        self.recorder = self.backend.recorder(self.slot, submission.queue)

    def leave(self) -> None:
        """End the current submission."""
        self.end_group()
        self._end_segment()
        self.submissions.append(LoweredSubmission(self.submission, tuple(self.segments)))
        self.segments = []

    def end_group(self) -> None:
        """The items so far begin and end outside of a pass. They may share a segment with the groups before them."""
        group, self.items = self.items, []
        if not group:
            return
        share = Share.of(group)
        full = share is Share.LASTING and len(self.finished_items) + len(group) > MOST_ITEMS
        if share is Share.ITSELF or share is not self.share or full:
            self._end_segment()
        self.share = share
        self.finished_items += group

    def _end_segment(self) -> None:
        """Make a segment of the finished groups, or take over that of ``like`` with the same items."""
        items, self.finished_items = tuple(self.finished_items), []
        if not items:
            return
        before = self._before.pop(items, None)
        if before is not None and before.users:
            before.users += 1
            self.segments.append(before)
            return
        self.segments.append(new_segment(items, self.backend, self.slot, self.submission.queue))

    def drop(self) -> None:
        """Release what the unfinished frame uses."""
        self.recorder.take()
        self.submissions.append(LoweredSubmission(self.submission, tuple(self.segments)))
        self.finished().destroy(self.backend)

    def finished(self) -> LoweredFrame:
        """The frame."""
        return LoweredFrame(
            tuple(self.submissions),
            tuple(self.timed),
            tuple(self.failures),
            self.nodes,
            self.runs,
            self.op_lists,
        )
