"""A node instance that is ready to execute."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeVar, cast

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.protocol import Recorder
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.errors import CODE_FAILURES, DeviceLostError
from renderwright.render.graph.blob_cell import BlobCell, is_same
from renderwright.render.graph.bound_pipeline import BoundPipeline
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.commands_ahead import CommandsAhead
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.handles import BoundResource
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.runtime.checks.frame_check import FrameCheck
from renderwright.render.runtime.checks.undefined import NodeRecord
from renderwright.render.runtime.checks.watched_recorder import WatchedRecorder
from renderwright.render.runtime.lowering.uniforms import UniformWriter
from renderwright.render.types.resources import Extent

SomeCommands = TypeVar("SomeCommands", bound=Commands)

ExpectedValue = Callable[[BlobCell], BlobCell | None]
"""The cell with the value that a blob is expected to have in a frame to come; None if nobody knows."""

Handles = Sequence[tuple[RequestBuilder, BoundResource]]


@dataclass(frozen=True)
class ExpectedBlob:
    """A blob that a node has looked at, the value that is expected, and the revision ``before`` it is set to that."""

    cell: BlobCell
    value: Any
    before: int

    @property
    def has_come(self) -> bool:
        """Whether the blob has the value, and had no other one in between: an equal one may be of other objects."""
        return self.cell.revision <= self.before + 1 and is_same(self.value, self.cell.value)


@dataclass(eq=False)
class RecordedAhead:
    """Commands for a frame to come: the node's in that frame if the ``blobs`` that it has looked at are as expected
    then, and its ``revisions`` are these. ``holds``: the blobs that were looked at instead had no other value since."""

    commands: OpList
    blobs: tuple[ExpectedBlob, ...]
    revisions: tuple[int, ...]
    holds: bool = True

    def touch(self) -> None:
        """One of the blobs that were looked at instead has another value."""
        self.holds = False


@dataclass(eq=False)
class NodeRun:
    """One node instance, ready to execute in one slot.

    ``recorded`` keeps the commands of a ``stable`` node, as long as the blobs that it has looked at and its
    ``revisions`` are those ``seen``. It is ``due`` when one of them, or a value of its blocks, may be another one.
    ``creates_blobs``: it sets the values of blobs, which stay as long as it keeps its commands. ``ahead`` are its
    commands for a frame to come.
    """

    instance: NodeInstance
    execute: Execute | None
    handles: tuple[tuple[RequestBuilder, BoundResource], ...]
    pipelines: tuple[BoundPipeline, ...]
    writers: tuple[UniformWriter, ...]
    extent: Extent | None
    resolutions: Mapping[str, Extent]
    recorder: Recorder
    slot: int
    stable: bool
    revisions: tuple[BlobCell, ...]
    creates_blobs: bool
    due: bool = True
    recorded: OpList | None = None
    seen: tuple[tuple[BlobCell, int], ...] = ()
    ahead: RecordedAhead | None = None

    def __post_init__(self) -> None:
        self._commands = self._commands_to(self.recorder, Commands)
        self._blocks = tuple([writer.source.blobs for writer in self.writers])
        for cell in chain.from_iterable(blobs for blobs in self._blocks if blobs):
            cell.watch(self)

    def touch(self) -> None:
        """A blob of a block, or one that the node has looked at, has another value."""
        self.due = True

    @property
    def _covered_extent(self) -> Extent | None:
        """The extent of the render targets of a full-screen node that stores to images."""
        return next((pipeline.covers for pipeline in self.pipelines if pipeline.covers is not None), None)

    def _commands_to(self, recorder: Recorder, kind: type[SomeCommands]) -> SomeCommands:
        return kind(
            recorder,
            self.pipelines,
            self.slot,
            MappingProxyType(dict(self.instance.index)),
            self.extent or self._covered_extent,
            self.resolutions,
            self.instance.views.count if self.instance.views is not None else 1,
            [(use.request, self.handles[use.number][1]) for use in self.instance.uses],
        )

    def runs_like(self, other: NodeRun) -> bool:
        """Whether both, of one node and slot, have the same sizes, recorder and rules for keeping commands."""
        sizes_are_same = self.extent == other.extent and self.resolutions == other.resolutions
        keeps_the_same = self.stable == other.stable and self.creates_blobs == other.creates_blobs
        return sizes_are_same and keeps_the_same and self.recorder is other.recorder

    @property
    def lasting(self) -> bool:
        """Whether its commands cannot become others in frames with the same resources."""
        return self.stable and not self.revisions and not any(bound.cells for _, bound in self.handles)

    @property
    def recorded_always(self) -> bool:
        """Whether its commands may be others in each frame."""
        return not self.stable and any(use.usage is not None for use in self.instance.uses)

    @property
    def keeps(self) -> bool:
        """Whether it records the same commands until it is due."""
        return self.execute is None or self.recorded is not None

    @property
    def attentive(self) -> bool:
        """Whether it can become due although it keeps its commands."""
        return bool(self.seen) or any(blobs != () for blobs in self._blocks)

    @property
    def unchanged(self) -> bool:
        """Whether its commands are kept, and the blobs that it has looked at have no other values."""
        return self.recorded is not None and all(cell.revision == revision for cell, revision in self.seen)

    def run(self, frame: int, check: FrameCheck | None = None) -> OpList | None:
        """Fill the blocks and return the node's commands: those that it keeps, or others by ``record``."""
        if self.execute is None or not self.due:
            return self.recorded
        self.fill_blocks()
        if self.ahead is not None and check is None:
            self._take_ahead(self.ahead)
        recorded = self.recorded if self.unchanged else self.record(frame, check)
        self.due = self.recorded is None or None in self._blocks
        return recorded

    def forget(self) -> None:
        """Execute the node and fill its blocks in the next frame, whatever it has recorded."""
        self.recorded, self.ahead, self.due = None, None, True
        for writer in self.writers:
            writer.forget()

    def record(self, frame: int, check: FrameCheck | None = None, recorder: Recorder | None = None) -> OpList:
        """Execute the node and return its recorded commands, after ``check``; if it raises, they are dropped.

        ``recorder`` passes the commands on to the node's own.
        """
        assert self.execute is not None
        self.recorded, self.seen, self.ahead = None, (), None
        commands, watched = self._commands, None
        if check is not None or recorder is not None:
            watched = WatchedRecorder(recorder or self.recorder)
            commands = self._commands_to(cast(Recorder, watched), Commands)
        try:
            recorded = self._executed(commands, self.handles, frame)
        except (AttributeError, TypeError) as error:
            if "NoneType" in str(error):
                self._tell_of_first_frames(error)
            raise
        if check is not None and watched is not None:
            resources = {number: bound for number, (_, bound) in enumerate(self.handles)}
            check.judge(NodeRecord(self.instance, resources, self.pipelines, watched.commands))
        if self.stable and all(bound.valid for _, bound in self.handles):
            self._keep(recorded, [cell for _, bound in self.handles if bound.looked_at for cell in bound.cells])
        return recorded

    def _executed(self, commands: Commands, handles: Handles, frame: int) -> OpList:
        """The commands that the execute function records; if it raises, they are dropped."""
        assert self.execute is not None
        commands.start(frame)
        for handle, bound in handles:
            bound.looked_at = False
            handle.bind_physical(bound)
        try:
            self.execute(commands)
            commands.finish()
            return self.recorder.take()
        except BaseException:
            self.recorder.take()
            raise
        finally:
            for handle, _ in handles:
                handle.bind_physical(None)

    def _keep(self, recorded: OpList, looked_at: Sequence[BlobCell]) -> None:
        """Keep commands until one of these blobs or of the revisions is another one."""
        cells = (*looked_at, *self.revisions)
        for cell in cells:
            cell.watch(self)
        self.seen = tuple([(cell, cell.revision) for cell in cells])
        self.recorded = recorded

    # ahead of its frame ---------------------------------------------------------------------------------------------

    @property
    def can_be_ahead(self) -> bool:
        """Whether its commands can be known before the frame: those of first frames of a history, and what the node
        sets blobs to, are not."""
        past = any(use.reads_history for use in self.instance.uses)
        known = self.recorded is not None or self.ahead is not None
        return self.stable and self.execute is not None and not (known or self.creates_blobs or past)

    @property
    def expected(self) -> OpList | None:
        """The commands that it will probably have in its next frame; None if nobody knows.

        What a blob or revision has replaced since is not theirs: the application may have destroyed it.
        """
        if self.recorded is not None:
            return self.recorded if self.unchanged else None
        if self.ahead is not None:
            return self.ahead.commands if self._holds(self.ahead) else None
        records = self.execute is not None and any(use.usage is not None for use in self.instance.uses)
        return None if records else OpList()

    def record_ahead(self, frame: int, expected: ExpectedValue) -> None:
        """Execute the node for a frame to come, with the values that its blobs are ``expected`` to have.

        A node that raises, asks for the slot's memory or reads a blob without a value is left to its frame.
        """
        instead = {cell: expected(cell) or BlobCell() for _, bound in self.handles for cell in bound.cells}
        handles = [(handle, _expecting(bound, instead)) for handle, bound in self.handles]
        commands = self._commands_to(self.recorder, CommandsAhead)
        try:
            recorded = self._executed(commands, handles, frame)
        except DeviceLostError:
            raise
        except CODE_FAILURES:
            return
        read = [number for number, (_, bound) in enumerate(handles) if bound.looked_at]
        cells = [cell for number in read for cell in self.handles[number][1].cells]
        if commands.asks_for_slot or any(instead[cell].value is None for cell in cells):
            return
        blobs = tuple([ExpectedBlob(cell, instead[cell].value, cell.revision) for cell in cells])
        self.ahead = RecordedAhead(recorded, blobs, tuple([cell.revision for cell in self.revisions]))
        for cell in cells:
            instead[cell].watch(self.ahead)

    def _take_ahead(self, ahead: RecordedAhead) -> None:
        """Keep what was recorded ahead, if the blobs are those of this frame."""
        self.ahead = None
        if self._holds(ahead) and all(blob.has_come for blob in ahead.blobs):
            self._keep(ahead.commands, [blob.cell for blob in ahead.blobs])

    def _holds(self, ahead: RecordedAhead) -> bool:
        """Whether nothing has changed since that was looked at."""
        return ahead.holds and ahead.revisions == tuple([cell.revision for cell in self.revisions])

    # what it fills and tells ----------------------------------------------------------------------------------------

    def _tell_of_first_frames(self, error: Exception) -> None:
        """Add a note for each history without a previous frame whose value the node has read: it was None."""
        for use in self.instance.uses:
            bound = self.handles[use.number][1]
            if use.reads_history and bound.cells and bound.looked_at and not bound.valid:
                error.add_note(f'the history of "{use.request.name}" has no previous frame: test .valid before .value')

    def fill_blocks(self) -> None:
        """Write the values of the uniform blocks; if one has none, the commands are dropped."""
        try:
            for writer in self.writers:
                writer.write()
        except BaseException:
            self.recorded = None
            raise


def _expecting(bound: BoundResource, instead: Mapping[BlobCell, BlobCell]) -> BoundResource:
    """The same resources, or blobs with the values of the cells ``instead`` of theirs."""
    return replace(bound, cells=tuple([_holding(instead[cell].value) for cell in bound.cells]))


def _holding(value: Any) -> BlobCell:
    cell = BlobCell()
    cell.value = value
    return cell
