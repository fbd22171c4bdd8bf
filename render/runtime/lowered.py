"""A lowered frame of a plan: prepared op lists, and nodes ready to execute."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import cast

from renderwright.render.backend.protocol import Backend, OpList, QueuedLists, Recorder
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.operations import Op, Submission
from renderwright.render.graph.commands import BoundPipeline, Commands
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.handles import BlobCell, BoundResource
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.runtime.bindings import NodeBindings
from renderwright.render.runtime.checks.frame_check import FrameCheck
from renderwright.render.runtime.checks.undefined import NodeRecord
from renderwright.render.runtime.checks.watched_recorder import WatchedRecorder
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.gpu_clock import TimedNode
from renderwright.render.runtime.resources import CopyKey
from renderwright.render.runtime.uniforms import UniformWriter
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.physical import Physical
from renderwright.render.types.resources import Extent


@dataclass
class NodeRun:
    """One node instance, ready to execute in one slot. ``recorded`` keeps a stable node's commands."""

    instance: NodeInstance
    execute: Execute | None
    handles: tuple[tuple[RequestBuilder, BoundResource], ...]
    pipelines: tuple[BoundPipeline, ...]
    writers: tuple[UniformWriter, ...]
    extent: Extent | None
    resolutions: Mapping[str, Extent]
    recorder: Recorder
    slot: int
    recorded: OpList | None = None

    def run(self, frame: int, check: FrameCheck | None = None) -> OpList | None:
        """Execute the node and return its recorded commands, after ``check``; if it raises, they are dropped."""
        if self.execute is None:
            return None
        for writer in self.writers:
            writer.write()
        if self.recorded is not None:
            return self.recorded
        declaration = self.instance.declaration
        watched = WatchedRecorder(self.recorder)
        commands = Commands(
            self.recorder if check is None else cast(Recorder, watched),
            self.pipelines,
            frame,
            self.slot,
            dict(self.instance.index),
            self.extent,
            self.resolutions,
            self.instance.views.count if self.instance.views is not None else 1,
        )
        for handle, bound in self.handles:
            handle.bind_physical(bound)
        try:
            self.execute(commands)
            commands.finish()
            recorded = self.recorder.take()
            if check is not None:
                resources = {number: bound for number, (_, bound) in enumerate(self.handles)}
                check.judge(NodeRecord(self.instance, resources, self.pipelines, watched.commands))
        except BaseException:
            self.recorder.take()
            raise
        finally:
            for handle, _ in self.handles:
                handle.bind_physical(None)
        if declaration.stable and all(bound.valid for _, bound in self.handles):
            self.recorded = recorded
        return recorded


LoweredItem = OpList | NodeRun

Mentions = Mapping[CopyKey, Physical]
"""The resources that the operations between two nodes name, by copy."""


@dataclass
class LoweredNode:
    """A node's bindings, the bound resources, and the run that they were made for; ``users`` frames share them."""

    bindings: NodeBindings
    bound: Mapping[int, BoundResource]
    run: NodeRun
    users: int = 1


@dataclass(frozen=True)
class LoweredSubmission:
    """One submission to a queue, recorded in command buffer ``buffer``. In ``items`` op lists and node runs alternate;
    a list comes first and last."""

    submission: Submission
    buffer: int
    items: list[LoweredItem] = field(default_factory=list)


@dataclass(frozen=True)
class LoweredFrame:
    """A frame of one slot.

    ``timed`` are the timed node instances. ``histories`` are the bound resources of history handles, with the copy
    that decides whether they are valid. ``failures`` are nodes left out because their shaders do not fit their
    requests. Another frame may reuse parts if they match: ``ops``, ``nodes`` by id, and the op lists between nodes
    (``op_lists``) with the resources that they name (``mentions``).
    """

    submissions: tuple[LoweredSubmission, ...]
    timed: tuple[TimedNode, ...]
    histories: tuple[tuple[BoundResource, CopyKey], ...]
    failures: tuple[NodeFailure, ...]
    ops: Sequence[Op]
    nodes: Mapping[str, LoweredNode]
    op_lists: Sequence[OpList]
    mentions: Sequence[Mentions]

    @property
    def runs(self) -> Iterator[NodeRun]:
        """The node runs, in order."""
        return (item for one in self.submissions for item in one.items if isinstance(item, NodeRun))

    def mark_valid(self, valid: Set[CopyKey]) -> None:
        """Set ``valid`` of each history handle: whether its copy has contents."""
        for bound, key in self.histories:
            bound.valid = key in valid

    def queued(self, run: Callable[[NodeRun, list[OpList]], None], follows: bool = False) -> list[QueuedLists]:
        """The submissions; ``run`` executes a node and appends its commands.

        ``follows``: the previous frame had the same plan, so its cross-frame work may continue beside this frame. The
        cross-frame work of another plan has to be waited for.
        """
        found: list[QueuedLists] = []
        continuing = frozenset({one.submission.cross_frame for one in self.submissions if follows} - {-1})
        for one in self.submissions:
            lists: list[OpList] = []
            for item in one.items:
                if isinstance(item, NodeRun):
                    run(item, lists)
                else:
                    lists.append(item)
            planned = one.submission
            given = frozenset[int]()
            if planned.queue == GRAPHICS:
                given, continuing = continuing, given
            found.append(
                QueuedLists(
                    lists,
                    planned.queue,
                    one.buffer,
                    planned.waits,
                    planned.cross_frame,
                    planned.cross_frame_waits,
                    given,
                )
            )
        return found

    def destroy(self, backend: Backend) -> None:
        """Destroy the binding sets that no other frame uses."""
        for node in self.nodes.values():
            node.users -= 1
            if not node.users:
                for bindings in node.bindings.sets:
                    backend.destroy(bindings)


@dataclass(frozen=True)
class Given:
    """A frame's resources from outside the plan.

    ``physicals`` and ``cells`` are external GPU resources and CPU values, by resource id. ``instead`` are the resources
    that hold the previous frame's copies where these are not the plan's own (``LastFrame``).
    """

    physicals: Mapping[str, Physical]
    cells: Mapping[str, BlobCell]
    instead: Mapping[CopyKey, Physical] = field(default_factory=dict)
