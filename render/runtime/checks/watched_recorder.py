"""Notes which commands a node records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from renderwright.render.backend.protocol import COPIED, BindingSet, Pipeline, Recorder
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.source import caller_location
from renderwright.render.shaders.interface import merge_push
from renderwright.render.sync.flags import Layout
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.physical import Physical, PhysicalBuffer, PhysicalTexture
from renderwright.render.types.resources import ClearValue


@dataclass(frozen=True)
class Unpushed:
    """A draw or dispatch without all push constants of its pipeline: the bytes that were set, and the call."""

    pipeline: Pipeline
    size: int
    where: SourceLocation


@dataclass
class NodeCommands:
    """What one run of a node has recorded.

    ``used`` are the pipelines of its draws and dispatches, except those of no vertices or no workgroups. ``targets``
    are the textures and buffers that it clears, fills or copies to. ``own_sets`` are
    the pipelines for which it binds descriptor sets of its own, whose contents are unknown. ``unpushed`` are the used
    pipelines with push constants that were not set.
    """

    used: list[Pipeline] = field(default_factory=list)
    targets: list[Physical] = field(default_factory=list)
    own_sets: list[Pipeline] = field(default_factory=list)
    unpushed: list[Unpushed] = field(default_factory=list)

    def writes(self, physical: Physical) -> bool:
        """Whether a clear, a fill or a copy writes the resource."""
        return any(target is physical for target in self.targets)


class WatchedRecorder:
    """A recorder that notes what it is told to record, and passes it on."""

    def __init__(self, recorder: Recorder) -> None:
        self.commands = NodeCommands()
        self._recorder = recorder
        self._bound: Pipeline | None = None
        # Push constants outlast a change of pipelines, unless those of another range are set.
        self._pushed_for: Pipeline | None = None
        self._pushed = 0

    def __getattr__(self, name: str) -> Any:
        """All commands that write nothing."""
        return getattr(self._recorder, name)

    def bind_pipeline(self, pipeline: Pipeline) -> None:
        """See ``Recorder``."""
        self._bound = pipeline
        self._recorder.bind_pipeline(pipeline)

    def bind_set(self, pipeline: Pipeline, number: int, bindings: BindingSet) -> None:
        """See ``Recorder``."""
        if number:
            self.commands.own_sets.append(pipeline)
        self._recorder.bind_set(pipeline, number, bindings)

    def push(self, pipeline: Pipeline, data: bytes) -> None:
        """See ``Recorder``."""
        self._recorder.push(pipeline, data)
        kept = self._pushed if self._pushed_for is not None and _same_push(self._pushed_for, pipeline) else 0
        self._pushed_for, self._pushed = pipeline, max(kept, len(data))

    def draw(self, vertices: int, instances: int = 1, first_vertex: int = 0, first_instance: int = 0) -> None:
        """See ``Recorder``."""
        self._use(vertices * instances)
        self._recorder.draw(vertices, instances, first_vertex, first_instance)

    def draw_indexed(
        self, indices: int, instances: int = 1, first_index: int = 0, vertex_offset: int = 0, first_instance: int = 0
    ) -> None:
        """See ``Recorder``."""
        self._use(indices * instances)
        self._recorder.draw_indexed(indices, instances, first_index, vertex_offset, first_instance)

    def draw_indexed_indirect(
        self,
        commands: PhysicalBuffer,
        draws: int,
        offset: int = 0,
        counts: PhysicalBuffer | None = None,
        place: int = 0,
    ) -> None:
        """See ``Recorder``. The commands in the buffer are unknown, and count as used."""
        self._use(draws)
        self._recorder.draw_indexed_indirect(commands, draws, offset, counts, place)

    def dispatch(self, x: int, y: int = 1, z: int = 1) -> None:
        """See ``Recorder``."""
        self._use(x * y * z)
        self._recorder.dispatch(x, y, z)

    def clear_texture(self, texture: PhysicalTexture, layout: Layout, value: ClearValue, part: Part = WHOLE) -> None:
        """See ``Recorder``."""
        self.commands.targets.append(texture)
        self._recorder.clear_texture(texture, layout, value, part)

    def copy_texture(
        self,
        source: PhysicalTexture,
        target: PhysicalTexture,
        parts: Sequence[Part] = (WHOLE,),
        layouts: tuple[Layout, Layout] = COPIED,
    ) -> None:
        """See ``Recorder``."""
        self.commands.targets.append(target)
        self._recorder.copy_texture(source, target, parts, layouts)

    def fill_buffer(self, buffer: PhysicalBuffer, word: int = 0, start: int = 0, size: int = 0) -> None:
        """See ``Recorder``."""
        self.commands.targets.append(buffer)
        self._recorder.fill_buffer(buffer, word, start, size)

    def copy_buffer(self, source: PhysicalBuffer, target: PhysicalBuffer, size: int = 0) -> None:
        """See ``Recorder``."""
        self.commands.targets.append(target)
        self._recorder.copy_buffer(source, target, size)

    def _use(self, invocations: int) -> None:
        if self._bound is None or not invocations:
            return
        self.commands.used.append(self._bound)
        size = merge_push(self._bound.desc.modules)[1]
        known = self._pushed_for is not None and _same_push(self._pushed_for, self._bound)
        pushed = self._pushed if known else 0
        if pushed < size:
            self.commands.unpushed.append(Unpushed(self._bound, pushed, caller_location()))


def _same_push(one: Pipeline, other: Pipeline) -> bool:
    """Whether two pipelines have the same range of push constants, so that values set for one serve the other."""
    return one is other or _push_range(one) == _push_range(other)


def _push_range(pipeline: Pipeline) -> tuple[int, frozenset[str]]:
    modules = pipeline.desc.modules
    stages = frozenset(module.stage.value for module in modules if module.push_members)
    return merge_push(modules)[1], stages
