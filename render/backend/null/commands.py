"""The commands of a queue in a frame slot. Each played call checks the state and logs a line."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.backend.command_buffers import CommandBuffer, OpList
from renderwright.render.backend.null.resources import (
    NullBindingSet,
    NullBuffer,
    NullCommandBuffer,
    NullObject,
    NullPipeline,
    NullTexture,
)
from renderwright.render.errors import BackendError
from renderwright.render.formats import format_named
from renderwright.render.inspect.words import attachment_text, clear_text, issued_text, layout_word
from renderwright.render.sync.barriers import Issued
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import COPY, GRAPHICS
from renderwright.render.types.attachments import Attachment
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.physical import mip_extent
from renderwright.render.types.resources import ClearValue, Extent
from renderwright.render.types.usages import Usage

BarrierPairs = tuple[tuple[Issued, NullObject | None], ...]
"""Barriers with their resources; None for a global memory barrier."""

Events = dict[int, tuple[str, BarrierPairs]]


class NullCommands:
    """Plays the calls of command buffers. State (pipeline, sets, buffers) lasts until a buffer ends.

    ``events`` are the slot's events that the frame has set, by number, with their queues and barriers.
    """

    def __init__(self, slot: int, queue: str, events: Events, log: list[str]) -> None:
        self.slot = slot
        self._playing = False
        self._queue = queue
        self._events = events
        self._log = log
        self._reset()

    def _reset(self) -> None:
        self._pass: Sequence[tuple[Attachment, NullTexture]] | None = None
        self._views = 1
        self._labels: list[str] = []
        self._pipeline: NullPipeline | None = None
        self._sets: dict[int, NullBindingSet] = {}
        self._indices: NullBuffer | None = None

    def play_buffer(self, buffer: CommandBuffer) -> None:
        """Play a command buffer of this queue and slot. Raises ``BackendError`` for one that was never recorded."""
        assert isinstance(buffer, NullCommandBuffer)
        if buffer.lists is None:
            raise BackendError(f"{buffer} is submitted before it was recorded", hint="call record first")
        if (buffer.slot, buffer.queue) != (self.slot, self._queue):
            raise BackendError(
                f"{buffer} of the {buffer.queue} queue in slot {buffer.slot} is submitted to the {self._queue} queue "
                f"in slot {self.slot}"
            )
        self._alive("submit it", buffer)
        self._play(buffer.lists)

    def _play(self, lists: Sequence[OpList]) -> None:
        """Play the lists of a command buffer; ``BackendError`` if a pass or a label is still open at their end."""
        self._reset()
        self._playing = True
        try:
            for item in lists:
                for function, arguments in item.ops:
                    function(*arguments)
        finally:
            self._playing = False
        if self._pass is not None:
            raise BackendError("a command buffer ends inside a pass", hint="every begin_pass needs an end_pass")
        if self._labels:
            raise BackendError(
                f'a command buffer ends inside the label "{self._labels[-1]}"',
                hint="every begin_label needs an end_label",
            )

    # helpers --------------------------------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        if not self._playing:
            raise BackendError(
                f"calls prepared for slot {self.slot} are played in another slot's frame, or outside a frame",
                hint="submit a slot's command buffers in end_frame of that slot",
            )
        self._log.append("  " * (1 + len(self._labels) + (self._pass is not None)) + text)

    def _need_queue(self, what: str, *, compute: bool = False) -> None:
        """Raise ``BackendError`` unless this is the graphics queue or, with ``compute``, the compute queue."""
        if self._queue != GRAPHICS and not (compute and self._queue != COPY):
            raise BackendError(
                f"{what} on the {self._queue} queue", hint="declare only queues that support the node's commands"
            )

    def _outside_pass(self, what: str) -> None:
        if self._pass is not None:
            raise BackendError(f"{what} inside a pass", hint="end the pass first")

    def _inside_pass(self, what: str) -> None:
        if self._pass is None:
            raise BackendError(f"{what} outside a pass", hint="begin a pass first")

    @staticmethod
    def _alive(doing: str, *objects: NullObject) -> None:
        for item in objects:
            item.check_alive(doing)

    # barriers and passes --------------------------------------------------------------------------------------------

    def barriers(self, barriers: BarrierPairs) -> None:
        """Issue a batch of barriers."""
        self._outside_pass("a barrier")
        self._say_barriers("barrier", barriers)

    def set_event(self, number: int, barriers: BarrierPairs) -> None:
        """Issue the first half of split barriers. Raises ``BackendError`` if the event is set already."""
        self._need_queue("setting an event", compute=True)
        self._outside_pass("setting an event")
        if number in self._events:
            raise BackendError(f"event {number} is set twice in one frame", hint="give each split barrier its own")
        self._events[number] = self._queue, barriers
        self._say_barriers(f"set event {number}:", barriers)

    def wait_event(self, number: int, barriers: BarrierPairs) -> None:
        """Issue the second half. Raises ``BackendError`` if the first half is missing or differs."""
        self._outside_pass("waiting for an event")
        if self._events.get(number) != (self._queue, barriers):
            raise BackendError(
                f"event {number} is waited for with barriers that it was not set with",
                hint="both halves of a split barrier are equal, and set_event precedes wait_event",
            )
        self._say_barriers(f"wait for event {number}:", barriers)

    def _say_barriers(self, what: str, barriers: BarrierPairs) -> None:
        for barrier, physical in barriers:
            if physical is not None:
                self._alive("wait at a barrier", physical)
            self._say(f"{what} {issued_text(barrier)}")

    def full_barrier(self) -> None:
        """Make everything earlier visible to everything later."""
        self._outside_pass("a barrier")
        self._say("full barrier")

    def begin_pass(self, attachments: Sequence[tuple[Attachment, NullTexture]], extent: Extent, views: int = 1) -> None:
        """Begin rendering. Raises ``BackendError`` if an attachment is too small or lacks a layer for a view."""
        self._need_queue("a pass")
        self._outside_pass("a pass")
        for attachment, texture in attachments:
            self._alive("render to it", texture)
            width, height = mip_extent(texture.info.extent, attachment.part)
            if width < extent[0] or height < extent[1]:
                raise BackendError(
                    f'the pass covers {extent[0]}x{extent[1]} texels, and "{attachment.resource}" has only '
                    f"{width}x{height}"
                )
            layers = attachment.part.layers[1] if attachment.part.layers is not None else texture.info.layers
            if layers < views:
                raise BackendError(f'the pass draws {views} views, and "{attachment.resource}" has {layers} layers')
        targets = "; ".join(attachment_text(attachment) for attachment, _ in attachments)
        at_once = f", {views} views at once" if views > 1 else ""
        self._say(f"begin pass {extent[0]}x{extent[1]}{at_once}: {targets}")
        self._pass, self._views = attachments, views

    def end_pass(self) -> None:
        """End rendering."""
        self._inside_pass("end_pass")
        self._pass, self._views = None, 1
        self._say("end pass")

    def begin_label(self, name: str) -> None:
        """Open a named region."""
        self._say(f"[{name}]")
        self._labels.append(name)

    def end_label(self) -> None:
        """Close the region."""
        if not self._labels:
            raise BackendError("end_label without a label", hint="every end_label needs a begin_label")
        self._labels.pop()

    def timestamp(self, number: int, views: int = 1) -> None:
        """Write a timestamp. Raises ``BackendError`` unless there is a query for each view of the pass."""
        if views != self._views:
            raise BackendError(f"a timestamp of {views} views in a pass of {self._views}")
        self._say(f"timestamp {number}" if views == 1 else f"timestamps {number} to {number + views - 1}")

    def viewport(self, x: float, y: float, width: float, height: float) -> None:
        """Set the viewport."""
        self._say(f"viewport {x:g}, {y:g}, {width:g}x{height:g}")

    def scissor(self, x: int, y: int, width: int, height: int) -> None:
        """Set the scissor rectangle."""
        self._say(f"scissor {x}, {y}, {width}x{height}")

    # pipelines and bindings -----------------------------------------------------------------------------------------

    def bind_pipeline(self, pipeline: NullPipeline) -> None:
        """Bind a pipeline."""
        self._alive("bind it", pipeline)
        if not pipeline.compute:
            self._check_formats(pipeline)
        self._pipeline = pipeline
        self._say(f"bind {pipeline}")

    def _check_formats(self, pipeline: NullPipeline) -> None:
        if self._pass is None:
            return
        formats: dict[Usage, list[str]] = {Usage.COLOR: [], Usage.DEPTH: []}
        for attachment, texture in self._pass:
            usage = Usage.DEPTH if attachment.usage is Usage.DEPTH_READ else attachment.usage
            if usage in formats:
                formats[usage].append(format_named(texture.info.format).name)
        colors = [format_named(name).name for name in pipeline.desc.color_formats]
        depth = [format_named(pipeline.desc.depth_format).name] if pipeline.desc.depth_format else []
        if (colors, depth) != (formats[Usage.COLOR], formats[Usage.DEPTH]):
            raise BackendError(
                f"{pipeline} renders to {_formats(colors + depth)}, and the pass has "
                f"{_formats(formats[Usage.COLOR] + formats[Usage.DEPTH])}",
                hint="create the pipeline with the formats of the pass",
            )
        if pipeline.desc.views != self._views:
            raise BackendError(
                f"{pipeline} is made for {pipeline.desc.views} views at once, and the pass has {self._views}",
                hint="create the pipeline with the views of the pass",
            )

    def bind_set(self, pipeline: NullPipeline, number: int, bindings: NullBindingSet) -> None:
        """Bind a descriptor set."""
        self._alive("bind it", pipeline, bindings, *bindings.objects)
        self._sets[number] = bindings
        self._say(f"bind set {number} {', '.join(bindings.bindings)}")

    def push(self, pipeline: NullPipeline, size: int) -> None:
        """Set push constants."""
        self._alive("push constants", pipeline)
        self._say(f"push {size} bytes")

    def bind_vertices(self, buffer: NullBuffer, offset: int) -> None:
        """Bind a vertex buffer."""
        self._alive("read vertices", buffer)
        self._say(f"bind vertices {buffer.name} + {offset}")

    def bind_indices(self, buffer: NullBuffer, offset: int) -> None:
        """Bind an index buffer."""
        self._alive("read indices", buffer)
        self._indices = buffer
        self._say(f"bind indices {buffer.name} + {offset}")

    # work -----------------------------------------------------------------------------------------------------------

    def _ready(self, what: str, *, compute: bool) -> None:
        pipeline = self._pipeline
        if pipeline is None or pipeline.compute != compute:
            kind = "compute" if compute else "graphics"
            raise BackendError(f"{what} without a {kind} pipeline", hint="bind one first")
        self._alive(what, pipeline)
        for number in sorted(pipeline.sets):
            bound = self._sets.get(number)
            if bound is None or bound.pipeline.bindings_of(number) != pipeline.bindings_of(number):
                raise BackendError(
                    f"{what} with {pipeline}, but set {number} is not bound to it", hint="bind its set first"
                )
            self._alive(what, bound, *bound.objects)

    def draw(self, vertices: int, instances: int, first_vertex: int, first_instance: int) -> None:
        """Draw vertices."""
        self._inside_pass("a draw")
        self._ready("draw", compute=False)
        self._say(f"draw {vertices} x {instances} from {first_vertex}, {first_instance}")

    def draw_indexed(
        self, indices: int, instances: int, first_index: int, vertex_offset: int, first_instance: int
    ) -> None:
        """Draw indexed vertices."""
        self._ready_indexed()
        self._say(f"draw indexed {indices} x {instances} from {first_index} + {vertex_offset}, {first_instance}")

    def draw_indexed_indirect(
        self, buffer: NullBuffer, draws: int, offset: int, counted: tuple[NullBuffer, int] | None
    ) -> None:
        """Draw indexed vertices by commands in a buffer."""
        self._ready_indexed()
        self._alive("read draw commands", buffer)
        counts = ""
        if counted is not None:
            self._alive("read the number of draws", counted[0])
            counts = f", as many as {counted[0].name} + {counted[1]} says"
        self._say(f"draw indexed by {draws} commands of {buffer.name} + {offset}{counts}")

    def _ready_indexed(self) -> None:
        self._inside_pass("a draw")
        self._ready("draw", compute=False)
        if self._indices is None:
            raise BackendError("an indexed draw without indices", hint="bind an index buffer first")
        self._alive("read indices", self._indices)

    def dispatch(self, x: int, y: int, z: int) -> None:
        """Run workgroups."""
        self._need_queue("a dispatch", compute=True)
        self._outside_pass("a dispatch")
        self._ready("dispatch", compute=True)
        self._say(f"dispatch {x} x {y} x {z}")

    def clear_texture(self, texture: NullTexture, layout: Layout, value: ClearValue, part: Part) -> None:
        """Clear a part of a texture."""
        self._need_queue("a clear", compute=True)
        self._outside_pass("a clear")
        self._alive("clear it", texture)
        texture.check_lasting("clear it")
        what = f"{part} of {texture.name}" if part != WHOLE else texture.name
        self._say(f"clear {what} in {layout_word(layout)} to {clear_text(value)}")

    def copy_texture(self, source: NullTexture, target: NullTexture, parts: tuple[Part, ...]) -> None:
        """Copy texels."""
        self._outside_pass("a copy")
        self._alive("copy", source, target)
        source.check_lasting("copy it")
        target.check_lasting("copy to it")
        what = "" if parts == (WHOLE,) else f", {', '.join(map(str, parts))}"
        self._say(f"copy texture {source.name} -> {target.name}{what}")

    def copy_texels(self, source: NullTexture, mip: int, layer: int, target: NullBuffer) -> None:
        """Copy texels to a buffer."""
        self._outside_pass("a copy")
        self._alive("copy", source, target)
        source.check_lasting("copy it")
        self._say(f"copy mip {mip} of layer {layer} of {source.name} -> {target.name}")

    def fill_buffer(self, buffer: NullBuffer, word: int, start: int, end: int) -> None:
        """Fill bytes with a word."""
        self._outside_pass("a fill")
        self._alive("fill it", buffer)
        part = f" from {start} to {end}" if (start, end) != (0, buffer.info.size) else ""
        self._say(f"fill {buffer.name}{part}" + (f" with {word:#010x}" if word else ""))

    def copy_buffer(self, source: NullBuffer, target: NullBuffer, size: int) -> None:
        """Copy bytes."""
        self._outside_pass("a copy")
        self._alive("copy", source, target)
        self._say(f"copy buffer {source.name} -> {target.name}, {size} bytes")


def _formats(names: list[str]) -> str:
    return ", ".join(names) or "nothing"
