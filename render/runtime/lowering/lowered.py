"""A lowered frame of a plan: prepared op lists, and nodes ready to execute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field

from renderwright.render.backend.command_buffers import OpList, QueuedCommands
from renderwright.render.backend.protocol import Backend
from renderwright.render.compiler.values.operations import Submission
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.graph.declare import DeclaredNode
from renderwright.render.graph.handles import BoundResource
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.lowering.bindings import NodeBindings
from renderwright.render.runtime.lowering.node_run import NodeRun
from renderwright.render.runtime.lowering.plain_ops import OpListKey
from renderwright.render.runtime.lowering.segments import RunNode, Segment
from renderwright.render.runtime.memory.resources import CopyKey
from renderwright.render.runtime.times.gpu_clock import TimedNode
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.physical import Physical


@dataclass
class LoweredNode:
    """A node's bindings and bound resources, as it is ``declared``; ``users`` frames share them.

    ``histories`` are the bound resources of history handles, with the copy that decides whether they are valid.
    """

    declared: DeclaredNode
    bindings: NodeBindings
    bound: Mapping[int, BoundResource]
    histories: tuple[tuple[BoundResource, CopyKey], ...]
    users: int = 1


@dataclass(frozen=True)
class LoweredSubmission:
    """One submission to a queue, in parts with command buffers of their own."""

    submission: Submission
    segments: tuple[Segment, ...]

    def queued(self, continuing: frozenset[int]) -> QueuedCommands:
        """What is submitted, beside the cross-frame work ``continuing`` of the previous frame."""
        planned = self.submission
        commands = tuple(segment.commands for segment in self.segments)
        return QueuedCommands(
            commands, planned.queue, planned.waits, planned.cross_frame, planned.cross_frame_waits, continuing
        )


@dataclass
class LoweredFrame:
    """A frame of one slot.

    ``timed`` are the timed node instances. ``failures`` are nodes left out because their shaders do not fit their
    requests. Another frame of the plan and slot may reuse ``nodes`` and ``runs`` by node id if they match, the
    ``op_lists`` between nodes, and segments with the same items.
    """

    submissions: tuple[LoweredSubmission, ...]
    timed: tuple[TimedNode, ...]
    failures: tuple[NodeFailure, ...]
    nodes: Mapping[str, LoweredNode]
    runs: Mapping[str, NodeRun]
    op_lists: Mapping[OpListKey, OpList]
    _queued: dict[bool, list[QueuedCommands]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._histories = [history for node in self.nodes.values() for history in node.histories]
        self._creators = {run for run in self.runs.values() if run.creates_blobs}
        self._open = list(self.segments)

    @property
    def segments(self) -> Iterator[Segment]:
        """All segments, in order."""
        return (segment for one in self.submissions for segment in one.segments)

    def mark_valid(self, valid: Set[CopyKey]) -> None:
        """Set ``valid`` of each history handle: whether its copy has contents."""
        for bound, key in self._histories:
            bound.valid = key in valid

    def resume(self) -> None:
        """Go on after another frame has used the slot, which may have set the same blobs."""
        if not self._creators:
            return
        for run in self._creators:
            run.forget()
        for segment in self.segments:
            segment.forget(self._creators)
        self._open = list(self.segments)

    def update(self, run: RunNode, backend: Backend) -> None:
        """Bring the command buffers up to date; ``run`` executes a node and appends its commands.

        Settled segments are not looked at any more.
        """
        settled = False
        for segment in self._open:
            segment.update(run, backend)
            settled |= segment.settled
        if settled:
            self._open = [segment for segment in self._open if not segment.settled]

    def reopen(self, *, record: bool) -> None:
        """Look at all nodes in the next update, and record all command buffers anew if asked to."""
        self._open = list(self.segments)
        for segment in self._open:
            segment.reopen(record=record)

    def queued(self, *, follows: bool) -> list[QueuedCommands]:
        """The submissions, the same objects in each frame.

        ``follows``: the previous frame had the same plan, so its cross-frame work may continue beside this frame. The
        cross-frame work of another plan has to be waited for.
        """
        if follows not in self._queued:
            continuing = frozenset({one.submission.cross_frame for one in self.submissions if follows} - {-1})
            found = []
            for one in self.submissions:
                first = one.submission.queue == GRAPHICS
                found.append(one.queued(continuing if first else frozenset()))
                continuing = frozenset() if first else continuing
            self._queued[follows] = found
        return self._queued[follows]

    def destroy(self, backend: Backend) -> None:
        """Destroy the binding sets and command buffers that no other frame uses."""
        for node in self.nodes.values():
            node.users -= 1
            if not node.users:
                for bindings in node.bindings.sets:
                    backend.destroy(bindings)
        for segment in self.segments:
            segment.users -= 1
            if not segment.users:
                backend.destroy(segment.commands)


@dataclass(frozen=True)
class Given:
    """The resources of a ``frame`` from outside the plan.

    ``physicals`` and ``cells`` are external GPU resources and CPU values, by resource id. ``instead`` are the resources
    that hold the previous frame's copies where these are not the plan's own (``LastFrame``).
    """

    frame: int
    physicals: Mapping[str, Physical]
    cells: Mapping[str, BlobCell]
    instead: Mapping[CopyKey, Physical] = field(default_factory=dict)

    def physical(self, key: CopyKey) -> Physical | None:
        """What is used for a copy of a resource, None for the plan's own."""
        return self.physicals.get(key[0]) or self.instead.get(key)
