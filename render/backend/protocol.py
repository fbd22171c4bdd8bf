"""The protocol between the runtime and the backends.

A ``Recorder`` builds *op lists*: flat lists of prepared calls. They are recorded into command buffers, which are
submitted as long as their lists stay the same. Recorders and command buffers belong to a frame slot; there are
``FRAMES_IN_FLIGHT`` slots, used in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.capabilities import Capabilities
from renderwright.render.backend.command_buffers import CommandBuffer, OpList, QueuedCommands
from renderwright.render.backend.streamed import Streamed
from renderwright.render.backend.target import Target
from renderwright.render.memory.needs import MemoryNeeds
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.sync.barriers import Barrier, MemoryBarrier
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.attachments import Attachment
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.physical import BufferInfo, Physical, PhysicalBuffer, PhysicalTexture, TextureInfo
from renderwright.render.types.resources import ClearValue, Extent
from renderwright.render.types.sampling import DEFAULT_SAMPLING, Sampling

FRAMES_IN_FLIGHT = 2

INDIRECT_BYTES = 20
"""Bytes of an indirect command: indices, instances, first index, vertex offset (signed) and first instance."""

COPIED = (Layout.TRANSFER_SRC, Layout.TRANSFER_DST)
"""The layouts of source and destination of a texture copy."""


class Heap(Protocol):
    """A block of device memory that resources are placed in.

    A ``dedicated`` heap allocates nothing: the resource placed in it has memory of its own.
    """

    size: int
    memory_class: str
    dedicated: bool


@dataclass(frozen=True)
class PipelineDesc:
    """The complete description of a pipeline.

    ``color_formats``, ``depth_format`` and the number of ``views`` are those of the pass. ``state`` keys (all optional)
    and defaults: ``topology`` triangles|lines|points (triangles), ``cull`` none|back|front (none), ``depth_test``
    none|greater|greater_equal|equal|less|always (none), ``depth_write`` bool (False), ``depth_bias`` (constant, slope)
    pair, ``depth_clamp`` bool, ``blend`` none|alpha|add|premultiplied|transparent (none), ``color_write`` the channels
    that are written, some of "rgba" (all), ``vertex`` a tuple of (location, format, offset) with ``vertex_stride``
    bytes. ``transparent`` is ``premultiplied`` but for the target's alpha, which is multiplied by 1 - alpha: it is the
    share of the light from behind that is let through. Front faces wind counter-clockwise in world space with Y up; the
    viewport is flipped so that clip-space Y points up as well.
    """

    name: str
    modules: tuple[ShaderModule, ...]
    color_formats: tuple[str, ...] = ()
    depth_format: str = ""
    samples: int = 1
    state: tuple[tuple[str, Any], ...] = ()
    views: int = 1


class Pipeline(Protocol):
    """A compiled pipeline."""

    @property
    def desc(self) -> PipelineDesc:
        """The description that it was created from."""

    @property
    def ready(self) -> bool:
        """Whether it can be bound without waiting for the driver. ``Backend.begin_frame`` goes on with those that
        another thread has created."""


@dataclass(frozen=True)
class TextureBinding:
    """A texture, or a ``part`` of it, bound to a shader, with its layout and sampling."""

    texture: PhysicalTexture
    layout: Layout
    sampling: Sampling = DEFAULT_SAMPLING
    part: Part = WHOLE


@dataclass(frozen=True)
class BufferBinding:
    """A range of a buffer bound to a shader; ``size`` 0 means to the end."""

    buffer: PhysicalBuffer
    offset: int = 0
    size: int = 0


Binding = TextureBinding | BufferBinding | tuple[TextureBinding, ...]
"""The contents of one binding; a tuple fills an array of textures."""


class BindingSet(Protocol):
    """The bindings of one descriptor set, written once."""


@dataclass(frozen=True)
class BoundBarrier:
    """A planned barrier with its physical resource."""

    barrier: Barrier
    physical: Physical


class AttachedTexture(NamedTuple):
    """A texture that a pass renders to, with its attachment description and layout."""

    attachment: Attachment
    texture: PhysicalTexture
    layout: Layout


class Recorder(Protocol):
    """Turns commands into prepared calls for one queue and frame slot."""

    def take(self) -> OpList:
        """The calls recorded since the last take."""

    def barriers(self, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Issue the barriers as one batch."""

    def set_event(self, number: int, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Set event ``number`` of the frame: the first half of split barriers, after their source scopes."""

    def wait_event(self, number: int, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Wait for event ``number`` of the frame: the second half of the same split barriers."""

    def full_barrier(self) -> None:
        """Make everything earlier visible to everything later (plan changes, debugging)."""

    def begin_pass(self, attachments: Sequence[AttachedTexture], extent: Extent, views: int = 1) -> None:
        """Begin rendering; viewport and scissor cover ``extent``.

        With several ``views``, each draw renders view n to layer n of the attachments.
        """

    def end_pass(self) -> None:
        """End rendering."""

    def begin_label(self, name: str) -> None:
        """Open a named region for capture tools."""

    def end_label(self) -> None:
        """Close the region."""

    def timestamp(self, number: int, views: int = 1) -> None:
        """Write the time at which all earlier commands have finished to query ``number``.

        A pass of several ``views`` uses that many consecutive queries.
        """

    def viewport(self, x: float, y: float, width: float, height: float) -> None:
        """Set the viewport, in texels from the top left corner."""

    def scissor(self, x: int, y: int, width: int, height: int) -> None:
        """Set the scissor rectangle."""

    def bind_pipeline(self, pipeline: Pipeline) -> None:
        """Use the pipeline."""

    def bind_set(self, pipeline: Pipeline, number: int, bindings: BindingSet) -> None:
        """Use the bindings as descriptor set ``number``."""

    def push(self, pipeline: Pipeline, data: bytes) -> None:
        """Set the push constants, from offset 0."""

    def bind_vertices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Use the buffer as vertex buffer 0."""

    def bind_indices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Use the buffer as 32-bit indices."""

    def draw(self, vertices: int, instances: int = 1, first_vertex: int = 0, first_instance: int = 0) -> None:
        """Draw without indices."""

    def draw_indexed(
        self, indices: int, instances: int = 1, first_index: int = 0, vertex_offset: int = 0, first_instance: int = 0
    ) -> None:
        """Draw with indices."""

    def draw_indexed_indirect(
        self,
        commands: PhysicalBuffer,
        draws: int,
        offset: int = 0,
        counts: PhysicalBuffer | None = None,
        place: int = 0,
    ) -> None:
        """Draw with indices by ``draws`` commands of ``INDIRECT_BYTES`` each, from byte ``offset`` of a buffer on.

        With ``counts``, the 32-bit word at byte ``place`` of that buffer says how many of them there are. A device that
        cannot read it draws all ``draws``, so commands beyond the count have no instances.
        """

    def dispatch(self, x: int, y: int = 1, z: int = 1) -> None:
        """Run ``x`` x ``y`` x ``z`` workgroups."""

    def clear_texture(self, texture: PhysicalTexture, layout: Layout, value: ClearValue, part: Part = WHOLE) -> None:
        """Fill every texel of a part of the texture, which is in ``layout`` (GENERAL or TRANSFER_DST)."""

    def copy_texture(
        self,
        source: PhysicalTexture,
        target: PhysicalTexture,
        parts: Sequence[Part] = (WHOLE,),
        layouts: tuple[Layout, Layout] = COPIED,
    ) -> None:
        """Copy the texels of some parts between equal textures, which are in these ``layouts``."""

    def copy_texels(
        self, source: PhysicalTexture, layout: Layout, mip: int, layer: int, target: PhysicalBuffer
    ) -> None:
        """Copy one mip of one layer of a texture, which is in ``layout`` (TRANSFER_SRC or GENERAL), to the start of a
        buffer, row by row without gaps. Of a format with stencil it is the depth."""

    def fill_buffer(self, buffer: PhysicalBuffer, word: int = 0, start: int = 0, size: int = 0) -> None:
        """Fill ``size`` bytes (0: to the end) from ``start`` on with a 32-bit word; both in multiples of 4."""

    def copy_buffer(self, source: PhysicalBuffer, target: PhysicalBuffer, size: int = 0) -> None:
        """Copy bytes from the start (0: all)."""


class BackgroundWork(Protocol):
    """Work that spans frames: recorded once, submitted in slices; no frame waits for it. One run at a time."""

    def recorder(self, slot: int) -> Recorder:
        """The recorder of a slot (as many as frames have, used in turn)."""

    def create_commands(self, slot: int, name: str) -> CommandBuffer:
        """An empty command buffer of a slot; ``Backend.record`` fills it."""

    def begin(self, slot: int) -> None:
        """Begin a run; the slot's previous run must be finished."""

    def follow_frames(self) -> None:
        """Let the run begin when all frames submitted so far have finished. Call it before the first slice."""

    def submit(self, slot: int, slices: Sequence[QueuedCommands]) -> None:
        """Submit the ``slices``, a prefix of the run, that have not been submitted yet."""

    def finished(self) -> bool:
        """Whether all submitted slices have finished."""

    def wait(self) -> None:
        """Wait (bounded) until all submitted slices have finished."""

    def publish(self) -> None:
        """Make finished results visible to all frames submitted from now on."""


class Backend(Protocol):
    """A graphics API behind the protocol."""

    capabilities: Capabilities
    waiting: Callable[[], AbstractContextManager[None]]
    """Entered around calls that wait for the device or the display; other threads can run meanwhile."""

    # memory and resources
    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Memory requirements of a placed texture."""

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """Memory requirements of a placed buffer."""

    def create_heap(self, memory_class: str, size: int, name: str) -> Heap:
        """Allocate a heap. Raises ``OutOfMemoryError`` if the allocation fails."""

    def place_texture(self, heap: Heap, offset: int, info: TextureInfo, name: str) -> PhysicalTexture:
        """A texture at a byte offset of the heap; resources may overlap."""

    def place_buffer(self, heap: Heap, offset: int, info: BufferInfo, name: str) -> PhysicalBuffer:
        """A buffer at a byte offset of the heap."""

    def cover_heap(self, heap: Heap, name: str) -> PhysicalBuffer:
        """A buffer over the bytes of a heap, aliasing the resources placed there, to fill them (debugging).

        It is for ``fill_buffer`` alone. Alignment may make it end before the heap, and where resources share whole
        textures a fill clears those that lie in it as a whole. Raises ``BackendError`` for a dedicated heap, and if
        buffers cannot be placed in the heap's memory class.
        """

    def create_texture(self, info: TextureInfo, name: str, pixels: NDArray[Any] | None = None) -> PhysicalTexture:
        """A texture with memory of its own, usable on all queues.

        ``pixels`` (height, width, channels) fill mip 0, and the other mips are generated; the texture then stays in
        SHADER_READ_ONLY.
        """

    def create_buffer(
        self, info: BufferInfo, name: str, data: bytes | None = None, *, host: bool = False
    ) -> PhysicalBuffer:
        """A buffer with memory of its own, usable on all queues; ``host`` makes it writable through ``.data``."""

    def prepare_streaming(self) -> None:
        """Create what all streamed resources need: the first one would take a part of a frame for it."""

    def stream_texture(self, info: TextureInfo, name: str, pixels: NDArray[Any]) -> Streamed[PhysicalTexture]:
        """Like ``create_texture``, filled beside the frames, on the copy queue if the device has one.

        The texture belongs to the graphics queue unless ``info.concurrent``. ``begin_frame`` continues uploads and
        marks finished ones resident; ``Streamed.hasten`` does so with small ones at once, on backends that can.
        ``pixels`` must not change before that.
        """

    def stream_buffer(self, info: BufferInfo, name: str, data: bytes) -> Streamed[PhysicalBuffer]:
        """Like ``stream_texture`` for a buffer, which all queues may use."""

    def destroy(self, resource: Any) -> None:
        """Destroy a heap, texture, buffer, pipeline, binding set, command buffer or background work once no submitted
        frame uses it."""

    # shaders
    def create_pipeline(self, desc: PipelineDesc) -> Pipeline:
        """Compile a pipeline; its layout comes from the modules' reflection."""

    def create_bindings(
        self, pipeline: Pipeline, number: int, bindings: Mapping[str, Binding], name: str
    ) -> BindingSet:
        """Descriptor set ``number`` of the pipeline's layout, with bindings by their names in the shaders."""

    # frames
    def create_target(self, extent: Extent, window: Any = None) -> Target:
        """A swapchain on a window, or an offscreen target."""

    def recorder(self, slot: int, queue: str = GRAPHICS) -> Recorder:
        """The recorder of a frame slot, for submission to ``queue``."""

    def create_commands(self, slot: int, queue: str, name: str) -> CommandBuffer:
        """An empty command buffer of a frame slot, for submission to ``queue``. Release it with ``destroy``."""

    def record(self, commands: CommandBuffer, lists: Sequence[OpList]) -> None:
        """Replace the contents of a command buffer, which no unfinished frame uses."""

    def begin_frame(self, slot: int) -> None:
        """Wait (bounded) until the slot's previous frame has finished on all queues."""

    def end_frame(self, slot: int, submissions: Sequence[QueuedCommands], target: Target | None) -> bool:
        """Submit and present. Returns False if the target no longer fits and must be resized.

        All queues begin a frame together: the first submission of each waits for the earlier work of the others, except
        cross-frame work that is ``continuing``. Only the graphics queue may use the target.
        """

    def background(self, *, compute: bool) -> BackgroundWork:
        """Work that spans frames, on a queue of its own if the device has one; ``compute`` if every slice can run on a
        compute queue. Release it with ``destroy``."""

    def timestamps(self, slot: int) -> Sequence[int]:
        """Nanoseconds written by the slot's last finished frame, by query number.

        They stay after ``begin_frame``, until the next frame of the slot is submitted.
        """

    def passed(self, slot: int) -> Sequence[bool]:
        """For each timestamp of the slot's last submitted frame, by query number, whether the device has passed it.

        Waits for nothing, so it tells what the device is doing. Like times, the answers stay after ``begin_frame``,
        until the next frame of the slot is submitted.
        """

    def read_texture(self, texture: PhysicalTexture, layout: Layout) -> NDArray[np.generic]:
        """The texels of mip 0, (height, width, channels), after waiting for submitted work; keeps the layout."""

    def read_buffer(self, buffer: PhysicalBuffer) -> bytes:
        """The bytes of a buffer, after waiting for submitted work."""

    def wait_idle(self) -> None:
        """Wait (bounded) until the GPU has finished everything submitted."""

    def close(self) -> None:
        """Destroy everything."""
