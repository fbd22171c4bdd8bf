"""A node instance that is ready to execute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.protocol import Recorder
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.graph.commands import BoundPipeline, Commands
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.handles import BlobCell, BoundResource
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.runtime.checks.frame_check import FrameCheck
from renderwright.render.runtime.checks.undefined import NodeRecord
from renderwright.render.runtime.checks.watched_recorder import WatchedRecorder
from renderwright.render.runtime.uniforms import UniformWriter
from renderwright.render.types.resources import Extent


@dataclass(eq=False)
class NodeRun:
    """One node instance, ready to execute in one slot.

    ``recorded`` keeps a stable node's commands, while the blobs that it has looked at have the values ``seen``.
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
    recorded: OpList | None = None
    seen: tuple[tuple[BlobCell, Any], ...] = ()

    @property
    def lasting(self) -> bool:
        """Whether its commands cannot become others in frames with the same resources."""
        return self.instance.declaration.stable and not any(bound.cells for _, bound in self.handles)

    @property
    def keeps(self) -> bool:
        """Whether it records the same commands while blobs have the same values."""
        return self.execute is None or self.recorded is not None

    @property
    def attentive(self) -> bool:
        """Whether it has to be run in each frame although it keeps its commands."""
        return bool(self.writers or self.seen)

    def run(self, frame: int, check: FrameCheck | None = None) -> OpList | None:
        """Execute the node and return its recorded commands, after ``check``; if it raises, they are dropped."""
        if self.execute is None:
            return None
        self._fill_blocks()
        if self.recorded is not None and all(_same(cell.value, value) for cell, value in self.seen):
            return self.recorded
        self.recorded, self.seen = None, ()
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
            bound.looked_at = False
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
            looked_at = [bound for _, bound in self.handles if bound.looked_at]
            self.seen = tuple((cell, cell.value) for bound in looked_at for cell in bound.cells)
            self.recorded = recorded
        return recorded

    def _fill_blocks(self) -> None:
        try:
            for writer in self.writers:
                writer.write()
        except BaseException:
            self.recorded = None
            raise


def _same(now: Any, before: Any) -> bool:
    """Whether a blob's value is the same or equal. Values without an answer, such as arrays, differ."""
    if now is before:
        return True
    try:
        return bool(now == before)
    except (TypeError, ValueError):
        return False
